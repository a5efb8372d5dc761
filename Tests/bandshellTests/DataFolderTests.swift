import Foundation
import JamCommand
@testable import JamServer
import Testing

@testable import bandshell

@Suite("--data")
struct DataFolderTests {
  @Test("a folder that is missing is made, with those above it, and nothing is left in it but the lock")
  func making() throws {
    let temporary = try TemporaryFolder()
    let data = try DataFolder(temporary.path + "/state/data")
    #expect(try FileManager.default.contentsOfDirectory(atPath: data.path) == ["lock"])
  }

  @Test("one that cannot be made or written is an error that names it, what is wrong, and what to do")
  func refusing() throws {
    let temporary = try TemporaryFolder()
    let file = temporary.path + "/file"
    try Data().write(to: URL(filePath: file))
    for (path, cause) in [
      (file, "Not a directory"), (file + "/data", "Not a directory"),
      ("/proc/self", "No such file or directory"),
    ] {
      let error = #expect(throws: StartError.self) { try DataFolder(path) }
      #expect(error?.exitCode == .unavailable)
      #expect(
        error?.text == "nothing can be written into \(path) (\(cause)): name a folder of yours with --data DIR, "
          + "or keep nothing with --data none")
    }
  }
}
