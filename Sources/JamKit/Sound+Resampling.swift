import JamCore

extension Sound {
  /// Frames that the sound will have at 48 kHz, rounded up.
  package var framesAfterResampling: Int { Sound.frames(frames, at: rate, broughtTo: Int(Frames.perSecond)) }

  /// The sound at 48 kHz; unchanged where it is at 48 kHz already.
  /// - Throws: `KitError` naming `file`, only where memory is short.
  func resampled(named file: String) throws(KitError) -> Sound {
    let engineRate = Int(Frames.perSecond)
    guard rate != engineRate else { return self }
    var resampler = try Resampler(from: rate, channels: channels, named: file)
    var output: [Float] = []
    output.reserveCapacity(framesAfterResampling * channels)
    interleaved.withUnsafeBufferPointer { resampler.resample($0, into: &output) }
    resampler.finish(into: &output)
    guard !output.isEmpty else { throw KitError(file, .empty) }
    return Sound(interleaved: output, channels: channels, rate: engineRate)
  }

  /// The number of frames of a sound of `count` frames at another rate, rounded up.
  static func frames(_ count: Int, at rate: Int, broughtTo other: Int) -> Int {
    rate == other ? count : (count * other + rate - 1) / rate
  }
}
