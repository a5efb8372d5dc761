internal import JamCore
internal import JamEngine

/// One setting of an `Owner`: where its value lies, who may set it, and what follows from a change.
/// An owner is a part of a player (`Hands`, `Channel`, …) or of the room (`Mix`, `Clock`, …).
///
/// Setting, reading, undo, guests, the journal's list and a part's list in projects go through
/// rows. They name a setting where a rule sets it, or where an order is older than rows. Its
/// `SettingRow` holds the facts that clients see.
/// Thread: any; immutable.
struct Row<Owner>: Sendable {
  let facts: RowFacts
  let read: @Sendable (Owner) -> SettingValue
  /// Throws where the value is no value of the setting. Nil where a rule of the room sets it, or
  /// nobody.
  let check: (@Sendable (SettingValue) throws(Refusal) -> Void)?
  /// Sets the nearest value in range.
  /// - Returns: false, with nothing changed, for a value that `check` refuses.
  let write: (@Sendable (inout Owner, SettingValue) -> Bool)?
  /// The value that is kept, where that is another than the one that is read.
  let readKept: (@Sendable (Owner) -> SettingValue)?
  /// The engine's command for the new value, which is the room's or that player's; nil is none.
  let engine: (@Sendable (Owner, PlayerID) -> EngineAction)?

  /// A setting that is set by its row.
  init(
    _ setting: Setting, _ place: RowPlace<Owner>, right: RowRight = .everybody, log: RowLog = .plain,
    engine: (@Sendable (Owner, PlayerID) -> EngineAction)? = nil, replans: [Replan] = [], follows: [Follow] = [],
    namesPads: Bool = false, kept: Keeping = []
  ) {
    let row = setting.row
    facts = RowFacts(
      setting: setting, isOwnEdit: row.undo == .player, isSet: true, right: right, log: log,
      replans: replans, follows: follows, namesPads: namesPads, kept: kept)
    read = place.read
    let (kind, write) = (row.kind, place.write)
    check = place.check
    self.write = { owner, value in write(&owner, value, kind) }
    readKept = nil
    self.engine = engine
  }

  /// A setting that a rule of the room sets, or that is only read.
  init(
    _ setting: Setting, kept: Keeping = [], keptAs readKept: (@Sendable (Owner) -> SettingValue)? = nil,
    read: @escaping @Sendable (Owner) -> SettingValue
  ) {
    facts = RowFacts(
      setting: setting, isOwnEdit: setting.row.undo == .player, isSet: false, kept: kept)
    self.read = read
    check = nil
    write = nil
    self.readKept = readKept
    engine = nil
  }
}

/// The part of a row that does not depend on its owner.
struct RowFacts: Sendable {
  let setting: Setting
  /// A change is an edit in the player's own history.
  let isOwnEdit: Bool
  /// The row itself sets the value.
  let isSet: Bool
  var right = RowRight.everybody
  var log = RowLog.plain
  /// Plans that are made anew before the change is logged.
  var replans: [Replan] = []
  /// Consequences behind the change in the log.
  var follows: [Follow] = []
  /// The player's pads play other notes: their names are told behind the value.
  var namesPads = false
  var kept: Keeping = []
}

/// The right to set a setting.
enum RowRight: Sendable {
  case everybody
  /// Everybody, while that is not reserved for hosts.
  case unlocked(Lock)
  case host(Refusal.HostDeed)
  /// A host, where the server has loudspeakers.
  case speakers
}

/// The log's entry of a change, and the engine's command with it.
enum RowLog: Sendable {
  /// With the action of the row's `engine`, if it has one.
  case plain
  /// The same, but only a value that is another than before, and as the room has it.
  case changed
  /// In no log: it is no part of the music.
  case none
  /// With the buses that are soloed, or the click's level.
  case solo, click
  /// With the place of the player who ducks the channel. As `changed`.
  case duck

  /// Whether a value that stays as it was is in no log.
  var isOfChanges: Bool {
    switch self {
    case .changed, .duck: true
    case .plain, .none, .solo, .click: false
    }
  }
}

/// A plan that is made anew before a change is logged.
enum Replan: Sendable {
  /// The player's rolls, on another grid.
  case rolls
  /// The player's pads roll all, or do not any more.
  case repeats
  /// The player's arpeggiator, on other lines.
  case arpeggio
  /// The arpeggiator takes the keys that are held, or lets go of them.
  case heldKeys
  /// The arpeggiator rests where no key is held.
  case latch
  /// All that lies on a grid: the room swings otherwise.
  case swing
  /// Loops of pads: the room is higher or lower.
  case tuning
  /// Names of notes: the room has another key.
  case key
  /// The player has chosen its timing.
  case timing
  /// Everybody is told of the player's latency.
  case latency
  /// The player holds the room's control, or has let go of it.
  case hold(PlayedControl)
}

/// A consequence behind a change in the log.
enum Follow: Sendable {
  /// The click in the player's cue.
  case cue
  /// The player is told where its click cannot be heard.
  case unheardClick
  /// Kits that follow the room's key move.
  case kits
}

/// The places that keep the value of a setting beyond the room's own memory.
struct Keeping: OptionSet, Sendable {
  let rawValue: UInt8
  /// For a guest who falls silent and comes back.
  static let guest = Keeping(rawValue: 1)
  /// In the journal, in the list of settings of the player or of the mix.
  static let journal = Keeping(rawValue: 2)
  /// In projects, in the list of settings of a part. A setting of the room needs a place in
  /// `ProjectImage` and `ProjectReading` beside this.
  static let project = Keeping(rawValue: 4)
  /// In the journal, in a row of its own: `RoomImage` and `KeptReading` name it.
  static let ownRow = Keeping(rawValue: 8)
  static let everywhere: Keeping = [.guest, .journal, .project]
}

/// The origin of a change.
enum Setter: Sendable {
  /// A player, now.
  case player
  /// An undo or a redo.
  case undo
  /// A kept room, project, part or guest. It holds all values.
  case kept
  /// A line of a score that was written by hand.
  case score
  /// A line of a log, which holds what came of the change in lines of their own.
  case log

  /// Whether the change brings others with it: kits follow the key, sends follow the kit.
  var bringsOthers: Bool { self != .kept && self != .log }
  /// Whether hands lie on the keys: the arpeggiator takes them, a progression begins.
  var hasHands: Bool { self != .score && self != .log }
  /// Whether the player's own history holds the change.
  var isOwnEdit: Bool { self == .player || self == .kept }
}

/// The value of an owner that a setting names, and its type.
struct RowPlace<Owner>: Sendable {
  let read: @Sendable (Owner) -> SettingValue
  let check: @Sendable (SettingValue) throws(Refusal) -> Void
  let write: @Sendable (inout Owner, SettingValue, SettingKind) -> Bool

  static func float(_ path: WritableKeyPath<Owner, Float> & Sendable) -> RowPlace {
    float({ $0[keyPath: path] }) { owner, number, kind in owner[keyPath: path] = kind.bounded(number) }
  }

  /// A number that is more than a property.
  static func float(
    _ read: @escaping @Sendable (Owner) -> Float,
    write: @escaping @Sendable (inout Owner, Float, SettingKind) -> Void
  ) -> RowPlace {
    RowPlace(
      read: { .float(read($0)) },
      check: { value throws(Refusal) in guard case .float = value else { throw .notSettable } },
      write: { owner, value, kind in
        guard case .float(let number) = value else { return false }
        write(&owner, number, kind)
        return true
      })
  }

  static func integer(_ path: WritableKeyPath<Owner, Int> & Sendable) -> RowPlace {
    RowPlace(
      read: { .integer(Int32(clamping: $0[keyPath: path])) },
      check: { value throws(Refusal) in guard case .integer = value else { throw .notSettable } },
      write: { owner, value, kind in
        guard case .integer(let number) = value else { return false }
        owner[keyPath: path] = Int(kind.bounded(number))
        return true
      })
  }

  static func bool(_ path: WritableKeyPath<Owner, Bool> & Sendable) -> RowPlace {
    RowPlace(
      read: { .bool($0[keyPath: path]) },
      check: { value throws(Refusal) in guard case .bool = value else { throw .notSettable } },
      write: { owner, value, _ in
        guard case .bool(let isOn) = value else { return false }
        owner[keyPath: path] = isOn
        return true
      })
  }

  /// - Parameters:
  ///   - choice: what the words are of, for the refusal of an unknown one.
  ///   - parse: reads a word, in any writing that people have for it.
  static func word<Word: SettingWord>(
    _ path: WritableKeyPath<Owner, Word> & Sendable, _ choice: Refusal.Choice,
    parse: @escaping @Sendable (String) -> Word? = { text in Word.allCases.first { $0.word == text } }
  ) -> RowPlace {
    RowPlace(
      read: { .text($0[keyPath: path].word) },
      check: { value throws(Refusal) in
        guard case .text(let text) = value else { throw .notSettable }
        guard parse(text) != nil else { throw .unknownWord(choice, text) }
      },
      write: { owner, value, _ in
        guard case .text(let text) = value, let word = parse(text) else { return false }
        owner[keyPath: path] = word
        return true
      })
  }
}
