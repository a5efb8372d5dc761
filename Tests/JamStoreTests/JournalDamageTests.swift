import JamCore
import Testing

@testable import JamStore

/// A journal whose end was cut, overwritten or written by another program.
@Suite struct JournalDamageTests {
  /// A file with its frames' ends, and what is kept at each.
  private struct Example {
    var bytes: [UInt8]
    var ends: [(offset: Int, items: [String: [KeptValue]])] = []

    init() throws {
      let disk = SimulatedDisk(seed: 1)
      let journal = try Journal.open(disk, room: "main").journal
      var (dice, state) = (Dice(seed: 4), KeptState())
      try journal.begin([])
      ends.append((journal.byteCount, [:]))
      while journal.byteCount < 12_000 {
        let before = state
        state.change(&dice)
        try journal.append(KeptState.change(from: before, to: state))
        ends.append((journal.byteCount, state.items))
      }
      bytes = try #require(disk.bytes(of: "1.journal"))
    }

    /// What holds of the first `count` bytes.
    func items(of count: Int) -> [String: [KeptValue]] { ends.last { $0.offset <= count }?.items ?? [:] }
  }

  private func found(_ bytes: [UInt8]) throws -> Journal.Found {
    let disk = SimulatedDisk(seed: 1)
    disk.put(bytes, as: "1.journal")
    return try Journal.open(disk, room: "main").found
  }

  @Test("cut at each of its last 4,096 bytes it opens, with all that lies before")
  func cut() throws {
    let example = try Example()
    for count in example.bytes.count - 4_096...example.bytes.count {
      let found = try found(Array(example.bytes.prefix(count)))
      #expect(found.items == example.items(of: count), "cut at \(count)")
    }
  }

  @Test("zeros from each of its last 4,096 bytes on cost what they cover")
  func zeros() throws {
    let example = try Example()
    for count in stride(from: example.bytes.count - 4_096, through: example.bytes.count, by: 7) {
      let zeros = [UInt8](repeating: 0, count: example.bytes.count - count + 512)
      let found = try found(example.bytes.prefix(count) + zeros)
      // Zeros in place of zeros are no damage.
      let least = example.items(of: count)
      let isWhole = example.ends.contains { $0.items == found.items }
      #expect(found.items == least || isWhole, "zeros from \(count)")
      #expect(found.damagedBytes > 0)
    }
  }

  @Test("a bit that is another costs its frame and what follows")
  func bits() throws {
    let example = try Example()
    for place in stride(from: example.bytes.count - 4_096, to: example.bytes.count, by: 1) {
      var bytes = example.bytes
      bytes[place] ^= 1 << UInt8(place % 8)
      #expect(try found(bytes).items == example.items(of: place), "a bit of byte \(place)")
    }
  }

  @Test("what a newer program wrote is refused, and nothing of the folder is touched")
  func newer() throws {
    let disk = SimulatedDisk(seed: 1)
    let bytes = JournalFrame.header(version: 2, room: "main").encoded() + [1, 2, 3]
    disk.put(bytes, as: "3.journal")
    disk.put(try Example().bytes, as: "2.journal")
    #expect(throws: Journal.OpenError.newer(version: 2, file: "3.journal")) { try Journal.open(disk, room: "main") }
    #expect(disk.bytes(of: "3.journal") == bytes)
    #expect(try disk.names().count == 2)
  }

  @Test("a file without all that was kept as it began is no file: the one before counts")
  func unfinished() throws {
    let disk = SimulatedDisk(seed: 1)
    let example = try Example()
    disk.put(example.bytes, as: "2.journal")
    let begin = JournalFrame.header(version: 1, room: "main").encoded()
    disk.put(begin + JournalFrame.whole([KeptItem("a", [])], isLast: false).encoded(), as: "3.journal")
    let (journal, found) = try Journal.open(disk, room: "main")
    #expect(found.items == example.ends.last?.items)
    try journal.begin([])
    #expect(try disk.names() == ["4.journal"])
  }

  @Test("every value comes back, and a text ends where a zero stood")
  func values() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try Journal.open(disk, room: "main").journal
    let values: [KeptValue] = [
      .integer(.min), .integer(.max), .number(-0.0), .number(1e-30), .flag(true), .flag(false), .text(""),
      .text("äß 🥁"),
    ]
    try journal.begin([KeptItem("a/b", values), KeptItem("empty", []), KeptItem("zero", [.text("a\0b")])])
    try journal.append(KeptChange(gone: ["empty"], items: [KeptItem("a/b/c", values)]))
    try journal.append(KeptChange(gone: ["a/b"]))
    try journal.append(KeptChange(items: [KeptItem("a/bc", values)]))
    let found = try Journal.open(disk, room: "").found
    #expect(found.items == ["zero": [.text("ab")], "a/bc": values])
    #expect(found.room == "main")
  }
}
