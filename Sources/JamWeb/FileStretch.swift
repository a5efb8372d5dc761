import Glibc
import JamCore
import JamNet
import NIOCore
import NIOHTTP1

/// A part of a file, sent piece by piece at the pace of the client.
struct FileStretch: PieceSource {
  /// Closes the file when its last reader is gone.
  private final class Handle: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  private let handle: Handle
  private var at: Int
  private let end: Int

  private static let pieceBytes = 64 << 10

  /// The conditions of a request for a file.
  struct Conditions {
    var range: String?
    /// The tag of the file that the client has a part of. For any other file the range is ignored.
    var ifRange: String?
    /// The tags of the files that the client has already.
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

  /// The file, or the one range that the request asks for. A request for several ranges, or with a
  /// bad range, gets the whole file.
  /// - Source: RFC 9110 §13 and §14.
  static func response(_ download: TakeDownload, _ conditions: Conditions) -> Response {
    let descriptor = open(download.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .text(.notFound, "\(download.name) is not there any more") }
    let handle = Handle(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .text(.notFound, "\(download.name) cannot be read") }
    let size = Int(status.st_size)
    let name = PercentEncoding.encoded(download.name)
    // A file that is made again gets another tag.
    let tag = "\"\(status.st_ino)-\(size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\""
    let disposition = ("Content-Disposition", "inline; filename*=UTF-8''\(name)")
    // The take may have a new name. A cache replaces the old name by this one (RFC 9111 §3.2).
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

  /// The bytes that a `Range` header asks for; empty where they are beyond the end. Nil where the
  /// header is not a single range of bytes.
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
