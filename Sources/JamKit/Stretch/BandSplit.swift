/// A low-pass filter with linear phase. Because of that phase, the sound minus the filtered sound
/// is exactly the part above the frequency.
struct BandSplit: ~Copyable {
  private static let size = 4_096
  /// The filter's reach to either side of a value, in frames: 10 ms.
  private static let reach = 480
  private let transform = FourierTransform(size: size)
  /// The filter's spectrum, which is real because the filter is even.
  private let response: [Float]

  /// - Parameter hertz: the frequency where the filter lets half of the amplitude through.
  /// - Parameter rate: frames per second.
  init(below hertz: Double, rate: Int) {
    let turns = hertz / Double(rate)
    for n in 0..<Self.size { (transform.real[n], transform.imaginary[n]) = (0, 0) }
    var taps = (0...Self.reach).map { n -> Double in
      let place = Double(n)
      let part = place / Double(2 * Self.reach + 2)
      // A Blackman window: the rejected frequencies lie below −74 dB.
      let shape = 0.42 + 0.5 * PortableMath.cosine(turns: part) + 0.08 * PortableMath.cosine(turns: 2 * part)
      return shape * (n == 0 ? 2 * turns : PortableMath.sine(turns: turns * place) / (3.141_592_653_589_793 * place))
    }
    let sum = taps[0] + 2 * taps.dropFirst().reduce(0, +)
    taps = taps.map { $0 / sum }
    for n in 0...Self.reach {
      transform.real[transform.place(of: n)] = Float(taps[n])
      transform.real[transform.place(of: (Self.size - n) % Self.size)] = Float(taps[n])
    }
    transform.run()
    response = (0..<Self.size).map { [real = transform.real] in real[$0] / Float(Self.size) }
  }

  /// The part of the sound below the frequency, for each channel.
  /// - Parameter goesRound: the sound is a loop, so its last frame lies in front of the first.
  func low(of sound: Sound, goesRound: Bool) -> Sound {
    var low = sound
    let channels = sound.channels
    let step = Self.size - 2 * Self.reach
    var start = 0
    while start < sound.frames {
      for n in 0..<Self.size {
        let place = transform.place(of: n)
        var frame = start - Self.reach + n
        if goesRound { frame = (frame % sound.frames + sound.frames) % sound.frames }
        let isWithin = frame >= 0 && frame < sound.frames
        transform.real[place] = isWithin ? sound.audible(frame, 0) : 0
        transform.imaginary[place] = isWithin && channels > 1 ? sound.audible(frame, 1) : 0
      }
      transform.run()
      let spectrum = response.indices.map {
        (transform.real[$0] * response[$0], transform.imaginary[$0] * response[$0])
      }
      for (bin, value) in spectrum.enumerated() {
        let place = transform.place(of: bin)
        (transform.imaginary[place], transform.real[place]) = value
      }
      transform.run()
      for n in 0..<min(step, sound.frames - start) {
        low.interleaved[(start + n) * channels] = transform.imaginary[n + Self.reach]
        if channels > 1 { low.interleaved[(start + n) * channels + 1] = transform.real[n + Self.reach] }
      }
      start += step
    }
    return low
  }
}
