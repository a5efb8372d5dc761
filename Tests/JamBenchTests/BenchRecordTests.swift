import Foundation
import Testing

@testable import JamBench

@Suite("bench record")
struct BenchRecordTests {
  /// 2026-11-28, 04:12:33 UTC.
  private static let moment = 1_795_839_153

  private func record(_ source: BenchSource, load: Double? = 0.25) -> BenchRecord {
    var report = BenchReport(name: "osc", machine: "a \"test\"")
    report.rows = [
      BenchRow("hits in bursts", unit: "1/s", values: [120, 90, 100], target: .atLeast(100)),
      BenchRow("  lost", unit: "", values: [.nan]),
    ]
    report.notes = ["One.", "Two."]
    return BenchRecord(
      report: report, options: ["--part", "mix"], secondsSince1970: Self.moment, source: source, load: load, cores: 2)
  }

  @Test("a record is one JSON object, with the commit that was measured, the machine and its load")
  func json() throws {
    let text = record(.commit("1a2b3c4d", isDirty: true)).json
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["bench"] as? String == "osc")
    #expect(object["options"] as? [String] == ["--part", "mix"])
    #expect(object["date"] as? String == "2026-11-28" && object["time"] as? String == "04:12:33")
    #expect(object["commit"] as? String == "1a2b3c4d" && object["dirty"] as? Bool == true)
    #expect(object["machine"] as? String == "a \"test\"" && object["cores"] as? Int == 2)
    #expect(object["load"] as? Double == 0.25)
    #expect(object["notes"] as? [String] == ["One.", "Two."])
    let rows = try #require(object["rows"] as? [[String: Any]])
    #expect(rows.map { $0["key"] as? String } == ["hits in bursts", "hits in bursts / lost"])
    #expect(rows[0]["median"] as? Double == 100 && rows[0]["min"] as? Double == 90 && rows[0]["max"] as? Double == 120)
    #expect(rows[0]["target"] as? [String: Double] == ["atLeast": 100] && rows[0]["met"] as? Bool == true)
    #expect(rows[1]["median"] is NSNull && rows[1]["target"] == nil)
    // A row on each line: a difference of two records can be read.
    #expect(text.split(separator: "\n").count { $0.contains("\"key\"") } == 2)
  }

  @Test("where git knows no commit, the record says null and why")
  func unknown() throws {
    let text = record(.unknown(reason: "no git"), load: nil).json
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(object["commit"] is NSNull && object["unknown"] as? String == "no git" && object["dirty"] == nil)
    #expect(object["load"] is NSNull)
  }

  @Test("a file's name holds the moment, the commit and the bench, so that no run replaces another")
  func names() {
    #expect(record(.commit("1a2b3c4d", isDirty: false)).fileName == "2026-11-28-041233-1a2b3c4d-osc.json")
    #expect(record(.unknown(reason: "")).fileName == "2026-11-28-041233-unknown-osc.json")
  }

  @Test("a record is written into a folder that is there, as a new file")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID().uuidString)")
    #expect(throws: BenchRecordFolder.Failure.self) { try BenchRecordFolder(folder.path) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let record = record(.unknown(reason: ""))
    let path = try BenchRecordFolder(folder.path).write(record)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == record.json)
    // A file that is there stays as it is.
    #expect(throws: BenchRecordFolder.Failure.self) { try BenchRecordFolder(folder.path).write(record) }
  }

  @Test("the commit of a working tree is dirty by its sources, and not by documents and records")
  func source() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "source-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    func write(_ text: String, _ path: String) throws {
      let file = folder.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    func git(_ words: String...) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      // Where a hook of git runs the tests, these would name the project's own repository.
      process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
      process.arguments = ["git", "-C", folder.path, "-c", "user.name=test", "-c", "user.email=test@localhost"] + words
      (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    try write("let a = 1", "Sources/A.swift")
    try write("A", "README.md")
    #expect(BenchSource(of: folder.path).commit == nil)
    try git("init", "--quiet")
    try git("add", ".")
    try git("commit", "--quiet", "--no-verify", "--message", "A")
    let commit = try #require(BenchSource(of: folder.path).commit)
    #expect(commit.count == 8 && BenchSource(of: folder.path) == .commit(commit, isDirty: false))
    try write("B", "README.md")
    try write("{}", "docs/bench/records/new.json")
    #expect(BenchSource(of: folder.path) == .commit(commit, isDirty: false))
    try write("let b = 2", "Sources/B.swift")
    #expect(BenchSource(of: folder.path) == .commit(commit, isDirty: true))
    try git("add", ".")
    try git("commit", "--quiet", "--no-verify", "--message", "B")
    try write("let a = 2", "Sources/A.swift")
    guard case .commit(let next, let isDirty) = BenchSource(of: folder.path) else { return #expect(Bool(false)) }
    #expect(next != commit && isDirty)
  }
}
