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
}
