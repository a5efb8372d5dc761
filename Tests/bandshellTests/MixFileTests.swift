import Foundation
import Testing

@testable import JamServer

@Suite("The mix of a rendering")
struct MixFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ path: String) throws {
    let mix = try MixFile(path)
    try [Float](repeating: 0.5, count: 960).withUnsafeBufferPointer { samples throws(MixFile.Problem) in
      try mix.append(samples)
    }
    try mix.finish()
  }

  @Test("a file appears when it is whole, with room for the sizes of an RF64")
  func file() throws {
    let path = "\(folder.path)/mix.wav"
    do {
      let mix = try MixFile(path)
      _ = mix
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try write(path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.starts(with: Data("RIFF".utf8)) && bytes.range(of: Data("JUNK".utf8))?.lowerBound == 12)
  }

  @Test("a pipe gets the sound as it comes, and stays one")
  func pipe() throws {
    let path = "\(folder.path)/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    // Open for both, so that neither waits for the other.
    let reader = open(path, O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    try write(path)
    var bytes = [UInt8](repeating: 0, count: 10_000)
    let count = read(reader, &bytes, bytes.count)
    #expect(count > 960 * 4 && bytes.starts(with: Array("RIFF".utf8)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
  }
}
