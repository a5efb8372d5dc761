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

  @Test("cut at each of its last 4,096 bytes it opens, with all that lies before, and that is no damage")
  func cut() throws {
    let example = try Example()
    for count in example.bytes.count - 4_096...example.bytes.count {
      let found = try found(Array(example.bytes.prefix(count)))
      #expect(found.items == example.items(of: count), "cut at \(count)")
      #expect(found.damagedBytes == 0, "cut at \(count)")
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

  @Test("a bit that turned after the disk had it for good costs the rows of its frame alone; the file is set aside")
  func later() throws {
    let disk = SimulatedDisk(seed: 1)
    let journal = try Journal.open(disk, room: "main").journal
    try journal.begin([KeptItem("row/0", [.integer(0)])])
    var ends = [journal.byteCount]
    for number in 1...40 {
      try journal.append(KeptChange(items: [KeptItem("row/\(number)", [.integer(Int64(number))])]))
      ends.append(journal.byteCount)
      if number % 5 == 0 { try journal.makeLast() }
    }
    let bytes = try #require(disk.bytes(of: "1.journal"))
    // Frame 36 is the last that says what the disk has for good: all up to 35.
    for place in ends[0]..<bytes.count {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(place % 8)
      let frame = try #require(ends.firstIndex { $0 > place })
      let disk = SimulatedDisk(seed: 1)
      disk.put(damaged, as: "1.journal")
      let (journal, found) = try Journal.open(disk, room: "main")
      let kept = frame <= 35 ? Set(0...40).subtracting([frame]) : Set(0..<frame)
      #expect(Set(found.items.keys) == Set(kept.map { "row/\($0)" }), "byte \(place), frame \(frame)")
      // A last frame that promises more than there is looks like one that was cut.
      #expect(found.damagedBytes > 0 || place < ends[39] + 4 && place >= ends[39], "byte \(place)")
      try journal.begin([])
      try journal.makeLast()
      #expect((disk.bytes(of: "1.journal.damaged") == damaged) == (frame <= 35), "byte \(place)")
    }
  }

  /// A file that begins with much, in several parts, and one change.
  private func begun() throws -> (bytes: [UInt8], change: Int, items: [String: [KeptValue]]) {
    let disk = SimulatedDisk(seed: 1)
    let journal = try Journal.open(disk, room: "main").journal
    let items = (0..<300).map { KeptItem("row/\($0)", [.integer(Int64($0)), .text("what is kept of it")]) }
    try journal.begin(items)
    let change = journal.byteCount
    try journal.append(KeptChange(items: [KeptItem("row/7", [.integer(-7)])]))
    var all = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.values) })
    all["row/7"] = [.integer(-7)]
    return (try #require(disk.bytes(of: "1.journal")), change, all)
  }

  @Test("damage in what a file begins with costs a part of it, is told, and the file is set aside")
  func beginning() throws {
    let (bytes, change, items) = try begun()
    for place in stride(from: 0, to: bytes.count, by: 13) {
      var damaged = bytes
      damaged[place] ^= 0x10
      let disk = SimulatedDisk(seed: 1)
      disk.put(damaged, as: "1.journal")
      let (journal, found) = try Journal.open(disk, room: "main")
      #expect(found.damagedBytes > 0, "byte \(place)")
      #expect(found.items.count >= 300 - 64, "byte \(place): \(found.items.count)")
      #expect(found.items.allSatisfy { items[$0.key] == $0.value || $0.key == "row/7" }, "byte \(place)")
      if place < change {
        try journal.begin([])
        try journal.makeLast()
        #expect(disk.bytes(of: "1.journal.damaged") == damaged, "byte \(place)")
        #expect(disk.bytes(of: "1.journal") == nil)
      }
    }
  }

  @Test("of a file in which nothing holds nothing is had; it is told and set aside, and an older whole one counts")
  func garbage() throws {
    let disk = SimulatedDisk(seed: 1)
    let noise = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 3) }
    disk.put(noise, as: "2.journal")
    let (journal, found) = try Journal.open(disk, room: "main")
    #expect(found.items.isEmpty && found.damagedBytes == noise.count)
    try journal.begin([])
    try journal.makeLast()
    #expect(disk.bytes(of: "2.journal.damaged") == noise)
    let other = SimulatedDisk(seed: 1)
    let (bytes, _, items) = try begun()
    other.put(noise, as: "2.journal")
    other.put(bytes, as: "1.journal")
    let older = try Journal.open(other, room: "main").found
    #expect(older.items == items && older.damagedBytes == noise.count)
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
    try journal.makeLast()
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
