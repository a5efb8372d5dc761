import Glibc
import JamCore
import JamNet
import NIOCore
import NIOHTTP1

/// A stretch of a file, sent piece by piece as the asker takes it.
struct FileStretch: PieceSource {
  /// Closes the file with the last who reads it.
  private final class Handle: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  private let handle: Handle
  private var at: Int
  private let end: Int

  private static let pieceBytes = 64 << 10

  /// What a request wants of a file.
  struct Conditions {
    var range: String?
    /// The file of which the asker has the rest; of another one the range is of no use.
    var ifRange: String?
    /// What the asker has already.
    var ifNoneMatch: String?

    init(range: String? = nil, ifRange: String? = nil, ifNoneMatch: String? = nil) {
      self.range = range
      self.ifRange = ifRange
      self.ifNoneMatch = ifNoneMatch
    }

    init(_ headers: HTTPHeaders) {
      self.init(
        range: headers["range"].first, ifRange: headers["if-range"].first, ifNoneMatch: headers["if-none-match"].first)
    }
  }

  mutating func next(allocator: ByteBufferAllocator) -> ByteBuffer? {
    let count = min(FileStretch.pieceBytes, end - at)
    guard count > 0 else { return nil }
    var buffer = allocator.buffer(capacity: count)
    let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
      max(0, pread(handle.descriptor, bytes.baseAddress, count, off_t(at)))
    }
    guard read > 0 else { return nil }
    at += read
    return buffer
  }

  /// The file, or the one range of it that is asked for. Several ranges, or what is none, get the whole file.
  /// - Source: RFC 9110, 13 and 14.
  static func response(_ download: TakeDownload, _ conditions: Conditions) -> Response {
    let descriptor = open(download.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .text(.notFound, "\(download.name) is not there any more") }
    let handle = Handle(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .text(.notFound, "\(download.name) cannot be read") }
    let size = Int(status.st_size)
    let name = PercentEncoding.encoded(download.name)
    // A file that is made anew is another one.
    let tag = "\"\(status.st_ino)-\(size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\""
    let disposition = ("Content-Disposition", "inline; filename*=UTF-8''\(name)")
    // The name may be another one than the asker knows: a cache takes it over (RFC 9111, 3.2).
    if conditions.ifNoneMatch?.contains(tag) ?? false {
      return Response(.notModified, headers: [("ETag", tag), disposition])
    }
    var headers: [(String, String)] = [
      ("Content-Type", download.mediaType), ("Cache-Control", "no-cache"), ("Accept-Ranges", "bytes"), ("ETag", tag),
      ("Last-Modified", HTTPDate.text(status.st_mtim.tv_sec)),
      disposition,
    ]
    let isOfThis = conditions.ifRange.map { $0 == tag } ?? true
    guard isOfThis, let wanted = conditions.range.flatMap({ bounds($0, of: size) }) else {
      return Response(
        headers: headers, body: .pieces(FileStretch(handle: handle, at: 0, end: size), length: size))
    }
    guard wanted.lowerBound < wanted.upperBound else {
      return .text(
        .rangeNotSatisfiable, "the file has \(size) bytes", headers: [("Content-Range", "bytes */\(size)")])
    }
    headers.append(("Content-Range", "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(size)"))
    return Response(
      .partialContent, headers: headers,
      body: .pieces(FileStretch(handle: handle, at: wanted.lowerBound, end: wanted.upperBound), length: wanted.count))
  }

  /// The bytes that a header asks for; empty where it asks for what is beyond the end. Nil where it is none that is known.
  static func bounds(_ header: String, of size: Int) -> Range<Int>? {
    guard header.lowercased().hasPrefix("bytes=") else { return nil }
    let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }) else { return nil }
    switch (Int(parts[0]), Int(parts[1])) {
    case (nil, let last?) where parts[0].isEmpty:
      return last == 0 ? 0..<0 : Range(from: size - min(size, last), to: size)
    case (let first?, nil) where parts[1].isEmpty: return Range(from: min(first, size), to: size)
    case (let first?, let last?):
      guard first <= last else { return nil }
      return Range(from: min(first, size), to: min(size, last &+ 1 > last ? last &+ 1 : last))
    default: return nil
    }
  }
}
