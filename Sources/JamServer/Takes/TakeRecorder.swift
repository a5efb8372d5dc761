import Glibc
import JamCommand
import JamCore
import JamRealtime
import JamRoom
import JamWire
import Synchronization

/// Writes what a room plays to scores, one for each stretch between two silences. `bandshell
/// render` turns such a score into the same samples again.
///
/// Entries wait for a second, so that the engine can correct the frames of late ones. Then they go
/// to the file in the order of their numbers.
/// Thread: the room's for the methods of `RoomJournal`; the maintenance thread for the rest.
final class TakeRecorder: RoomJournal, @unchecked Sendable {
  // Unchecked: only the maintenance thread touches the properties outside `page`.
  private struct Page {
    var items: [TakeMachine.Item] = []
    var corrections: [UInt64: Frames] = [:]
    var withdrawn: Set<UInt64> = []
    /// How many items at the front have waited for a whole turn, and can go to the file.
    var settled = 0
  }

  /// The functions through which the recorder reads its room, and reports its recordings.
  struct Ways {
    var isSounding: @Sendable () -> Bool
    /// The room as it was a moment ago: who is in it, and how long a bar is.
    var look: @Sendable () -> RoomSnapshot
    var now: @Sendable () -> Frames
    var askForImage: @Sendable () -> Void
    var prelude: @Sendable (RoomImage, _ firstBar: Frames?, _ newcomer: PlayerName?) -> ScorePrelude
    /// Makes the id of a new recording.
    var name: @Sendable () -> String
    var begun: @Sendable (RecordedScore) -> Void
    /// The recording is over, or the disk took no more of it.
    var ended: @Sendable (RecordedScore) -> Void
  }

  let room: PlayerName
  private let folder: String
  private let log: any ServerLog
  private let page = Mutex(Page())
  private var ways: Ways?
  private var machine: TakeMachine
  private var file: ScoreAppender?
  /// Whole bundles that the next flush writes to the file.
  private var unwritten: [UInt8] = []
  private static let mostUnwritten = 64 << 10
  /// The recordings so far, oldest first.
  private(set) var recordings: [RecordedScore] = []
  private static let mostKnown = 64
  /// The last write failed, and nothing was written since.
  private(set) var isFailing = false

  /// - Parameter tempo: the room's tempo when it opens.
  init(
    in folder: String, room: PlayerName, tempo: Tempo, quietMilliseconds: Double = 30_000, log: any ServerLog = NoLog()
  ) {
    self.folder = folder
    self.room = room
    self.log = log
    machine = TakeMachine(tempo: tempo, quietMilliseconds: quietMilliseconds)
  }

  /// Call this once, before the maintenance thread gets the recorder.
  func begin(_ ways: Ways) { self.ways = ways }

  func record(_ entry: LogEntry) { page.withLock { $0.items.append(.entry(entry)) } }
  func correct(sequence: UInt64, frame: Frames) { page.withLock { $0.corrections[sequence] = frame } }
  func withdraw(sequence: UInt64) { page.withLock { _ = $0.withdrawn.insert(sequence) } }
  /// Takes an image of the room, as it is after all entries that were recorded so far.
  func see(_ image: RoomImage) {
    page.withLock { page in
      // Where several images follow each other without an entry, only the last one counts.
      if page.settled < page.items.count, case .image? = page.items.last { page.items.removeLast() }
      page.items.append(.image(image))
    }
  }

  /// Writes the entries that have waited for a whole turn for corrections. Call this once a second.
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

  /// Writes all entries, including those that could still be corrected.
  func writeAll() {
    turn()
    turn()
  }

  /// Writes the remaining entries and ends the recording. Call this when the room has fallen
  /// silent.
  func finish() {
    writeAll()
    guard let ways, machine.isRecording else { return }
    machine.giveUp()
    end(at: ways.now())
  }

  // MARK: By hand

  /// Continues the current recording, or begins one at that frame of the room. Nil where the file
  /// cannot be created.
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

  /// Loops in a full room make thousands of entries a second. They go to the disk together, to save
  /// writes.
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

  /// Ends the recording; the part that was written stays. The next hit begins another recording,
  /// with the room as it is then, so no recording has a silent hole.
  private func fail(_ problem: ScoreAppender.Problem) {
    // Each next hit tries again. One line in the log is enough for all failures in a row.
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
  /// Nobody is in the room: all its people are away or only expected.
  fileprivate var isDeserted: Bool { people.allSatisfy(\.isAway) }

  fileprivate var barLength: Frames {
    let quarters = Double(beatsPerBar) * 4 / Double(max(1, beatUnit))
    return .seconds(quarters * 60 / Double(max(1, bpm)))
  }
}
