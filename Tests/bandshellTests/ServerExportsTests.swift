import Foundation
import JamCore
import JamKit
import JamRealtime
import JamRoom
@testable import JamServer
import Synchronization
import TestSupport
import Testing

@testable import bandshell

/// Files that are made in the background: whoever wants the same waits for the same.
@Suite struct ServerExportsTests {
  private let folder: TemporaryFolder
  private let background = BackgroundPool(name: "test", workers: 2, atOnce: ["making": 1])
  private static let kits = KitStore(
    catalogue: KitCatalogue(
      scanning: [
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
          .path
          + "/Kits"
      ]))

  init() throws { folder = try TemporaryFolder() }

  private func exports() throws -> (exports: ServerExports, told: ToldExports) {
    let exports = ServerExports(
      .here(Self.kits, first: try Self.kits.load("starter")), background: background, log: NoLog())
    let told = ToldExports()
    exports.whenTold { room, state in told.take(room, state) }
    return (exports, told)
  }

  /// - Parameter seconds: of its score.
  private func order(
    _ name: String, seconds: Int64 = 1, score: String = "song", by asker: String = ""
  ) throws -> ServerExports.Order {
    let path = "\(folder.path)/\(score).score"
    if !FileManager.default.fileExists(atPath: path), score == "song" {
      let ann = PlayerName("ann")!
      var bytes = ScoreBytes.begin(PlayerName("main")!, .standard)
      bytes += ScoreBytes.of(LogEntry(sequence: 1, frame: .zero, player: ann, action: .join))
      for second in [0, seconds] {
        bytes += ScoreBytes.of(
          LogEntry(
            sequence: UInt64(second + 2), frame: Frames(second * 48_000), player: ann,
            action: .command(.hit(Pad(1)!, .full))))
      }
      try Data(bytes).write(to: URL(filePath: path))
    }
    let output = ExportMaker.Output(kind: ExportKind(.wav), path: "\(folder.path)/\(name).wav")
    var order = ServerExports.Order(
      address: "takes/\(name).wav", path: output.path, room: "main", name: name,
      job: ExportJob(
        source: .score(path, first: 0, length: seconds * 48_000), title: name, about: name, outputs: [output]))
    order.asker = asker
    return order
  }

  private static func made(_ exports: ServerExports, _ order: ServerExports.Order) async -> Result<
    String, ExportProblem
  > {
    await withCheckedContinuation { done in
      do throws(Refusal) {
        try exports.request(order) { done.resume(returning: $0) }
      } catch {
        Issue.record("\(error)")
        done.resume(returning: .failure(.cancelled))
      }
    }
  }

  @Test("a file is made once for all who want it, and is there at once for those who come later")
  func once() async throws {
    let (exports, told) = try exports()
    let order = try order("a")
    async let first = Self.made(exports, order)
    async let second = Self.made(exports, order)
    let results = await [first, second]
    #expect(results == [.success(order.path), .success(order.path)])
    #expect(await Self.made(exports, order) == .success(order.path))
    let stages = told.stages(of: order.address)
    #expect(stages.first == .waiting && stages.filter { $0 == .ready }.count >= 1 && !stages.contains(.failed))
  }

  @Test("what is given up ends, is told, leaves nothing behind, and can be asked for anew")
  func cancelling() async throws {
    let (exports, told) = try exports()
    // Hours: it is being made when it is given up.
    let long = try order("long", seconds: 20_000)
    async let result = Self.made(exports, long)
    let patience = Patience()
    while !exports.cancel(long.address, in: "main") {
      try #require(patience.lasts)
      await Task.yield()
    }
    #expect(!exports.cancel(long.address, in: "attic"))
    #expect(await result == .failure(.cancelled))
    #expect(told.stages(of: long.address).last == .cancelled)
    #expect(!exports.cancel(long.address, in: "main"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["song.score"])
  }

  @Test("nobody has more than four exports at once, whatever the rooms, and others have theirs")
  func shares() throws {
    let (exports, _) = try exports()
    defer { exports.close() }
    // Hours each: none of them comes to its end here.
    for number in 1...4 { try exports.request(order("a\(number)", seconds: 20_000, by: "ann")) }
    #expect(throws: Refusal.tooManyExports(most: 4)) { try exports.request(order("a5", seconds: 20_000, by: "ann")) }
    // The same file once more is no other one.
    try exports.request(order("a4", seconds: 20_000, by: "ann"))
    for asker in 1...20 { try exports.request(order("b\(asker)", seconds: 20_000, by: "\(asker)")) }
    // The server's own do not count among anybody's.
    for number in 1...16 { try exports.request(order("s\(number)", seconds: 20_000)) }
    #expect(throws: Refusal.takesBusy) { try exports.request(order("s17", seconds: 20_000)) }
    try exports.request(order("c1", seconds: 20_000, by: "cleo"))
  }

  @Test("what cannot be made is told without a word of where it lies, and the next is made all the same")
  func failing() async throws {
    let (exports, told) = try exports()
    let lost = try order("lost", score: "nowhere")
    guard case .failure(.unreadable(let text)) = await Self.made(exports, lost) else {
      Issue.record("a score that is not there was read")
      return
    }
    #expect(text.contains(folder.path))
    let state = try #require(told.all(of: lost.address).last)
    #expect(state.stage == .failed && !state.reason.isEmpty && !state.reason.contains(folder.path))
    #expect(await Self.made(exports, try order("next")) == .success("\(folder.path)/next.wav"))
  }
}

private final class ToldExports: Sendable {
  private let states = Mutex<[ExportState]>([])

  func take(_ room: String, _ state: ExportState) {
    #expect(room == "main")
    states.withLock { $0.append(state) }
  }

  func all(of address: String) -> [ExportState] { states.withLock { $0.filter { $0.address == address } } }
  func stages(of address: String) -> [ExportState.Stage] { all(of: address).map(\.stage) }
}
