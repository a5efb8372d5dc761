import JamCore

@testable import JamRoom
@testable import JamStore

/// The journal of a room on a simulated disk: the journal thread and the sync thread, in one thread
/// and on simulated time.
///
/// It remembers the images that the disk may hold, so that what a start finds can be compared.
final class JamDisk {
  enum Speed: CaseIterable { case fast, slow, stuck }

  /// What may be found: the first is what the last start found.
  private enum Kept {
    case items([String: [KeptValue]])
    case image(RoomImage)

    var items: [String: [KeptValue]] {
      switch self {
      case .items(let items): items
      case .image(let image): Dictionary(JamDisk.change(nil, image).items.map { ($0.name, $0.values) }) { $1 }
      }
    }
  }

  static let room = "main"
  private var disk: SimulatedDisk
  private var book: JournalBook<RoomImage>
  private let speed: Speed
  /// From number `first` on.
  private var kept: [Kept]
  private var first = 0
  /// The numbers of the image that outlives the process by now, and of the one that outlives a loss of power.
  private(set) var written = 0
  private(set) var lasting = 0
  private var isLying = false
  private var turnDue: Frames?
  private var syncs: [(due: Frames, sync: Journal.Sync, number: Int, result: Result<[String], DiskError>?)] = []
  private(set) var failures: UInt64 = 0
  private(set) var syncCount: UInt64 = 0

  init(_ speed: Speed, seed: Int, faults: Int) throws(Journal.OpenError) {
    self.speed = speed
    disk = SimulatedDisk(seed: seed, faults: faults)
    book = JournalBook(change: JamDisk.change)
    book.open(try Journal.open(disk, room: JamDisk.room).journal, JamDisk.room)
    kept = [.items([:])]
  }

  /// In the order of their names: the same numbers give the same bytes in every process.
  private static let change: @Sendable (RoomImage?, RoomImage) -> KeptChange = { old, new in
    var change = RoomImage.change(from: old, to: new)
    change.items.sort { $0.name < $1.name }
    return change
  }

  static func time(of frame: Frames) -> HostTime { JamServer.anchor.time(of: frame) }

  /// When it has something to do.
  var next: Frames {
    let retry = book.deadline.map { max(JamServer.anchor.frame(at: $0), Frames(1)) } ?? Frames(.max)
    return min(turnDue ?? retry, syncs.first?.due ?? Frames(.max))
  }

  /// The room hands on an image.
  func put(_ image: RoomImage, at now: Frames, _ dice: inout Dice) {
    kept.append(.image(image))
    book.put(image, of: JamDisk.room, at: JamDisk.time(of: now))
    if turnDue == nil { turnDue = now + wait(20, &dice) }
  }

  private func wait(_ milliseconds: Int, _ dice: inout Dice) -> Frames {
    let most =
      switch speed {
      case .fast: milliseconds
      case .slow: 10 * milliseconds
      case .stuck: dice.below(10) == 0 ? 150 * milliseconds : milliseconds
      }
    return .milliseconds(Double(1 + dice.below(most)))
  }

  /// Writes and syncs what is due.
  func goOn(at now: Frames, _ dice: inout Dice) {
    let time = JamDisk.time(of: now)
    if dice.below(200) == 0 { disk.setSpace(dice.below(3) > 0 ? nil : disk.used + dice.below(20_000)) }
    if let first = syncs.first, first.due <= now {
      syncs.removeFirst()
      let result = first.result ?? Result { () throws(DiskError) in try first.sync.run() }
      _ = book.ended(JamDisk.room, first.sync, result, at: time)
      // Who is lied to believes that the image lasts.
      if case .success = result, !isLying { lasting = max(lasting, first.number) }
    }
    turnDue = nil
    _ = book.turn(at: time)
    if let line = book.lines[JamDisk.room], line.written != nil, line.waiting == nil {
      written = first + kept.count - 1
    }
    for (_, sync) in book.startSyncs(at: time) {
      // The disk may look at the bytes at any moment between a sync's beginning and its end.
      let result = dice.below(2) == 0 ? Result { () throws(DiskError) in try sync.run() } : nil
      syncs.append((now + wait(20, &dice), sync, written, result))
    }
    (failures, syncCount) = (book.failures, book.syncs)
    let least = min(lasting, written)
    if least > first {
      kept.removeFirst(least - first)
      first = least
    }
  }

  /// From now on until the next start the disk lies.
  func beginLying() {
    isLying = true
    disk.setLying(true)
  }

  /// What a start finds.
  struct Start {
    var items: [String: [KeptValue]]
    /// How many images before the last one.
    var lostImages: Int
    /// Whether the room was once as its rows say.
    var isWhole: Bool
    /// The power went, and the disk had lied.
    var isLied: Bool
  }

  /// The process ends, or the power goes, and the server starts again.
  /// - Parameter problems: what does not hold of what is found.
  func restart(isKill: Bool, _ problems: inout [String]) throws(Journal.OpenError) -> Start {
    disk = disk.restarted(keepsAll: isKill)
    let (journal, found) = try Journal.open(disk, room: JamDisk.room)
    let end = first + kept.count
    // A disk that lies keeps what was written as well as any other, as long as there is power.
    let least = isKill ? written : lasting
    let items = JamDisk.withoutMoment(found.items)
    let number = number(of: items, moment: found.items["moment"], atLeast: least)
    let how = "\(isKill ? "a kill" : "a loss of power")\(isLying ? " of a disk that lies" : "")"
    switch number {
    case nil where isLying && !isKill && found.damagedBytes > 0: break
    // A first file that was cut in its beginning, and nothing of it was acknowledged.
    case nil where least == 0 && kept[0].items.isEmpty: break
    case nil: problems.append("after \(how) the journal holds what never was: \(differences(found.items))")
    case let number? where number < least:
      problems.append("after \(how) image \(number) is found, and \(least) of \(end - 1) was acknowledged")
    default: break
    }
    let start = Start(
      items: found.items, lostImages: number.map { end - 1 - $0 } ?? end, isWhole: number != nil,
      isLied: isLying && !isKill)
    book = JournalBook(change: JamDisk.change)
    book.open(journal, JamDisk.room)
    kept = [.items(found.items)]
    (first, written, lasting, isLying) = (0, 0, 0, false)
    (turnDue, syncs) = (nil, [])
    return start
  }

  /// The number of the image that the items are of; nil where there never was one.
  /// - Parameter moment: each change has its image's frame in this row.
  private func number(of items: [String: [KeptValue]], moment: [KeptValue]?, atLeast least: Int) -> Int? {
    let frame = moment?.first
    let named = kept.indices.filter { index in
      if case .image(let image) = kept[index] { frame == .integer(image.frame.count) } else { false }
    }
    // Of images that are alike only the first one is written, so the acknowledged one is asked, too.
    let asked = [least - first] + named.reversed() + [0]
    return asked.first { kept.indices.contains($0) && JamDisk.withoutMoment(kept[$0].items) == items }.map {
      $0 + first
    }
  }

  /// The rows that differ from the image that was written last.
  private func differences(_ items: [String: [KeptValue]]) -> String {
    let least = kept[max(0, min(written - first, kept.count - 1))].items
    let names = Set(items.keys).union(least.keys).filter { $0 != "moment" && items[$0] != least[$0] }.sorted()
    return "\(names.count) rows, as \(names.prefix(5))"
  }

  /// The moment is kept with other changes only.
  private static func withoutMoment(_ items: [String: [KeptValue]]) -> [String: [KeptValue]] {
    items.filter { $0.key != "moment" }
  }

  /// All bytes of all files.
  var bytes: [UInt8] {
    ((try? disk.names()) ?? []).sorted().flatMap { Array($0.utf8) + (disk.bytes(of: $0) ?? []) }
  }
}
