/// The settings of a pad's sound. The range of each value is in its row (`PadSetting.row`).
@frozen
public struct PadSettings: Hashable, BitwiseCopyable, Sendable {
  /// dB.
  public var gain: Float = 0
  /// How far each hit varies at random from `gain`, in both directions, in dB.
  public var gainRandom: Float = 0
  /// −1 (left) … 1 (right), constant power.
  public var pan: Float = 0
  /// How far each hit varies at random from `pan`, in both directions.
  public var panRandom: Float = 0
  /// The point in the sound at which a hit begins, in ms of the sound.
  public var start: Float = 0
  /// How many ms a hit takes to fade; 0 plays the whole sound.
  public var decay: Float = 0
  /// How many ms a held hit takes to fade after its release; 0 ends at once, without a click.
  public var release: Float = 0
  /// Semitones; the duration changes with the pitch.
  public var transpose: Float = 0
  /// How far each hit varies at random from `transpose`, in both directions, in semitones.
  public var transposeRandom: Float = 0
  /// How many times as long the sound plays at the same pitch.
  public var stretch: Float = 1
  public var stretchQuality: StretchQuality = .fast
  /// The length of the whole sound in beats; 0 where the sound does not follow the tempo.
  public var beats: Float = 0
  public var mute = false
  /// While a pad of the player has `solo`, the player's other pads are silent.
  public var solo = false
  /// The group whose members cut each other off; 0 is none.
  public var choke: UInt8 = 0
  /// The number of voices that the pad may have at once. With 1, each hit cuts the one before.
  public var voices: UInt8 = 8
  public var mode: PadMode = .oneShot

  public init() {}

  /// The settings for a sound that was made `fit` times as long, to last its beats.
  package func fitted(by fit: Float) -> PadSettings {
    guard fit != 1 else { return self }
    var fitted = self
    fitted.stretch = PadSetting.stretch.row.kind.bounded(stretch * fit)
    fitted.start = PadSetting.start.row.kind.bounded(start * (fitted.stretch / stretch))
    fitted.decay = PadSetting.decay.row.kind.bounded(decay * (fitted.stretch / stretch))
    return fitted
  }

  /// The range of `start` and `decay`.
  public static let milliseconds: ClosedRange<Double> = 0...60_000
  /// The range of `release`.
  public static let releases: ClosedRange<Double> = 0...10_000
}

/// How carefully a sound is stretched.
@frozen
public enum StretchQuality: String, CaseIterable, BitwiseCopyable, Sendable { case fast, best }

/// The effect of a press and a release. The raw values are the words of the protocol and of kits.
@frozen
public enum PadMode: String, CaseIterable, BitwiseCopyable, Sendable {
  /// The sound plays to its end.
  case oneShot = "oneshot"
  /// The sound plays while the pad is held.
  case gate
  /// A press starts the sound, which repeats without a gap. The next press stops it.
  case loop
  /// The sound repeats on the room's grid while the pad is held.
  case `repeat`

  /// Whether hits sound until they are released.
  public var isHeld: Bool { self == .gate || self == .loop }
}

/// The settings of a pad. Their order is the order in which a room tells them.
///
/// A new setting needs a case, a row, and a property in `PadSettings`. JamRoom applies the setting
/// to a hit (`start` in `RoomState+Sounding`).
public enum PadSetting: Int, CaseIterable, Hashable, Sendable {
  case gain, gainRandom, pan, panRandom, start, decay, release, transpose, transposeRandom, stretch, stretchQuality,
    beats, mode, voices, choke, mute, solo

  /// How far a change of the setting reaches.
  public enum Reach: Sendable {
    /// Only to the next hit.
    case nextHit
    /// To the next hit, and to the pad's running loop.
    case runningLoop
    /// To all sounds that play.
    case level
    /// To the player's other pads.
    case solo
    /// To the sound itself, which is made anew.
    case sound
  }

  /// The property in `PadSettings`.
  enum Place: Sendable {
    case float(WritableKeyPath<PadSettings, Float> & Sendable)
    case integer(WritableKeyPath<PadSettings, UInt8> & Sendable)
    case bool(WritableKeyPath<PadSettings, Bool> & Sendable)
    case mode(WritableKeyPath<PadSettings, PadMode> & Sendable)
    case quality(WritableKeyPath<PadSettings, StretchQuality> & Sendable)
  }

  public struct Row: Sendable {
    /// The address after `/pad/<n>/`.
    public let path: String
    /// The name of its value.
    public let argument: String
    public let kind: SettingKind
    public let reach: Reach
    /// The setting's name in kits and blocks; nil where they do not hold it.
    public let kitName: String?
    /// One line of text.
    public let summary: String
    let place: Place

    fileprivate init(
      _ path: String, _ argument: String, _ kind: SettingKind, _ reach: Reach, inKits kitName: String?, _ place: Place,
      _ summary: String
    ) {
      self.path = path
      self.argument = argument
      self.kind = kind
      self.reach = reach
      self.kitName = kitName
      self.place = place
      self.summary = summary
    }
  }

  public var row: Row { PadSetting.rows[rawValue] }

  private static let rows: [Row] = allCases.map { setting in
    switch setting {
    case .gain:
      Row(
        "gain", "gain", .decibels, .level, inKits: "gain", .float(\.gain),
        "The pad's level, for what sounds, too; −60 is silence.")
    case .gainRandom:
      Row(
        "gain/random", "gain random", .float(0...12, unit: "dB"), .nextHit, inKits: "gainRandom", .float(\.gainRandom),
        "How far each hit strays from it.")
    case .pan:
      Row(
        "pan", "pan", .float(-1...1), .runningLoop, inKits: "pan", .float(\.pan),
        "Left −1, right 1; for a loop that runs, too.")
    case .panRandom:
      Row(
        "pan/random", "pan random", .float(0...1), .nextHit, inKits: "panRandom", .float(\.panRandom),
        "How far each hit strays from it.")
    case .start:
      Row(
        "start", "start", .float(PadSettings.milliseconds, unit: "ms"), .nextHit, inKits: "start", .float(\.start),
        "Where the sound begins, counted in the stretched sound, from the next hit on.")
    case .decay:
      Row(
        "decay", "decay", .float(PadSettings.milliseconds, unit: "ms"), .nextHit, inKits: "decay", .float(\.decay),
        "After how long it fades, within 10 ms more; 0 is the whole sound. Not for mode `loop`.")
    case .release:
      Row(
        "release", "release", .float(PadSettings.releases, unit: "ms"), .nextHit, inKits: "release", .float(\.release),
        "How long it fades once it is let go of, in modes `gate` and `loop`; 0 is as short as can be without a click.")
    case .transpose:
      Row(
        "transpose", "transpose", .float(-24...24, unit: "semitones"), .runningLoop, inKits: "transpose",
        .float(\.transpose), "Higher and shorter; for a loop that runs, too.")
    case .transposeRandom:
      Row(
        "transpose/random", "transpose random", .float(0...12, unit: "semitones"), .nextHit, inKits: "transposeRandom",
        .float(\.transposeRandom), "How far each hit strays from it.")
    case .stretch:
      Row(
        "stretch", "stretch", .float(0.25...4), .sound, inKits: "stretch", .float(\.stretch),
        "So many times as long, at the same pitch.")
    case .stretchQuality:
      Row(
        "stretch/quality", "quality", .choice(StretchQuality.allCases.map(\.rawValue)), .sound,
        inKits: "stretchQuality", .quality(\.stretchQuality), "How carefully; `best` takes longer to come in.")
    case .beats:
      Row(
        "beats", "beats", .float(0...64), .nextHit, inKits: "beats", .float(\.beats),
        "The whole sound is so many beats long and follows the room's tempo; 0 does not follow.")
    case .mode:
      Row(
        "mode", "mode", .choice(PadMode.allCases.map(\.rawValue)), .nextHit, inKits: "mode", .mode(\.mode),
        """
        Plays to its end, sounds while held, goes round until the next press, whatever the mode is by then, \
        or rolls while held.
        """
      )
    case .voices:
      Row(
        "voices", "voices", .integer(1...8), .nextHit, inKits: "voices", .integer(\.voices),
        "Hits that sound at once; 1 cuts itself.")
    case .choke:
      Row(
        "choke", "choke", .integer(0...8), .nextHit, inKits: "choke", .integer(\.choke),
        "Pads of the same group cut each other off; 0 is none.")
    case .mute:
      Row("mute", "on", .bool, .level, inKits: nil, .bool(\.mute), "The pad is silent, with what sounds on it.")
    case .solo:
      Row("solo", "on", .bool, .solo, inKits: nil, .bool(\.solo), "Only the player's soloed pads sound, at once.")
    }
  }

  /// The settings of a hit in a score (`/loop/define`), in the score's order. New settings come
  /// last, because older scores do not have them.
  public static let ofVoicings: [PadSetting] = [
    .gain, .pan, .panRandom, .start, .decay, .transpose, .transposeRandom, .stretch, .stretchQuality, .mode, .choke,
    .voices, .gainRandom, .release,
  ]

  /// The number of settings in the oldest scores. The later settings may be missing.
  public static let countInEveryScore = 12
}

extension PadSettings {
  /// Any setting by its name. A value of another type changes nothing; a value out of range sets
  /// the nearest one.
  public subscript(setting: PadSetting) -> SettingValue {
    get {
      switch setting.row.place {
      case .float(let path): .float(self[keyPath: path])
      case .integer(let path): .integer(Int32(self[keyPath: path]))
      case .bool(let path): .bool(self[keyPath: path])
      case .mode(let path): .text(self[keyPath: path].rawValue)
      case .quality(let path): .text(self[keyPath: path].rawValue)
      }
    }
    set {
      switch (setting.row.place, setting.row.kind.nearest(newValue)) {
      case (.float(let path), .float(let number)): self[keyPath: path] = number
      case (.integer(let path), .integer(let number)): self[keyPath: path] = UInt8(clamping: number)
      case (.bool(let path), .bool(let isOn)): self[keyPath: path] = isOn
      case (.mode(let path), .text(let word)): PadMode(rawValue: word).map { self[keyPath: path] = $0 }
      case (.quality(let path), .text(let word)): StretchQuality(rawValue: word).map { self[keyPath: path] = $0 }
      default: break
      }
    }
  }
}
