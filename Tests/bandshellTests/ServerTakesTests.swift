import Foundation
import JamCore
import JamExport
import JamKit
import JamRealtime
@testable import JamRoom
@testable import JamServer
import JamStore
import Synchronization
import Testing

@testable import bandshell

@Suite("Takes: what is kept of them")
struct ServerTakesTests {
  private static let kits = URL(filePath: #filePath).appending(path: "../../../Kits").standardized.path
  private let room = PlayerName("main")!
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Parameter seconds: the clock of shares; the machine's own refills them while a test runs.
  private func takes(
    keeping rule: KeepRule = .all, seconds: @escaping @Sendable () -> Double = { Double(ServerTakes.now) }
  ) throws -> (takes: ServerTakes, catalogue: Catalogue) {
    let catalogue = try Catalogue("\(folder.path)/projects.db")
    let kitStore = KitStore(catalogue: KitCatalogue(scanning: [Self.kits]))
    let takes = ServerTakes(
      in: "\(folder.path)/takes", catalogue: catalogue, kitStore: kitStore, firstKit: try kitStore.load("starter"),
      keeping: rule, maintenance: MaintenanceThread(), log: NoLog(), seconds: seconds)
    return (takes, catalogue)
  }

  /// A recording of a hit on every beat: 120 bpm, four bars.
  private func record(_ id: String) throws {
    let ann = PlayerName("ann")!
    var bytes = ScoreBytes.begin(room, .standard)
    bytes += ScoreBytes.of(LogEntry(sequence: 1, frame: .zero, player: ann, action: .join))
    for beat in 0..<16 {
      bytes += ScoreBytes.of(
        LogEntry(
          sequence: UInt64(beat + 2), frame: Frames(Int64(beat) * 24_000), player: ann,
          action: .command(.hit(Pad(9)!, .full))))
    }
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/takes/\(id).score"))
  }

  private func take(_ id: String, of recording: String, first: Int64 = 0, length: Int64? = 384_000) -> Catalogue.Take {
    Catalogue.Take(
      id: id, room: "main", recording: recording, began: 1_000, first: first, length: length, tempo: 120)
  }

  private func decoded(_ path: String) throws -> Sound {
    try Sound(decoding: try Files.read(path, limit: 1 << 24), named: path, byteLimit: 1 << 26)
  }

  private func ask(_ takes: ServerTakes, _ command: TakeCommand) async -> TakeAnswer {
    await withCheckedContinuation { done in
      takes.carryOut(
        TakeOrder(
          command: command, token: "t", saver: "s", project: "", end: Frames(96_000), begin: .zero, isHost: false),
        in: room
      ) { done.resume(returning: $0) }
    }
  }

  /// Makes a file of a take here and now.
  private func file(_ takes: ServerTakes, of take: Catalogue.Take, _ form: ExportForm) throws -> String {
    let order = try takes.order(take, ExportKind(form))
    if form != .score { try order.job.make(takes.kitStore, takes.firstKit) }
    return order.path
  }

  private func found(_ takes: ServerTakes, _ take: Catalogue.Take) throws -> Catalogue.Found? {
    _ = try file(takes, of: take, .opus)
    return takes.facts(of: take)?.found
  }

  private func refusal(_ answer: TakeAnswer) -> Refusal? {
    if case .refused(let refusal) = answer { refusal } else { nil }
  }

  @Test("a take is found out about by playing it: bars, who played, peaks; and each of its files is as long as it is")
  func files() throws {
    let (takes, catalogue) = try takes()
    try record("r")
    let part = take("a", of: "r", first: 96_000, length: 192_000)
    try catalogue.put(part)
    let found = try #require(try found(takes, part))
    #expect(found.players == ["ann"] && found.hits == 8)
    #expect(found.bars == [0, 96_000])
    #expect(takes.facts(of: part)?.tempo == 120)
    #expect(found.peaks.count == 80 && (found.peaks.max() ?? 0) > 60)
    let wav = try file(takes, of: part, .wav)
    let sound = try decoded(wav)
    #expect(sound.frames == 192_000 && sound.rate == 48_000)
    // The first hit of the part is its first sound.
    #expect(sound.interleaved.prefix(400).contains { abs($0) > 0.01 })
    let flac = try file(takes, of: part, .flac)
    #expect(try decoded(flac).frames == 192_000)
    let midi = try Files.read(try file(takes, of: part, .midi), limit: 1 << 20)
    #expect(midi.starts(with: Array("MThd".utf8)))
    #expect(try Files.read(try file(takes, of: part, .score), limit: 1 << 20).count > 100)
  }

  /// What whoever asks for a file now gets: what was made already, where it is there.
  private func asked(_ takes: ServerTakes, _ id: String, _ form: ExportForm) async throws -> ServerExports.Order {
    let order = try takes.order(try takes.take(id, in: room), ExportKind(form))
    let result: Result<String, ExportProblem> = await withCheckedContinuation { done in
      do throws(Refusal) {
        try takes.exports.request(order) { done.resume(returning: $0) }
      } catch {
        Issue.record("\(error)")
        done.resume(returning: .failure(.cancelled))
      }
    }
    #expect(result == .success(order.path))
    return order
  }

  @Test("a take that was renamed has its new name in every file, also in those that were made before")
  func renaming() async throws {
    let (takes, catalogue) = try takes()
    try record("r")
    try catalogue.put(take("r", of: "r"))
    #expect(refusal(await ask(takes, .rename("r", "Dawn"))) == nil)
    let named: [ExportForm] = [.wav, .flac, .opus, .midi, .labels, .rpp, .stems, .dawproject]
    let plain: [ExportForm] = [.score]
    var before: [ExportForm: String] = [:]
    for form in named + plain { before[form] = try await asked(takes, "r", form).path }
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/takes/made").count
    #expect(refusal(await ask(takes, .rename("r", "Harbour"))) == nil)
    // What is of no use any more takes no room.
    for form in named { #expect(!FileManager.default.fileExists(atPath: before[form] ?? ""), "\(form)") }
    for form in plain { #expect(FileManager.default.fileExists(atPath: before[form] ?? ""), "\(form)") }
    for form in named + plain {
      let order = try await asked(takes, "r", form)
      #expect(order.name == "Harbour.\(form.rawValue)")
      #expect(plain.contains(form) == (order.path == before[form]), "\(form)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/takes/made").count == files)
    for form in [ExportForm.wav, .flac, .opus, .midi, .labels, .rpp] {
      let bytes = try Data(contentsOf: URL(filePath: try await asked(takes, "r", form).path))
      #expect(bytes.range(of: Data("Harbour".utf8)) != nil && bytes.range(of: Data("Dawn".utf8)) == nil, "\(form)")
    }
  }

  @Test("a project that was renamed, or another one with the same music, has files of its own")
  func projectNames() throws {
    let (takes, catalogue) = try takes()
    let facts = Catalogue.Facts(measures: 2, tempo: 120, signature: "4/4", players: [], kits: [], sounds: [])
    for name in ["Dawn", "Dusk"] { try catalogue.put(name, facts, [1, 2, 3], at: 1) }
    func path(_ name: String, _ form: ExportForm) throws -> String {
      let order = try takes.order(ofProject: name, ExportKind(form), in: room)
      if let scratch = order.scratch { ServerExports.drop(scratch) }
      return order.path
    }
    let before = try path("Dawn", .wav)
    #expect(try path("Dusk", .wav) != before)
    #expect(try path("Dusk", .opus) != path("Dawn", .opus))
    try catalogue.rename("Dawn", to: "Harbour")
    #expect(try path("Harbour", .wav) != before)
  }

  @Test("trimmed, only the bars are heard that were chosen, and peaks and length are theirs")
  func trimming() async throws {
    let (takes, catalogue) = try takes()
    try record("r")
    try catalogue.put(take("r", of: "r"))
    #expect(refusal(await ask(takes, .trim("r", bars: 2...3))) == .takesBusy)
    var whole = take("r", of: "r")
    whole.found = try found(takes, whole)
    try catalogue.put(whole)
    #expect(refusal(await ask(takes, .trim("r", bars: 2...5))) == .takeTooShort("r", bars: 4))
    #expect(refusal(await ask(takes, .trim("r", bars: 2...3))) == nil)
    let trimmed = try #require(try catalogue.take("r"))
    #expect(TakeStretch(trimmed).first == 96_000 && TakeStretch(trimmed).length == 192_000)
    let item = takes.item(trimmed)
    #expect(item.seconds == 4 && item.heard == 2...3 && item.bars == 4 && item.peaks.count == 80)
    #expect(refusal(await ask(takes, .trim("r", bars: 1...4))) == nil)
    #expect(try catalogue.take("r")?.trim == nil)
  }

  @Test("a recording stays as long as a take is part of it, and a take that is played still is not deleted")
  func deleting() async throws {
    let (takes, catalogue) = try takes()
    try record("r")
    try catalogue.put(take("r", of: "r"))
    try catalogue.put(take("part", of: "r", first: 96_000, length: 96_000))
    try catalogue.put(take("now", of: "now", length: nil))
    let score = "\(folder.path)/takes/r.score"
    #expect(refusal(await ask(takes, .delete("now"))) == .takeNotOver("now"))
    #expect(refusal(await ask(takes, .delete("nix"))) == .noSuchTake("nix"))
    #expect(refusal(await ask(takes, .delete("r"))) == nil)
    #expect(try catalogue.takes().map(\.id).sorted() == ["now", "part"])
    #expect(FileManager.default.fileExists(atPath: score))
    #expect(refusal(await ask(takes, .delete("part"))) == nil)
    #expect(!FileManager.default.fileExists(atPath: score))
  }

  @Test("what was not starred is forgotten after its days, or beyond the room that takes have, the oldest first")
  func forgetting() throws {
    let (takes, catalogue) = try takes(keeping: KeepRule(days: 3, bytes: nil))
    let now = ServerTakes.now
    for (id, age, isStarred) in [("new", 1, false), ("old", 5, false), ("kept", 9, true)] {
      try record(id)
      var take = take(id, of: id)
      (take.began, take.isStarred) = (now - Int64(age) * 86_400, isStarred)
      try catalogue.put(take)
    }
    let kept = try #require(try catalogue.take("kept"))
    let new = try #require(try catalogue.take("new"))
    #expect(takes.item(kept).forgotten == 0)
    #expect(takes.item(new).forgotten == new.began + 8 + 3 * 86_400)
    takes.forgetOld()
    #expect(try catalogue.takes().map(\.id).sorted() == ["kept", "new"])
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/takes/old.score"))
  }

  @Test("whoever asks for very many waits")
  func flood() throws {
    let (takes, _) = try takes()
    // Who has asked too often is answered at once; the others' answers may take their time.
    let busy = Mutex(0)
    for _ in 0..<80 {
      takes.carryOut(
        TakeOrder(
          command: .rename("nix", "x"), token: "t", saver: "s", project: "", end: .zero, begin: .zero, isHost: false),
        in: room
      ) {
        if case .refused(.takesBusy) = $0 { busy.withLock { $0 += 1 } }
      }
    }
    #expect((15...16).contains(busy.withLock(\.self)))
  }

  @Test("an address stars so many takes at once, and a host any number")
  func stars() async throws {
    let (takes, catalogue): (ServerTakes, Catalogue) = try takes(seconds: { 1_000 })
    try record("r")
    for number in 0..<40 { try catalogue.put(take("t\(number)", of: "r", length: 48_000)) }
    func star(_ id: String, isHost: Bool = false) async -> Refusal? {
      await withCheckedContinuation { done in
        let order = TakeOrder(
          command: .star(id, true), token: "t", saver: "s", project: "", end: .zero, begin: .zero, isHost: isHost)
        takes.carryOut(order, in: room) { answer in
          var refusal: Refusal?
          if case .refused(let reason) = answer { refusal = reason }
          done.resume(returning: refusal)
        }
      }
    }
    for number in 0..<32 { #expect(await star("t\(number)") == nil) }
    #expect(await star("t32") == .takesKeptTooFast(secondsPerTake: 30))
    #expect(await star("t33", isHost: true) == nil)
    #expect(try catalogue.starredTakes() == 33)
  }

  @Test("takes that were recorded as a server was killed are as long as their scores")
  func repair() async throws {
    var (takes, catalogue): (ServerTakes, Catalogue) = try takes()
    try record("r")
    try catalogue.put(take("r", of: "r", length: nil))
    try catalogue.put(take("gone", of: "gone", length: nil))
    (takes, catalogue) = try self.takes()
    // It stands in one line with this.
    _ = await ask(takes, .list)
    #expect(try catalogue.takes().map(\.id) == ["r"])
    #expect(try catalogue.take("r")?.length == 15 * 24_000 + RecordedScore.tail.count)
  }

  @Test("a take that begins before those of the last server are mended is recorded on")
  func repairingLate() throws {
    let (takes, catalogue) = try takes()
    try record("r")
    try catalogue.put(take("r", of: "r", length: nil))
    try catalogue.put(take("now", of: "now", length: nil))
    takes.repair()
    #expect(try catalogue.takes().map(\.id).sorted() == ["now", "r"])
    #expect(try catalogue.take("r")?.length == nil)
  }

  @Test("takes whose catalogue was lost are found again by their scores")
  func lost() async throws {
    _ = try takes()
    try record("2026-11-23-193012")
    // From the midst of a session: its first bar begins where the transport starts.
    let ann = PlayerName("ann")!
    var bytes = ScoreBytes.begin(room, Tempo(clamping: 90))
    for (number, frame, command) in [(1, 0, Command.stop), (2, 24_000, .play), (3, 30_000, .hit(Pad(9)!, .full))] {
      bytes += ScoreBytes.of(
        LogEntry(sequence: UInt64(number), frame: Frames(Int64(frame)), player: ann, action: .command(command)))
    }
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/takes/2026-11-23-200000-2.score"))
    try Data("no score".utf8).write(to: URL(filePath: "\(folder.path)/takes/other.score"))
    let (takes, catalogue) = try takes()
    // It stands in one line with this.
    _ = await ask(takes, .list)
    let found = try catalogue.takes()
    #expect(found.map(\.id).sorted() == ["2026-11-23-193012", "2026-11-23-200000-2"])
    let whole = try #require(found.first { $0.id == "2026-11-23-193012" })
    #expect(whole.room == "main" && whole.first == 0 && whole.tempo == 120)
    #expect(whole.length == 15 * 24_000 + RecordedScore.tail.count)
    let later = try #require(found.first { $0.id == "2026-11-23-200000-2" })
    #expect(later.first == 24_000 && later.tempo == 90 && later.length == 6_000 + RecordedScore.tail.count)
    #expect(later.began - whole.began == 29 * 60 + 48)
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/takes/other.score"))
  }

  @Test("what the disk does not take is over all the same, and is kept as soon as the disk takes it")
  func brokenDisk() async throws {
    let (takes, catalogue) = try takes()
    for id in ["r", "s"] { try record(id) }
    func recording(_ id: String) -> RecordedScore {
      RecordedScore(id: id, tempo: .standard, bars: nil, heard: .zero)
    }
    takes.begun(recording("r"), in: room, at: .zero)
    // No database can be written whose journal cannot be made.
    let blocker = "\(folder.path)/projects.db-journal"
    try FileManager.default.createDirectory(atPath: blocker, withIntermediateDirectories: false)
    takes.begun(recording("s"), in: room, at: .zero)
    for id in ["r", "s"] {
      var over = recording(id)
      over.length = Frames(384_000)
      takes.ended(over, in: room)
    }
    #expect(refusal(await ask(takes, .list)) == .takesBusy)
    try FileManager.default.removeItem(atPath: blocker)
    #expect(try catalogue.takes().map(\.length) == [nil])
    #expect(try takes.take("r", in: room).length == 384_000)
    takes.look(at: .now)
    #expect(try catalogue.takes().map(\.id).sorted() == ["r", "s"])
    #expect(try catalogue.takes().allSatisfy { $0.length == 384_000 })
  }

  @Test(
    "rules for how long takes are kept",
    arguments: [
      ("30d", KeepRule(days: 30, bytes: nil)), ("10GiB", KeepRule(days: nil, bytes: 10 << 30)),
      ("7days,2G", KeepRule(days: 7, bytes: 2 << 30)), ("all", .all),
    ])
  func rules(text: String, rule: KeepRule) { #expect(KeepRule(argument: text) == rule) }

  @Test(
    "what is no rule",
    arguments: ["", "d", "0d", "-1d", "30", "30d,", "3d,4d", "1TiB", "none", "99999999999999999999d"])
  func noRule(text: String) { #expect(KeepRule(argument: text) == nil) }
}
