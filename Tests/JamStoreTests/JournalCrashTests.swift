import Glibc
import JamCore
import Testing

@testable import JamStore

/// What is kept, as a journal is told of it.
struct KeptState: Equatable, Sendable {
  var number = 0
  var items: [String: [KeptValue]] = [:]

  static func change(from old: KeptState?, to new: KeptState) -> KeptChange {
    var change = KeptChange(isWhole: old == nil)
    change.gone = old?.items.keys.filter { new.items[$0] == nil }.sorted() ?? []
    change.items = new.items.filter { old?.items[$0.key] != $0.value }.map { KeptItem($0.key, $0.value) }
    return change
  }

  mutating func change(_ dice: inout Dice) {
    number += 1
    items["number"] = [.integer(Int64(number))]
    for _ in 0..<dice.below(3) {
      let name = "player/\(dice.below(4))/\(dice.below(6))"
      if dice.below(4) == 0 {
        items[name] = nil
      } else {
        items[name] = [.text(String(repeating: "x", count: dice.below(400))), .number(0.5), .flag(number % 2 == 0)]
      }
    }
  }
}

/// Whatever the disk does, and whenever the process or the power ends: what was said to last is there, and nothing else than what once was.
@Suite struct JournalCrashTests {
  /// BANDSHELL_CRASHES says how many; 10,000 take 40 s in a debug build.
  private static let seeds = max(1, getenv("BANDSHELL_CRASHES").flatMap { Int(String(cString: $0)) } ?? 1_200)
  private static let groups = 8

  @Test("a crash costs nothing that lasted, at any operation of any disk", arguments: 0..<groups)
  func crashes(group: Int) throws {
    for seed in stride(from: group, to: Self.seeds, by: Self.groups) { try crash(seed) }
  }

  private func crash(_ seed: Int) throws {
    var dice = Dice(seed: seed)
    let disk = SimulatedDisk(
      seed: seed, operations: 1 + dice.below(160), faults: dice.below(3) == 0 ? 5 + dice.below(20) : 0)
    let room = "main"
    var book = JournalBook<KeptState>(change: KeptState.change)
    book.open(try Journal.open(disk, room: room).journal, room)
    var state = KeptState()
    var (lasting, written) = (0, 0)
    var states: [KeptState] = [state]
    var now = HostTime(nanoseconds: 0)
    // Another thread's: it may look at the disk at any moment between a sync's beginning and its
    // end.
    var syncs: [(sync: Journal.Sync, number: Int, result: Result<[String], DiskError>?)] = []
    while !disk.isOff {
      now = now.advanced(byMilliseconds: Double(dice.below(400)))
      if dice.below(12) == 0 { disk.setSpace(dice.below(2) == 0 ? nil : disk.used + dice.below(4_000)) }
      if dice.below(3) > 0 {
        state.change(&dice)
        states.append(state)
        book.put(state, of: room, at: now)
      }
      _ = book.turn(at: now, syncsAll: dice.below(10) == 0)
      if let line = book.lines[room], let last = line.written, line.waiting == nil { written = last.number }
      for (_, sync) in book.startSyncs(at: now) {
        let number = try #require(book.lines[room]?.written).number
        syncs.append((sync, number, dice.below(2) == 0 ? Result { () throws(DiskError) in try sync.run() } : nil))
      }
      #expect(syncs.count <= 1)
      // It rests until there is something to do.
      if !disk.isOff { #expect(book.deadline.map { $0 > now } ?? true, "seed \(seed)") }
      guard let first = syncs.first, dice.below(3) > 0 else { continue }
      let result = first.result ?? Result { () throws(DiskError) in try first.sync.run() }
      syncs.removeFirst()
      _ = book.ended(room, first.sync, result, at: now)
      if case .success = result { lasting = max(lasting, first.number) }
    }
    let isKill = dice.below(2) == 0
    let after = disk.restarted(keepsAll: isKill)
    let (journal, found) = try Journal.open(after, room: room)
    let number =
      found.items["number"].flatMap { if case .integer(let number)? = $0.first { Int(number) } else { nil } } ?? 0
    let least = isKill ? written : lasting
    guard number >= least, number < states.count, found.items == states[number].items else {
      Issue.record("seed \(seed): \(number) is there of \(states.count - 1); \(least) lasted")
      return
    }
    // And it goes on from there.
    try journal.begin(found.items.map { KeptItem($0.key, $0.value) })
    state.change(&dice)
    try journal.append(KeptChange(items: [KeptItem("number", [.integer(-1)])]))
    try journal.makeLast()
    let again = try Journal.open(after.restarted(keepsAll: false), room: room).found
    #expect(again.items["number"] == [.integer(-1)] && again.damagedBytes == 0, "seed \(seed)")
  }

  @Test("a full disk is told, and when there is room again nothing is missing")
  func fullDisk() throws {
    let disk = SimulatedDisk(seed: 1)
    var book = JournalBook<KeptState>(change: KeptState.change)
    book.open(try Journal.open(disk, room: "main").journal, "main")
    var (dice, state) = (Dice(seed: 2), KeptState())
    state.change(&dice)
    book.put(state, of: "main", at: HostTime(nanoseconds: 0))
    #expect(book.turn(at: HostTime(nanoseconds: 0)).isEmpty)
    disk.setSpace(disk.used + 20)
    var told: [JournalCondition] = []
    for second in 1...5 {
      state.change(&dice)
      let now = HostTime(nanoseconds: Int64(second) * 1_000_000_000)
      book.put(state, of: "main", at: now)
      told += book.turn(at: now).map(\.condition)
    }
    #expect(told == [.failing("cannot write (No space left on device)")], "told once")
    #expect(book.failures == 5)
    // What was begun and did not fit is gone.
    #expect(try disk.names() == ["1.journal"])
    disk.setSpace(nil)
    told += book.turn(at: HostTime(nanoseconds: 7_000_000_000)).map(\.condition)
    #expect(told.last == .kept && told.count == 2)
    try book.makeLast(at: HostTime(nanoseconds: 8_000_000_000))
    let found = try Journal.open(disk.restarted(keepsAll: false), room: "main").found
    #expect(found.items == state.items)
  }

  @Test("of what waits for a slow disk only the newest is written, and within a bounded folder")
  func folder() throws {
    let disk = SimulatedDisk(seed: 1)
    var book = JournalBook<KeptState>(change: KeptState.change)
    book.open(try Journal.open(disk, room: "main").journal, "main")
    var (dice, state) = (Dice(seed: 3), KeptState())
    for turn in 0..<4_000 {
      for _ in 0..<3 {
        state.change(&dice)
        book.put(state, of: "main", at: HostTime(nanoseconds: 0))
      }
      _ = book.turn(at: HostTime(nanoseconds: Int64(turn) * 50_000_000))
      try book.makeLast(at: HostTime(nanoseconds: Int64(turn) * 50_000_000))
    }
    _ = book.turn(at: HostTime(nanoseconds: 1_000_000_000_000), syncsAll: true)
    try book.makeLast(at: HostTime(nanoseconds: 1_000_000_000_000))
    #expect(book.isFlushed)
    #expect(disk.used < 2 * Journal.fewestBytes)
    #expect(try disk.names().count == 1)
    #expect(try Journal.open(disk, room: "main").found.items == state.items)
  }
}
