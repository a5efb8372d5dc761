internal import JamCore
internal import JamKit

/// The last touch on a forged sound: trimmed, faded, brought to its peak.
enum Finishing {
  /// Below this, under the sound's own peak, its end is cut off.
  private static let silence = PortableMath.gain(-78)
  private static let fadeInFrames = 10

  static func finish(_ planes: [[Double]], _ recipe: SoundRecipe) -> Sound {
    let peak = planes.joined().reduce(0) { max($0, abs($1)) }
    let heard = planes.map { plane in (plane.lastIndex { abs($0) > peak * silence } ?? 0) + 1 }.max() ?? 1
    var planes = planes.map { Array($0[..<min(heard, $0.count)]) }
    for index in planes.indices { fade(&planes[index], milliseconds: recipe.fadeMilliseconds) }
    let floats = planes.map { $0.map(Float.init) }
    let truePeak = floats.map { SoundMeasure.truePeak($0) }.max() ?? 0
    let gain = truePeak > 0 ? PortableMath.gain(recipe.peak) / truePeak : 0
    var interleaved: [Float] = []
    for n in 0..<planes[0].count {
      for plane in planes { interleaved.append(Float(plane[n] * gain)) }
    }
    return Sound(interleaved: interleaved, channels: planes.count, rate: Int(Frames.perSecond))
  }

  private static func fade(_ plane: inout [Double], milliseconds: Double) {
    for n in 0..<min(fadeInFrames, plane.count) { plane[n] *= Double(n) / Double(fadeInFrames) }
    let length = min(plane.count, max(1, Int(milliseconds * 48)))
    for n in 0..<length {
      // Half a cosine: level at its start and at its end.
      let place = Double(n + 1) / Double(length)
      plane[plane.count - length + n] *= 0.5 + 0.5 * PortableMath.cosine(turns: place / 2)
    }
  }
}
