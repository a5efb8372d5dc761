/// A patch as one hit plays it: which instrument it came from, and how that was set.
///
/// Its text holds all of it. So what is kept of a hit, in a score, a loop or a block, sounds the same where that
/// instrument is another by now, or is not there at all. Of a sampled instrument it holds which one that is, and what is set of it:
/// hits of that are a zone's sound, as a pad's hits are a kit's.
///
/// Thread: any.
public struct Patch: Hashable, Sendable, CustomStringConvertible {
  /// Of the instrument.
  public var id: String
  public var settings: PatchSettings
  /// The instrument's keys play recorded sounds.
  public var isSampled: Bool

  public init(id: String, settings: PatchSettings, isSampled: Bool = false) {
    self.id = id
    self.settings = settings
    self.isSampled = isSampled
  }

  public init(_ instrument: Instrument) {
    self.init(id: instrument.id, settings: instrument.patch, isSampled: instrument.isSampled)
  }

  /// `acid-bass;osc1/shape=saw;filter/cutoff=400`: what is other than a plain patch, in the order of the settings.
  public var description: String {
    let plain = PatchSettings()
    return PatchSetting.allCases.reduce(into: isSampled ? id + Patch.sampledWord : id) { text, setting in
      guard settings[setting] != plain[setting] else { return }
      text += ";\(setting.row.path)=\(settings[setting].word)"
    }
  }

  /// - Returns: nil where it is no text of a patch. What no setting is called so is left out; a number out of range is the nearest.
  public init?(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard let id = parts.first, !id.isEmpty, id.utf8.count <= 64 else { return nil }
    self.init(id: String(id), settings: PatchSettings())
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return nil }
      // A word of its own: a program that knows none plays a plain patch.
      if ";\(part)" == Patch.sampledWord { isSampled = true }
      guard let setting = PatchSetting.named(pair[0]) else { continue }
      guard let value = SettingValue(word: pair[1], as: setting.row.kind) else { return nil }
      settings[setting] = value
    }
  }

  private static let sampledWord = ";sampled=1"

  /// Tells instruments apart where there is no room for a name: FNV-1a of the id.
  public var number: UInt32 { id.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } }
}

extension PatchSetting {
  private static let byPath = Dictionary(uniqueKeysWithValues: allCases.map { (Substring($0.row.path), $0) })

  /// - Parameter path: as its row has it.
  static func named(_ path: Substring) -> PatchSetting? { byPath[path] }
}

extension SettingValue {
  /// As a text; the same value comes of it again.
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
