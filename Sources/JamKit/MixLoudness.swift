import CEbur128

/// The loudness of a whole piece, and its true peak between the frames.
/// - Source: ITU-R BS.1770-4, EBU R 128, by libebur128.
package enum MixLoudness {
  /// - Parameter interleaved: stereo at 48 kHz.
  /// - Returns: the integrated loudness in LUFS and the true peak in dBTP; nil where all is silent,
  ///   and where memory is short.
  ///
  /// Thread: any; not real-time safe.
  package static func measure(_ interleaved: [Float]) -> (integrated: Double, truePeak: Double)? {
    let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    var state = ebur128_init(2, 48_000, Int32(mode))
    guard state != nil else { return nil }
    defer { ebur128_destroy(&state) }
    interleaved.withUnsafeBufferPointer {
      _ = ebur128_add_frames_float(state, $0.baseAddress, $0.count / 2)
    }
    var loudness = -Double.infinity
    ebur128_loudness_global(state, &loudness)
    var peak = 0.0
    for channel in 0..<UInt32(2) {
      var value = 0.0
      ebur128_true_peak(state, channel, &value)
      peak = max(peak, value)
    }
    guard loudness.isFinite, peak > 0 else { return nil }
    return (loudness, PortableMath.decibels(peak))
  }

  /// The loudest 400 ms in LUFS; nil below −70.
  package static func momentaryMaximum(_ interleaved: [Float]) -> Double? {
    Loudness.momentaryMaximum(of: Sound(interleaved: interleaved, channels: 2, rate: 48_000))
  }
}
