import CEbur128

/// How loud sounds are to people.
/// - Source: ITU-R BS.1770-4, EBU Tech 3341 §2.2, by libebur128.
enum Loudness {
  /// In LUFS (BS.1770-4 annex 1).
  private static let absoluteGate = -70.0

  /// The loudest 400 ms, in LUFS; shorter sounds count as followed by silence. Nil below −70
  /// LUFS, where BS.1770 hears nothing, and for want of memory.
  ///
  /// Thread: any; not real-time safe.
  static func momentaryMaximum(of sound: Sound) -> Double? {
    var state = ebur128_init(UInt32(sound.channels), UInt(sound.rate), Int32(EBUR128_MODE_M.rawValue))
    guard state != nil else { return nil }
    defer { ebur128_destroy(&state) }
    // Every 10 ms, so that the loudest place is hit to a hundredth of a unit.
    let step = sound.rate / 100
    var loudest = -Double.infinity
    sound.interleaved.withUnsafeBufferPointer { values in
      for start in stride(from: 0, to: sound.frames, by: step) {
        let count = min(step, sound.frames - start)
        ebur128_add_frames_float(state, values.baseAddress! + start * sound.channels, count)
        var now = -Double.infinity
        ebur128_loudness_momentary(state, &now)
        loudest = max(loudest, now)
      }
    }
    return loudest >= absoluteGate ? loudest : nil
  }
}
