/// The patch of a hit: the id of its instrument, and the instrument's settings at that time.
///
/// A patch's text holds all of its settings. A hit that is kept in a score, a loop or a block
/// therefore sounds the same after its instrument has changed or has gone. For a sampled instrument
/// the patch only holds the id and the settings: the sound of such a hit is a zone's, as the sound
/// of a pad's hit is a kit's.
///
/// Thread: any.
public struct Patch: Hashable, Sendable, CustomStringConvertible {
  /// The id of the instrument.
  public var id: String
  public var settings: PatchSettings
  /// Whether the instrument's keys play recorded sounds.
  public var isSampled: Bool

  public init(id: String, settings: PatchSettings, isSampled: Bool = false) {
    self.id = id
    self.settings = settings
    self.isSampled = isSampled
  }

  public init(_ instrument: Instrument) {
    self.init(id: instrument.id, settings: instrument.patch, isSampled: instrument.isSampled)
  }

  /// The settings that differ from a plain patch, in the order of the settings:
  /// `acid-bass;osc1/shape=saw;filter/cutoff=400`.
  public var description: String {
    let plain = PatchSettings()
    return PatchSetting.allCases.reduce(into: isSampled ? id + Patch.sampledWord : id) { text, setting in
      guard settings[setting] != plain[setting] else { return }
      text += ";\(setting.row.path)=\(settings[setting].word)"
    }
  }

  /// Unknown settings are ignored, and a number out of range becomes the nearest one in range.
  /// - Returns: nil where the text is not a patch.
  public init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let id = parts.first, !id.isEmpty, id.utf8.count <= 64 else { return nil }
    self.init(id: String(id), settings: PatchSettings())
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      // This word is not a setting. A program that does not know the word plays a plain patch.
      if ";\(part)" == Patch.sampledWord { isSampled = true }
      guard let setting = PatchSetting.named(pair[0]) else { continue }
      guard let value = SettingValue(word: pair[1], as: setting.row.kind) else { return nil }
      settings[setting] = value
    }
  }

  private static let sampledWord = ";sampled=1"

  /// A short number that distinguishes instruments where there is no room for a name: FNV-1a of the
  /// id.
  public var number: UInt32 { id.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } }
}

extension PatchSetting {
  private static let byPath = Dictionary(uniqueKeysWithValues: allCases.map { (Substring($0.row.path), $0) })

  /// - Parameter path: the path of the setting's row.
  static func named(_ path: Substring) -> PatchSetting? { byPath[path] }
}

extension SettingValue {
  /// The value as a text. Reading the text gives the same value again.
  fileprivate var word: String {
    switch self {
    case .float(let number): "\(number)"
    case .integer(let number): "\(number)"
    case .bool(let isOn): isOn ? "1" : "0"
    case .text(let text): text
    case .signature(let signature): "\(signature.beatsPerBar)/\(signature.beatUnit)"
    }
  }

  fileprivate init?(word: Substring, as kind: SettingKind) {
    switch kind {
    case .float:
      guard let number = Float(word), number.isFinite else { return nil }
      self = .float(number)
    case .integer:
      guard let number = Int32(word) else { return nil }
      self = .integer(number)
    case .bool: self = .bool(word == "1")
    case .choice(let words):
      guard words.contains(String(word)) else { return nil }
      self = .text(String(word))
    case .text, .signature: return nil
    }
  }
}
