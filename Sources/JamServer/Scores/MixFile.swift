import Glibc
import JamCore
import JamExport
import JamStream

/// The mix of `bandshell render`. A file appears when it is complete, and may have any length. A
/// pipe or a device gets the sound while it is rendered.
///
/// Thread: any, but one at a time; blocks on the disk.
final class MixFile {
  struct Problem: Error {
    let text: String
  }

  private var file: WAVFileWriter?
  private var stream: WAVWriter?

  init(_ path: String) throws(Problem) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG, status.st_mode & S_IFMT != S_IFDIR {
      do throws(StreamError) { stream = try WAVWriter(path: path, format: .float32) } catch { throw Problem(error) }
    } else {
      do throws(ExportError) { file = try WAVFileWriter(path: path, format: .float32) } catch { throw Problem(error) }
    }
  }

  func append(_ buffer: UnsafeBufferPointer<Float>) throws(Problem) {
    do throws(ExportError) { try file?.append(buffer) } catch { throw Problem(error) }
    do throws(StreamError) { try stream?.append(buffer) } catch { throw Problem(error) }
  }

  func finish() throws(Problem) {
    if let file = file.take() {
      do throws(ExportError) { try file.finish() } catch { throw Problem(error) }
    }
    if let stream = stream.take() {
      do throws(StreamError) { try stream.finish() } catch { throw Problem(error) }
    }
  }
}

extension MixFile.Problem {
  init(_ error: some Error) { text = "\(error)" }
}
