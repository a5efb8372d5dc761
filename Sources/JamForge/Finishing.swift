internal import JamCore
internal import JamKit

/// The last step of a forged sound: it is trimmed, faded and brought to its peak.
enum Finishing {
  /// The end of the sound is cut off below this level, relative to the sound's own peak.
  private static let silence = PortableMath.gain(-78)
  /// In full scale: below this level nobody hears the end of a fade, which would only take memory.
  private static let inaudible = Float(PortableMath.gain(-80))
  private static let fadeInFrames = 10
  /// A fade over 5 ms, so that the cut end does not click.
  private static let lastFrames = 240

  static func finish(_ planes: [[Double]], _ recipe: SoundRecipe) -> Sound {
    let peak = planes.joined().reduce(0) { max($0, abs($1)) }
    let heard = planes.map { plane in (plane.lastIndex { abs($0) > peak * silence } ?? 0) + 1 }.max() ?? 1
    var planes = planes.map { Array($0[..<min(heard, $0.count)]) }
    for index in planes.indices { fade(&planes[index], milliseconds: recipe.fadeMilliseconds) }
    let floats = planes.map { $0.map(Float.init) }
    let truePeak = floats.map { SoundMeasure.truePeak($0) }.max() ?? 0
    let gain = truePeak > 0 ? PortableMath.gain(recipe.peak) / truePeak : 0
    var scaled = planes.map { plane in plane.map { Float($0 * gain) } }
    let audible = audibleFrames(scaled)
    for index in scaled.indices { trim(&scaled[index], to: audible) }
    var interleaved: [Float] = []
    for n in 0..<scaled[0].count { for plane in scaled { interleaved.append(plane[n]) } }
    return Sound(interleaved: interleaved, channels: planes.count, rate: Int(Frames.perSecond))
  }

  private static func audibleFrames(_ planes: [[Float]]) -> Int {
    planes.map { plane in (plane.lastIndex { abs($0) > inaudible } ?? 0) + 1 }.max() ?? 1
  }

  /// Cuts everything behind `count` frames and fades the last of them, if anything was cut.
  private static func trim(_ plane: inout [Float], to count: Int) {
    guard count < plane.count else { return }
    plane.removeLast(plane.count - count)
    let length = min(count, lastFrames)
    for n in 0..<length {
      let place = Double(n + 1) / Double(length)
      plane[count - length + n] *= Float(0.5 + 0.5 * PortableMath.cosine(turns: place / 2))
    }
  }

  private static func fade(_ plane: inout [Double], milliseconds: Double) {
    for n in 0..<min(fadeInFrames, plane.count) { plane[n] *= Double(n) / Double(fadeInFrames) }
    let length = min(plane.count, max(1, Int(milliseconds * 48)))
    for n in 0..<length {
      // Half a cosine: flat at its start and at its end.
      let place = Double(n + 1) / Double(length)
      plane[plane.count - length + n] *= 0.5 + 0.5 * PortableMath.cosine(turns: place / 2)
    }
  }
}
