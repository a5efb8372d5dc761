import Glibc
import JamCommand
import JamCore
import JamRealtime
import JamRoom
import JamWire
import Synchronization

/// Takes down what a room plays, as scores that `bandshell render` turns into the same samples again: one for each stretch between two quiets.
///
/// Entries wait a second, so that the engine's word on late ones is in, and then go to the file in the order of their numbers.
/// Thread: what a room tells, the room's; the rest, the maintenance thread.
final class TakeRecorder: RoomJournal, @unchecked Sendable {
  // Unchecked: what is not in `page` is touched by the maintenance thread alone.
  private struct Page {
    var items: [TakeMachine.Item] = []
    var corrections: [UInt64: Frames] = [:]
    var withdrawn: Set<UInt64> = []
    /// Items before this index were taken down a whole turn ago.
    var settled = 0
  }

  /// What the recorder asks of its room, and tells of its recordings.
  struct Ways {
    var isSounding: @Sendable () -> Bool
    /// The room as it was a moment ago: who is in it, and how long a bar is.
    var look: @Sendable () -> RoomSnapshot
    var now: @Sendable () -> Frames
    var askForImage: @Sendable () -> Void
    var prelude: @Sendable (RoomImage, _ firstBar: Frames?, _ newcomer: PlayerName?) -> ScorePrelude
    /// A new recording's id.
    var name: @Sendable () -> String
    var begun: @Sendable (RecordedScore) -> Void
    /// It is over, or the disk took no more of it.
    var ended: @Sendable (RecordedScore) -> Void
  }

  let room: PlayerName
  private let folder: String
  private let log: any ServerLog
  private let page = Mutex(Page())
  private var ways: Ways?
  private var machine: TakeMachine
  private var file: ScoreAppender?
  /// Whole bundles that go to the file with the turn.
  private var unwritten: [UInt8] = []
  private static let mostUnwritten = 64 << 10
  /// The latest last.
  private(set) var recordings: [RecordedScore] = []
  private static let mostKnown = 64
  /// The disk took no more, and has taken nothing since.
  private(set) var isFailing = false

  /// - Parameter tempo: what the room begins with.
  init(
    in folder: String, room: PlayerName, tempo: Tempo, quietMilliseconds: Double = 30_000, log: any ServerLog = NoLog()
  ) {
    self.folder = folder
    self.room = room
    self.log = log
    machine = TakeMachine(tempo: tempo, quietMilliseconds: quietMilliseconds)
  }

  /// Call it once, before the recorder is handed to the maintenance thread.
  func begin(_ ways: Ways) { self.ways = ways }

  func record(_ entry: LogEntry) { page.withLock { $0.items.append(.entry(entry)) } }
  func correct(sequence: UInt64, frame: Frames) { page.withLock { $0.corrections[sequence] = frame } }
  func withdraw(sequence: UInt64) { page.withLock { _ = $0.withdrawn.insert(sequence) } }
  /// The room as it is after all that was recorded so far.
  func see(_ image: RoomImage) {
    page.withLock { page in
      // Of images behind each other the last one counts.
      if page.settled < page.items.count, case .image? = page.items.last { page.items.removeLast() }
      page.items.append(.image(image))
    }
  }

  /// Writes the entries that had a whole turn to be corrected. Call it once a second.
  func turn() {
    guard let ways else { return }
    let now = HostTime.now
    let snapshot = ways.look()
    machine.note(isDeserted: snapshot.isDeserted, at: ways.now(), bar: snapshot.barLength)
    for item in takeSettled() { carryOut(machine.take(item, at: now)) }
    flush()
    carryOut(machine.look(isSounding: ways.isSounding(), frame: ways.now(), at: now))
  }

  private func takeSettled() -> [TakeMachine.Item] {
    page.withLock { page in
      let ready = page.items.prefix(page.settled).compactMap { item -> TakeMachine.Item? in
        guard case .entry(var entry) = item else { return item }
        let frame = page.corrections.removeValue(forKey: entry.sequence)
        guard page.withdrawn.remove(entry.sequence) == nil else { return nil }
        entry.frame = frame ?? entry.frame
        return .entry(entry)
      }
      page.items.removeFirst(page.settled)
      page.settled = page.items.count
      return ready
    }
  }

  /// Writes everything that was told, whether it may still be corrected or not.
  func writeAll() {
    turn()
    turn()
  }

  /// Writes what is left and ends the recording. Call it when the room has fallen silent.
  func finish() {
    writeAll()
    guard let ways, machine.isRecording else { return }
    machine.giveUp()
    end(at: ways.now())
  }

  // MARK: By hand

  /// The recording that goes on now, or one that begins at that moment of the room.
  func hold(from frame: Frames) -> (recording: RecordedScore, isNew: Bool)? {
    let isNew = !machine.isRecording
    machine.isHeld = true
    carryOut(machine.begin(at: frame))
    guard file != nil, let recording = recordings.last else {
      machine.letGo(endingNow: false)
      return nil
    }
    return (recording, isNew)
  }

  func letGo(endingNow: Bool) { machine.letGo(endingNow: endingNow) }

  // MARK: Acts

  private func carryOut(_ acts: [TakeMachine.Act]) {
    for act in acts {
      switch act {
      case .begin(let base, let entries, let frame): begin(base, entries, at: frame)
      case .write(let entry): write(entry)
      case .askForImage: ways?.askForImage()
      case .end(let frame): end(at: frame)
      }
    }
  }

  private func begin(_ base: TakeMachine.Base, _ entries: [LogEntry], at frame: Frames) {
    guard let ways else { return }
    let recording: RecordedScore
    var lines: [LogEntry] = []
    switch base {
    case .opening(let tempo):
      recording = RecordedScore(id: ways.name(), tempo: tempo, bars: TempoMap(tempo: tempo), heard: .zero)
    case .image(let image):
      recording = RecordedScore(id: ways.name(), tempo: image.tempo, bars: image.bars, heard: frame)
      lines = ways.prelude(image, image.bars == nil ? nil : recording.firstBar, entries.first?.player).entries
    }
    do throws(ScoreAppender.Problem) {
      file = try ScoreAppender(
        "\(folder)/\(recording.id).score",
        beginning: ScoreBytes.begin(room, recording.tempo) + lines.flatMap(ScoreBytes.of))
    } catch {
      return fail(error)
    }
    isFailing = false
    recordings.append(recording)
    if recordings.count > TakeRecorder.mostKnown { recordings.removeFirst() }
    ways.begun(recording)
    log.write(.journalOpened, ["room": LogValue(room), "file": .text("\(recording.id).score")])
    for entry in entries { write(entry) }
  }

  private func write(_ entry: LogEntry) {
    guard file != nil, let recording = recordings.last else { return }
    var entry = entry
    entry.frame = recording.place(of: entry.frame)
    unwritten += ScoreBytes.of(entry)
    if unwritten.count >= TakeRecorder.mostUnwritten { flush() }
  }

  /// What goes round in a full room are thousands of entries a second: they go to the disk together.
  private func flush() {
    guard !unwritten.isEmpty else { return }
    defer { unwritten.removeAll(keepingCapacity: true) }
    do throws(ScoreAppender.Problem) { try file?.append(unwritten) } catch { fail(error) }
  }

  private func end(at frame: Frames) {
    flush()
    guard let file else { return }
    file.close()
    self.file = nil
    guard var recording = recordings.popLast() else { return }
    recording.length = recording.place(of: frame) + RecordedScore.tail
    recordings.append(recording)
    ways?.ended(recording)
  }

  /// What was written stands; the next hit begins another recording, with the room as it is then. There is no silent hole.
  private func fail(_ problem: ScoreAppender.Problem) {
    // The next hit tries again, and then the next: one line is enough.
    if !isFailing {
      log.write(
        .journalFailed,
        ["room": LogValue(room), "reason": .text("the take cannot be written: \(problem.text); it ends here")])
    }
    isFailing = true
    file?.close()
    let wasOpen = file != nil
    file = nil
    machine.giveUp()
    ways?.askForImage()
    guard wasOpen, var recording = recordings.popLast() else { return }
    recording.length = recording.place(of: ways?.now() ?? .zero)
    recording.isCut = true
    recordings.append(recording)
    ways?.ended(recording)
  }
}

extension RoomSnapshot {
  /// Whoever is away, or is only expected, is not in the room.
  fileprivate var isDeserted: Bool { people.allSatisfy(\.isAway) }

  fileprivate var barLength: Frames {
    let quarters = Double(beatsPerBar) * 4 / Double(max(1, beatUnit))
    return .seconds(quarters * 60 / Double(max(1, bpm)))
  }
}
