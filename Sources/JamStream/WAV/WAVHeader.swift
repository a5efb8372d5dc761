/// The header of a WAV file at 48 kHz, with its number of channels and frames.
///
/// - Source: Multimedia Programming Interface and Data Specifications 1.0 (RIFF); RFC 2361 for the
///   float format's tag. 24-bit samples in two channels at most need no WAVE_FORMAT_EXTENSIBLE in
///   practice, and every program reads them without.
public struct WAVHeader: Hashable, Sendable {
  public enum Format: Hashable, Sendable {
    /// 24-bit integers, the format that studios exchange.
    case pcm24
    /// 32-bit floats, nothing rounded or clipped.
    case float32

    public var bytesPerSample: Int {
      switch self {
      case .pcm24: 3
      case .float32: 4
      }
    }
  }

  public var format: Format
  public var channels: Int
  /// Limited to RIFF's range: 4 GiB of file at most.
  public var frameCount: Int64

  public init(format: Format = .pcm24, channels: Int = 2, frameCount: Int64) {
    self.format = format
    self.channels = channels
    self.frameCount = frameCount
  }

  public var bytesPerFrame: Int { format.bytesPerSample * channels }
  /// Bytes of sound, without a pad byte.
  public var dataBytes: Int64 { frameCount * Int64(bytesPerFrame) }
  /// The bytes of the whole file.
  public var fileBytes: Int64 { Int64(bytes.count) + dataBytes + dataBytes % 2 }

  /// Everything up to the sound: 44 bytes, or 58 for floats.
  public var bytes: [UInt8] {
    let isFloat = format == .float32
    var header: [UInt8] = []
    let headerBytes: Int64 = isFloat ? 58 : 44
    header.append(contentsOf: "RIFF".utf8)
    header.append(littleEndian: UInt32(clamping: headerBytes - 8 + dataBytes + dataBytes % 2))
    header.append(contentsOf: "WAVEfmt ".utf8)
    header.append(littleEndian: UInt32(isFloat ? 18 : 16))
    header.append(littleEndian: UInt16(isFloat ? 3 : 1))
    header.append(littleEndian: UInt16(channels))
    header.append(littleEndian: UInt32(48_000))
    header.append(littleEndian: UInt32(48_000 * bytesPerFrame))
    header.append(littleEndian: UInt16(bytesPerFrame))
    header.append(littleEndian: UInt16(format.bytesPerSample * 8))
    if isFloat {
      // Formats other than PCM carry an extension size and a fact chunk.
      header.append(littleEndian: UInt16(0))
      header.append(contentsOf: "fact".utf8)
      header.append(littleEndian: UInt32(4))
      header.append(littleEndian: UInt32(clamping: frameCount))
    }
    header.append(contentsOf: "data".utf8)
    header.append(littleEndian: UInt32(clamping: dataBytes))
    return header
  }

  /// Appends interleaved samples to `output` in the file's format; integers are rounded and
  /// clipped.
  public func append(_ samples: UnsafeBufferPointer<Float>, to output: inout [UInt8]) {
    let start = output.count
    let count = samples.count * format.bytesPerSample
    output.append(contentsOf: repeatElement(0, count: count))
    output.withUnsafeMutableBytes { bytes in
      var place = start
      for sample in samples {
        switch format {
        case .float32:
          bytes.storeBytes(of: sample.bitPattern.littleEndian, toByteOffset: place, as: UInt32.self)
        case .pcm24:
          let value = WAVHeader.integer24(sample)
          bytes[place] = UInt8(truncatingIfNeeded: value)
          bytes[place + 1] = UInt8(truncatingIfNeeded: value >> 8)
          bytes[place + 2] = UInt8(truncatingIfNeeded: value >> 16)
        }
        place += format.bytesPerSample
      }
    }
  }

  /// Full scale is 2²³; NaN becomes silence.
  static func integer24(_ sample: Float) -> Int32 {
    guard sample == sample else { return 0 }
    let scaled = Double(sample) * 8_388_608
    // Finite: it is not NaN, and it is bounded.
    return Int32(min(max(scaled.rounded(), -8_388_608), 8_388_607))
  }
}
