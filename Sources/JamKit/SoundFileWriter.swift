import CSndfile
import Glibc

/// Writes a sound of 48 kHz and two channels piece by piece, of any length. Until `finish` the file
/// is called `NAME.part`. A writer that is dropped before `finish` removes the file.
///
/// Thread: one at a time; blocks on the disk.
package final class SoundFileWriter {
  package enum Format: Hashable, Sendable {
    /// 24 bits.
    case flac
    /// Ogg Opus, 160 kbit/s.
    case opus
  }

  private let path: String
  private var handle: OpaquePointer?
  private var part: String { path + ".part" }

  /// On libsndfile's scale for Opus, which covers 6…256 kbit/s for each channel.
  private static let opusQuality = 0.296

  package init(_ path: String, _ format: Format) throws(KitError) {
    self.path = path
    var info = SF_INFO()
    info.samplerate = 48_000
    info.channels = 2
    let code = format == .flac ? SF_FORMAT_FLAC | SF_FORMAT_PCM_24 : SF_FORMAT_OGG | SF_FORMAT_OPUS
    info.format = Int32(truncatingIfNeeded: code)
    switch SoundFileOpening.open({ sf_open(path + ".part", Int32(SFM_WRITE), &info) }) {
    case .opened(let opened): handle = opened
    case .failed(let cause): throw KitError(path, .unwritable(cause: cause))
    }
    sf_command(handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
    if format == .opus {
      var quality = SoundFileWriter.opusQuality
      sf_command(handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
    }
  }

  deinit {
    guard let handle else { return }
    sf_close(handle)
    unlink(part)
  }

  /// - Parameter samples: both channels in turn.
  package func append(_ samples: UnsafeBufferPointer<Float>) throws(KitError) {
    let frames = samples.count / 2
    guard sf_writef_float(handle, samples.baseAddress, sf_count_t(frames)) == frames else {
      throw KitError(path, .unwritable(cause: String(cString: sf_strerror(handle))))
    }
  }

  /// Gives the file its final name.
  package func finish() throws(KitError) {
    defer { handle = nil }
    guard sf_close(handle) == 0, rename(part, path) == 0 else {
      unlink(part)
      throw KitError(path, .unwritable(cause: String(cString: strerror(errno))))
    }
  }
}
