/// How the samples of an exported WAV file are stored.
public enum WAVFormat: Hashable, Sendable {
  /// 24-bit integers: what studios exchange. Samples are rounded and clipped, without dither: the
  /// error is 146 dB below full scale and below the noise of every converter, silence stays silent,
  /// and two exports of one jam are equal byte by byte.
  case pcm24
  /// 32-bit floats, nothing rounded or clipped.
  case float32

  var bytesPerSample: Int {
    switch self {
    case .pcm24: 3
    case .float32: 4
    }
  }

  /// Writes samples to memory that holds them.
  func store(_ samples: UnsafeBufferPointer<Float>, to bytes: UnsafeMutableRawBufferPointer) {
    var place = 0
    for sample in samples {
      switch self {
      case .float32: bytes.storeBytes(of: sample.bitPattern.littleEndian, toByteOffset: place, as: UInt32.self)
      case .pcm24:
        let value = WAVFormat.integer24(sample)
        bytes[place] = UInt8(truncatingIfNeeded: value)
        bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8)
        bytes[place + 2] = UInt8(truncatingIfNeeded: value >> 16)
      }
      place += bytesPerSample
    }
  }

  /// Full scale is 2²³; what is not a number is silence.
  static func integer24(_ sample: Float) -> Int32 {
    guard sample == sample else { return 0 }
    return Int32(min(max((Double(sample) * 8_388_608).rounded(), -8_388_608), 8_388_607))
  }
}
