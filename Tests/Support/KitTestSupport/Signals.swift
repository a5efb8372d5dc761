package import JamKit

extension Sound {
  /// A sine of `hertz` at a third of full scale; on the right side, where there is one, half as loud.
  package static func tone(_ hertz: Double = 440, seconds: Double = 0.25, channels: Int = 1, rate: Int = 48_000)
    -> Sound
  {
    let frames = Int(seconds * Double(rate))
    var interleaved: [Float] = []
    interleaved.reserveCapacity(frames * channels)
    for n in 0..<frames {
      let value = Float(PortableMath.sine(turns: hertz * Double(n) / Double(rate)) / 3)
      interleaved.append(value)
      if channels == 2 { interleaved.append(value / 2) }
    }
    return Sound(interleaved: interleaved, channels: channels, rate: rate)
  }

  /// A tone without clicks at its ends, of which `kits check` has nothing to say.
  package static func faded(_ hertz: Double = 440, seconds: Double = 0.25, channels: Int = 1, rate: Int = 48_000)
    -> Sound
  {
    var sound = tone(hertz, seconds: seconds, channels: channels, rate: rate)
    sound.fadeIn(milliseconds: 5)
    sound.fadeOut(milliseconds: 5)
    return sound
  }

  package func file(_ format: SoundFormat = .flac16) throws -> [UInt8] { try encoded(format, named: "test") }

  package func plane(_ channel: Int) -> [Float] {
    stride(from: channel, to: interleaved.count, by: channels).map { interleaved[$0] }
  }
}

/// How high a steady tone of nearly `hertz` really is: by how far its phase turns between two windows.
package func pitch(of plane: [Float], near hertz: Double, rate: Double = 48_000) -> Double {
  let window = plane.count / 4
  let first = plane.count / 8
  let distance = plane.count / 2
  let turned =
    phase(plane[(first + distance)...].prefix(window), hertz, rate) - phase(plane[first...].prefix(window), hertz, rate)
  let expected = hertz * Double(distance) / rate
  let error = turned - expected
  return hertz + (error - error.rounded()) / (Double(distance) / rate)
}

/// In turns, of the part of `hertz` in a Hann window.
private func phase(_ plane: ArraySlice<Float>, _ hertz: Double, _ rate: Double) -> Double {
  var re = 0.0
  var im = 0.0
  for (n, value) in plane.enumerated() {
    let window = 0.5 - 0.5 * PortableMath.cosine(turns: Double(n) / Double(plane.count))
    re += Double(value) * window * PortableMath.cosine(turns: hertz * Double(n) / rate)
    im -= Double(value) * window * PortableMath.sine(turns: hertz * Double(n) / rate)
  }
  return angle(re, im)
}

/// The angle of a vector, in turns, by halving.
private func angle(_ re: Double, _ im: Double) -> Double {
  var low = -0.5
  var high = 0.5
  // Where the vector, turned back by the angle, lies on the positive real axis.
  for _ in 0..<60 {
    let middle = (low + high) / 2
    let across = im * PortableMath.cosine(turns: middle) - re * PortableMath.sine(turns: middle)
    let along = re * PortableMath.cosine(turns: middle) + im * PortableMath.sine(turns: middle)
    let isAbove = across > 0 || (across == 0 && along < 0)
    if isAbove { low = middle } else { high = middle }
  }
  return (low + high) / 2
}
