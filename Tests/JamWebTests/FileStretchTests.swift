import Foundation
import Testing

@testable import JamWeb

@Suite("Ranges of a file")
struct FileStretchTests {
  @Test(
    "the range that a header asks for",
    arguments: [
      ("bytes=0-9", 0..<10), ("bytes=10-", 10..<100), ("bytes=-10", 90..<100), ("bytes=-1000", 0..<100),
      ("bytes=95-1000", 95..<100), ("bytes=100-", 100..<100), ("bytes=500-600", 100..<100), ("bytes=-0", 0..<0),
      ("bytes=0-9223372036854775807", 0..<100), ("BYTES=1-1", 1..<2),
    ])
  func bounds(header: String, range: Range<Int>) { #expect(FileStretch.bounds(header, of: 100) == range) }

  @Test(
    "what is none, or several, gets the whole file",
    arguments: [
      "bytes=", "bytes=-", "bytes=9-0", "bytes=0-1,5-6", "lines=0-9", "bytes=a-b", "bytes=99999999999999999999-",
      "bytes=0-99999999999999999999", "bytes=--1", "0-9",
    ])
  func none(header: String) { #expect(FileStretch.bounds(header, of: 100) == nil) }

  @Test("whoever goes on with a file that is another one by now gets it whole, and who has it gets nothing")
  func conditions() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "stretch-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 1, count: 100).write(to: URL(filePath: path))
    func answer(_ conditions: FileStretch.Conditions, name: String = "a.wav") -> Response {
      FileStretch.response(TakeDownload(path: path, name: name, mediaType: "audio/wav"), conditions)
    }
    func tag(_ response: Response) -> String? { response.headers.first { $0.0 == "ETag" }?.1 }
    let first = try #require(tag(answer(.init())))
    #expect(answer(.init(range: "bytes=10-", ifRange: first)).status == .partialContent)
    #expect(answer(.init(ifNoneMatch: first)).status == .notModified)
    // Its take was renamed: who has the file learns what it is called now.
    let renamed = answer(.init(ifNoneMatch: first), name: "b.wav")
    let disposition = renamed.headers.first { $0.0 == "Content-Disposition" }?.1
    #expect(renamed.status == .notModified && disposition?.hasSuffix("b.wav") == true)
    try FileManager.default.removeItem(atPath: path)
    try Data(repeating: 2, count: 100).write(to: URL(filePath: path))
    let second = answer(.init(range: "bytes=10-", ifRange: first, ifNoneMatch: first))
    #expect(second.status == .ok && tag(second) != first)
    #expect(answer(.init(range: "bytes=10-")).status == .partialContent)
  }
}
