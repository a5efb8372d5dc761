internal import JamCore

/// The address space, defined in one place. Dispatch, checks, error texts, documents and feedback
/// all come from its rows.
///
/// Thread: any; immutable.
public struct AddressTable: Sendable {
  /// The table of this server.
  public static let standard = AddressTable(
    sections: [
      (.players, playerRows + seatRows), (.pads, padRows + ownSoundRows + cueRows),
      (.keys, keyRows), (.effects, effectRows),
      (.clock, clockRows + tempoRows + buildUpRows),
      (.loops, loopRows + noteRows + blockRows + sceneRows + grooveRows),
      (.projects, projectRows), (.takes, takeRows),
      (.library, searchRows),
      (
        .sent,
        sentRows + keySentRows + blockSentRows + tempoSentRows + buildUpSentRows + projectSentRows + takeSentRows
          + searchSentRows
      ),
    ])

  public let entries: [AddressEntry]
  /// Each address without free text, with all combinations of its numbers.
  let concrete: [String: Resolution]
  /// The addresses of all settings.
  let settings: [Setting: SettingPlace]
  /// The places that patterns can match, in the table's order: settings, and the buttons of a pad.
  let ownSettings: [SettingPlace]
  /// Rows with free text in the address.
  let shaped: [Int]
  /// The rows that send each kind of event.
  let tellers: [[Int]]
  /// The first parts of all addresses. Most unknown addresses are recognised by their first part.
  let heads: Set<Substring>
  public var families: Set<Substring> { heads }
  /// The row of a key's step.
  let keySteps: Int?
  /// Rows with numbers in the address that clients can send, by the number of their parts.
  let numbered: [[Int]]
  /// Known addresses for suggestions, by their length in bytes.
  let lookalikes: [[String]]

  struct SettingPlace: Sendable {
    var address: String
    var segments: [String]
    var entry: Int
    var numbers: (Int, Int)
  }

  init(sections: [(AddressEntry.Section, [AddressEntry])]) {
    var entries: [AddressEntry] = []
    for (section, rows) in sections {
      for var row in rows {
        row.section = section
        entries.append(row)
      }
    }
    var concrete: [String: Resolution] = [:]
    var settings: [Setting: SettingPlace] = [:]
    var own: [SettingPlace] = []
    var shaped: [Int] = []
    var keySteps: Int?
    for (i, entry) in entries.enumerated() {
      if entry.segments.contains(where: { $0.first == "<" && !AddressEntry.isNumber($0) }) {
        shaped.append(i)
        continue
      }
      // The keys have thousands of steps, so a step's address is found by its form and not in a
      // table.
      if entry.isKeyStep {
        keySteps = i
        continue
      }
      for numbers in AddressTable.combinations(entry.numbers.map(\.range)) {
        let address = entry.address(numbers: [numbers.0, numbers.1], texts: [])
        // A row that is only sent, under the address of a control, does not hide that control.
        if entry.access != .sent || concrete[address] == nil {
          concrete[address] = Resolution(
            entry: i, numbers: numbers, hit: entry.template == "/pad/<n>" ? Pad(numbers.0) : nil,
            seat: entry.isOfSeat ? numbers.0 : nil)
        }
        let place = SettingPlace(
          address: address, segments: address.split(separator: "/").map(String.init), entry: i, numbers: numbers)
        if entry.isOwnPadAction { own.append(place) }
        guard let setting = entry.setting?(numbers) else { continue }
        if settings[setting] == nil { settings[setting] = place }
        if entry.isOwnSetting { own.append(place) }
      }
    }
    self.entries = entries
    self.concrete = concrete
    self.settings = settings
    self.ownSettings = own
    self.shaped = shaped
    self.keySteps = keySteps
    tellers = EventKind.allCases.map { kind in entries.indices.filter { entries[$0].tells == kind } }
    heads = Set(entries.compactMap(\.segments.first) + ["room", "player", "n"])
    var numbered = [[Int]](repeating: [], count: (entries.map(\.segments.count).max() ?? 0) + 1)
    for (i, entry) in entries.enumerated() where entry.access != .sent && !entry.numbers.isEmpty {
      numbered[entry.segments.count].append(i)
    }
    self.numbered = numbered
    let known = concrete.filter { entries[$0.value.entry].access != .sent }.keys
    var lookalikes = [[String]](repeating: [], count: (known.map(\.utf8.count).max() ?? 0) + 1)
    for address in known { lookalikes[address.utf8.count].append(address) }
    self.lookalikes = lookalikes
  }

  /// Every pair of numbers; a missing number is 0.
  private static func combinations(_ ranges: [ClosedRange<Int>]) -> [(Int, Int)] {
    guard let first = ranges.first else { return [(0, 0)] }
    let second = ranges.count > 1 ? ranges[1] : 0...0
    return first.flatMap { a in second.map { (a, $0) } }
  }
}

/// A resolved address: its row, and its variable parts.
///
/// A class, so that a look-up copies only one reference.
final class Resolution: Sendable {
  let room: PlayerName?
  let player: PlayerName?
  let entry: Int
  let numbers: (Int, Int)
  let texts: [String]
  /// Whether the message's value is a share of the setting's range: `/n/<address>`.
  let isShare: Bool
  /// The pad of a plain hit. Hits come thousands of times a second, so they take a shorter path.
  let hit: Pad?
  /// The seat whose row it is.
  let seat: Int?
  /// The seat in front of the address, whose player acts.
  let actingSeat: Int?

  init(
    entry: Int, numbers: (Int, Int) = (0, 0), texts: [String] = [], room: PlayerName? = nil, player: PlayerName? = nil,
    isShare: Bool = false, hit: Pad? = nil, seat: Int? = nil, actingSeat: Int? = nil
  ) {
    self.room = room
    self.player = player
    self.entry = entry
    self.numbers = numbers
    self.texts = texts
    self.isShare = isShare
    self.hit = hit
    self.seat = seat
    self.actingSeat = actingSeat
  }

  /// The same row for a share of its setting's range.
  var asShare: Resolution {
    Resolution(
      entry: entry, numbers: numbers, texts: texts, room: room, player: player, isShare: true,
      seat: seat, actingSeat: actingSeat)
  }

  /// The same row with the room, the player or the player's seat that the address names.
  func with(room: PlayerName?, player: PlayerName?, actingSeat: Int? = nil) -> Resolution {
    if room == nil && player == nil && actingSeat == nil { return self }
    return Resolution(
      entry: entry, numbers: numbers, texts: texts, room: room, player: player, isShare: isShare,
      hit: hit, seat: seat, actingSeat: actingSeat)
  }
}
