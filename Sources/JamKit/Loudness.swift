import CEbur128

/// The perceived loudness of sounds as they are played: a mono sound goes to both sides.
/// - Source: ITU-R BS.1770-4, EBU Tech 3341 §2.2, by libebur128.
package enum Loudness {
  /// In LUFS (BS.1770-4 annex 1).
  private static let absoluteGate = -70.0

  /// The loudest 400 ms, in LUFS; shorter sounds count as followed by silence. Nil below −70 LUFS,
  /// where BS.1770 hears nothing, and where memory is short.
  ///
  /// Thread: any; not real-time safe.
  package static func momentaryMaximum(of sound: Sound) -> Double? {
    guard var state = meter(of: sound, EBUR128_MODE_M) else { return nil }
    defer { destroy(&state) }
    // Every 10 ms, so that the result is exact to a hundredth of a unit.
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

  /// The whole sound's loudness, in LUFS, with BS.1770's gates: passages far below the rest do not
  /// count. Nil where all of it is below −70 LUFS, and where memory is short.
  ///
  /// Thread: any; not real-time safe.
  package static func integrated(of sound: Sound) -> Double? {
    guard var state = meter(of: sound, EBUR128_MODE_I) else { return nil }
    defer { destroy(&state) }
    var loudness = -Double.infinity
    sound.interleaved.withUnsafeBufferPointer { values in
      if let base = values.baseAddress { ebur128_add_frames_float(state, base, sound.frames) }
    }
    ebur128_loudness_global(state, &loudness)
    return loudness >= absoluteGate ? loudness : nil
  }

  private static func meter(of sound: Sound, _ mode: CEbur128.mode) -> UnsafeMutablePointer<ebur128_state>? {
    let state = ebur128_init(UInt32(sound.channels), UInt(sound.rate), Int32(mode.rawValue))
    // Played on two sides, one channel is 3.01 LU louder than BS.1770 counts it.
    if let state, sound.channels == 1 { ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    return state
  }

  private static func destroy(_ state: inout UnsafeMutablePointer<ebur128_state>) {
    var state: UnsafeMutablePointer<ebur128_state>? = state
    ebur128_destroy(&state)
  }
}
