/// The storage format of the samples of a WAV file.
public enum WAVFormat: Hashable, Sendable {
  /// 24-bit integers, the format that studios exchange. Samples are rounded and clipped, without
  /// dither. The error is 146 dB below full scale and below the noise of every converter, silence
  /// stays silent, and two exports of one jam are equal byte by byte.
  case pcm24
  /// 32-bit floats, nothing rounded or clipped.
  case float32

  package var bytesPerSample: Int {
    switch self {
    case .pcm24: 3
    case .float32: 4
    }
  }

  /// Appends samples to the bytes of a file.
  package func append(_ samples: UnsafeBufferPointer<Float>, to bytes: inout [UInt8]) {
    guard let source = samples.baseAddress else { return }
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: samples.count * bytesPerSample))
    bytes.withUnsafeMutableBytes {
      guard var target = $0.baseAddress?.advanced(by: start) else { return }
      for index in 0..<samples.count { store(source[index], at: &target) }
    }
  }

  /// Appends the samples of two channels in turn.
  package func append(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames: Int, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 2 * frames * bytesPerSample))
    bytes.withUnsafeMutableBytes {
      guard var target = $0.baseAddress?.advanced(by: start) else { return }
      for frame in 0..<frames {
        store(left[frame], at: &target)
        store(right[frame], at: &target)
      }
    }
  }

  @inline(__always) private func store(_ sample: Float, at target: inout UnsafeMutableRawPointer) {
    switch self {
    case .float32: target.storeBytes(of: sample.bitPattern.littleEndian, as: UInt32.self)
    case .pcm24:
      let value = WAVFormat.integer24(sample)
      target.storeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian, as: UInt16.self)
      target.storeBytes(of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: 2, as: UInt8.self)
    }
    target += bytesPerSample
  }

  /// Full scale is 2²³; halves are rounded away from zero; NaN becomes silence.
  @inline(__always) static func integer24(_ sample: Float) -> Int32 {
    guard sample == sample else { return 0 }
    let scaled = min(max(Double(sample) * 8_388_608, -8_388_608), 8_388_607)
    // In range: it was bounded.
    return Int32(scaled + (scaled < 0 ? -0.5 : 0.5))
  }
}
