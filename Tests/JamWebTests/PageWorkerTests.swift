import Foundation
import NIOCore
import Testing

@testable import JamWeb

@Suite struct PageWorkerTests {
  /// The line in front of the worker, as JSON.
  private func files() throws -> [String: String] {
    let worker = try text(of: PageWorker.path)
    let line = try #require(worker.split(separator: "\n").first)
    let end = try #require(line.firstIndex(of: "}"))
    let begin = try #require(line.firstIndex(of: "{"))
    return try JSONDecoder().decode([String: String].self, from: Data(line[begin...end].utf8))
  }

  @Test("the worker names every other file of the page with its tag, so that it keeps these and no others")
  func everyFile() throws {
    let files = try files()
    #expect(Set(files.keys) == Set(Asset.all.map(\.path)).subtracting([PageWorker.path]))
    for asset in Asset.all where asset.path != PageWorker.path {
      #expect(files[asset.path].map { "\"\($0)\"" } == asset.tag, "\(asset.path)")
    }
  }

  @Test("one other byte in one file is another worker, so that browsers replace the old one")
  func otherFiles() {
    let script = Asset(path: "/a.js", contentType: "text/javascript", bytes: Array("a".utf8))
    let worker = Asset(path: PageWorker.path, contentType: "text/javascript", bytes: Array("// code\n".utf8))
    let changed = Asset(path: "/a.js", contentType: "text/javascript", bytes: Array("b".utf8))
    let first = PageWorker.told(of: [script, worker])[1]
    let second = PageWorker.told(of: [changed, worker])[1]
    #expect(first.tag != second.tag)
    #expect(first.tag == PageWorker.told(of: [worker, script])[0].tag, "the order of files says nothing")
    #expect(String(buffer: first.bytes).hasSuffix("// code\n"))
    #expect(String(buffer: first.bytes).hasPrefix("self.FILES = {\"/a.js\": \(script.tag)}; self.VERSION = "))
  }

  @Test("a browser gets the worker as a script of the whole server, and asks for it anew each time")
  func served() async throws {
    try await serving { port in
      let answer = try RawClient(port: port).ask("GET", PageWorker.path)
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "text/javascript; charset=utf-8")
      #expect(answer.headers["cache-control"] == "no-cache")
      #expect(answer.headers["content-security-policy"]?.contains("connect-src 'self'") == true)
      #expect(answer.text.hasPrefix("self.FILES = {"))
    }
  }
}
