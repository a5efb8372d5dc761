import CSndfile
import Glibc

/// A container and an encoding, as libsndfile numbers them.
package struct SoundFormat: Hashable, Sendable {
  let code: Int

  package static let flac16 = SoundFormat(code: SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
  static let flac24 = SoundFormat(code: SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
  static let opus = SoundFormat(code: SF_FORMAT_OGG | SF_FORMAT_OPUS)

  /// The formats that users may bring along, in words.
  static let readable = "WAV, AIFF, FLAC, Ogg (Vorbis or Opus), MP3, CAF, AU or W64"

  /// Whether libsndfile can write this format with these figures.
  func carries(channels: Int, rate: Int) -> Bool {
    var info = SF_INFO()
    info.samplerate = Int32(clamping: rate)
    info.channels = Int32(channels)
    info.format = Int32(truncatingIfNeeded: code)
    // FLAC has limits that the library does not check: above 65,535 Hz a frame's header counts the
    // rate in tens (RFC 9639 §9.1.2).
    let isFLAC = code & SF_FORMAT_TYPEMASK == SF_FORMAT_FLAC
    let fitsFLAC = rate <= 65_535 || rate <= 655_350 && rate.isMultiple(of: 10)
    return sf_format_check(&info) != 0 && (!isFLAC || fitsFLAC)
  }
}

extension Sound {
  /// The sound as a FLAC file at its own rate, or at 48 kHz where FLAC cannot carry that rate.
  /// - Parameter file: the path that errors name.
  package func flac(named file: String) throws(KitError) -> [UInt8] {
    let format = depth == .sixteen ? SoundFormat.flac16 : .flac24
    guard format.carries(channels: channels, rate: rate) else {
      return try resampled(named: file).encoded(format, named: file)
    }
    return try encoded(format, named: file)
  }

  /// The sound as Ogg Opus, of exactly as many frames, for a browser that plays it itself.
  /// - Parameter file: the path that errors name.
  package func opus(named file: String) throws(KitError) -> [UInt8] {
    // libsndfile's scale for Opus leads from 256 (0) to 6 kbit/s (1) for each channel.
    let bitrate = channels == 1 ? Sound.monoBitrate : Sound.stereoBitrate / 2
    return try encoded(.opus, named: file, effort: (256 - bitrate) / 250)
  }

  /// Kilobits per second, about: the rate varies with the sound. The largest kit that comes with
  /// the program takes 1.4 MB.
  private static let monoBitrate = 64.0
  private static let stereoBitrate = 96.0

  /// The sound as a file. Values beyond ±1 are clipped. Nothing is dithered, so that the same sound
  /// always gives the same values.
  /// - Parameters:
  ///   - file: the path that errors name.
  ///   - effort: 1 makes the smallest file, as for kits in version control; 0 is the quickest. Of
  ///     Opus it sets the bitrate.
  package func encoded(_ format: SoundFormat, named file: String, effort: Double = 1) throws(KitError) -> [UInt8] {
    var target = GrowingFile()
    let failure = withUnsafeMutablePointer(to: &target) { target -> String? in
      var info = SF_INFO()
      info.samplerate = Int32(clamping: rate)
      info.channels = Int32(channels)
      info.format = Int32(truncatingIfNeeded: format.code)
      var calls = GrowingFile.calls
      let handle: OpaquePointer
      switch SoundFileOpening.open({ sf_open_virtual(&calls, Int32(SFM_WRITE), &info, target) }) {
      case .opened(let opened): handle = opened
      case .failed(let cause): return cause
      }
      var effort = effort
      sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &effort, Int32(MemoryLayout<Double>.size))
      sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
      let written = write(to: handle, format)
      let cause = written == frames ? nil : String(cString: sf_strerror(handle))
      return sf_close(handle) == 0 ? cause : cause ?? "it cannot be closed"
    }
    if let failure { throw KitError(file, .unwritable(cause: failure)) }
    return target.bytes
  }

  private func write(to handle: OpaquePointer, _ format: SoundFormat) -> Int {
    switch format {
    case .flac16: Int(sf_writef_int(handle, fixedPoint(.sixteen), sf_count_t(frames)))
    case .flac24: Int(sf_writef_int(handle, fixedPoint(.twentyFour), sf_count_t(frames)))
    default: Int(sf_writef_float(handle, interleaved, sf_count_t(frames)))
    }
  }

  /// Values at the upper end of 32 bits, as libsndfile expects them, rounded to the nearest step.
  private func fixedPoint(_ depth: Depth) -> [Int32] {
    let steps = Float(1 << (depth.rawValue - 1))
    return interleaved.map { value in
      Sound.step(value, steps) << Int32(32 - depth.rawValue)
    }
  }

  /// Rounds to the nearest of `steps` to either side, a half away from 0, and clips at the ends. It
  /// computes in double precision, where adding the half is exact. The library's own rounding would
  /// be a call for each value.
  @inline(__always) static func step(_ value: Float, _ steps: Float) -> Int32 {
    let place = Double(value) * Double(steps)
    let bounded = min(max(place + (place < 0 ? -0.5 : 0.5), -Double(steps)), Double(steps) - 1)
    return Int32(bounded)
  }
}

private func growingFile(_ user: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<GrowingFile> {
  // libsndfile passes back the pointer that `encoded` gave it.
  user.unsafelyUnwrapped.assumingMemoryBound(to: GrowingFile.self)
}

/// Memory that libsndfile writes as a file.
private struct GrowingFile {
  private(set) var bytes: [UInt8] = []
  fileprivate private(set) var position = 0

  static var calls: SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(growingFile($0).pointee.bytes.count) },
      seek: { offset, whence, user in growingFile(user).pointee.seek(Int(offset), whence) },
      read: { _, _, _ in 0 },
      write: { source, count, user in growingFile(user).pointee.write(source, Int(count)) },
      tell: { sf_count_t(growingFile($0).pointee.position) })
  }

  fileprivate mutating func seek(_ offset: Int, _ whence: Int32) -> sf_count_t {
    let origin = whence == SEEK_CUR ? position : whence == SEEK_END ? bytes.count : 0
    position = max(0, origin + offset)
    return sf_count_t(position)
  }

  fileprivate mutating func write(_ source: UnsafeRawPointer?, _ count: Int) -> sf_count_t {
    guard let source, count > 0 else { return 0 }
    if bytes.count < position + count {
      bytes.append(contentsOf: repeatElement(0, count: position + count - bytes.count))
    }
    bytes.withUnsafeMutableBytes { $0.baseAddress?.advanced(by: position).copyMemory(from: source, byteCount: count) }
    position += count
    return sf_count_t(count)
  }
}
