internal import JamCore

extension Beats: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(microBeats) }
  init(from reader: inout KeptReader) throws(KeptError) { self.init(microBeats: try reader.take()) }
}

extension Pad: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(Int(number)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let number = try reader.take(Int.self)
    guard let pad = Pad(place: number) else { throw .unexpected(.integer(Int64(number))) }
    self = pad
  }
}

extension Velocity: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(value) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let value = try reader.take(Float.self)
    guard let velocity = Velocity(value) else { throw .unexpected(.number(value)) }
    self = velocity
  }
}

extension PlayerName: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(text) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let text = try reader.take(String.self)
    guard let name = PlayerName(text) else { throw .unexpected(.text(text)) }
    self = name
  }
}

extension SampleID: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(description) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let text = try reader.take(String.self)
    guard let sample = SampleID(text) else { throw .unexpected(.text(text)) }
    self = sample
  }
}

extension Tempo: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(Float(beatsPerMinute)) }
  init(from reader: inout KeptReader) throws(KeptError) { self.init(clamping: Double(try reader.take(Float.self))) }
}

extension TimeSignature: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(Int(beatsPerBar))
    writer.put(Int(beatUnit))
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (beats, unit) = (try reader.take(Int.self), try reader.take(Int.self))
    guard let signature = TimeSignature(beatsPerBar: beats, beatUnit: unit) else {
      throw .unexpected(.integer(Int64(beats)))
    }
    self = signature
  }
}

/// By its words: a scale that only a newer program knows is none here.
extension MusicalKey: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(root.word)
    writer.put(scale.word)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (root, scale) = (try reader.take(String.self), try reader.take(String.self))
    guard let known = KeyRoot(rawValue: root), let scale = Scale(rawValue: scale) else {
      throw .unexpected(.text(root))
    }
    self.init(root: known, scale: scale)
  }
}

extension SavedProgression: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(name)
    writer.put(text)
    writer.put(player)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    self.init(name: try reader.take(), text: try reader.take(), player: try reader.take())
  }
}

// MARK: Settings

/// With a word for each type: a setting may be of another type one day.
extension SettingValue: Kept {
  func keep(in writer: inout KeptWriter) {
    switch self {
    case .float(let number):
      writer.put("float")
      writer.put(number)
    case .integer(let number):
      writer.put("integer")
      writer.put(Int(number))
    case .bool(let isOn):
      writer.put("bool")
      writer.put(isOn)
    case .text(let text):
      writer.put("text")
      writer.put(text)
    case .signature(let signature):
      writer.put("signature")
      writer.put(signature)
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let word = try reader.take(String.self)
    switch word {
    case "float": self = .float(try reader.take())
    case "integer": self = .integer(Int32(clamping: try reader.take(Int.self)))
    case "bool": self = .bool(try reader.take())
    case "text": self = .text(try reader.take())
    case "signature": self = .signature(try reader.take())
    default: throw .unexpected(.text(word))
    }
  }
}

/// Those that differ from what a new pad has, by their names.
extension PadSettings: Kept {
  func keep(in writer: inout KeptWriter) {
    let plain = PadSettings()
    let set = PadSetting.allCases.filter { self[$0] != plain[$0] }
    writer.put(set.count)
    for setting in set {
      writer.put(setting.row.path)
      writer.put(self[setting])
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    self.init()
    for _ in 0..<max(0, try reader.take(Int.self)) {
      let path = try reader.take(String.self)
      let value = try reader.take(SettingValue.self)
      // One that there is no more is left out.
      if let setting = PadSetting.allCases.first(where: { $0.row.path == path }) { self[setting] = value }
    }
  }
}

/// Those that edits hold: a pad's, a channel's, and the room's.
extension Setting: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(row.address)
    switch self {
    case .pad(_, let pad), .padSample(let pad), .padSteps(let pad): writer.put(pad)
    case .channelGain(let name), .channelMute(let name), .channelSolo(let name): writer.put(name)
    case .scene(let number), .sceneName(let number): writer.put(number)
    default: break
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let address = try reader.take(String.self)
    if let setting = Setting.keptByAddress[address] {
      self = setting
    } else if let setting = PadSetting.allCases.first(where: { Setting.pad($0, .first).row.address == address }) {
      self = .pad(setting, try reader.take())
    } else {
      self = try Setting(ofAnother: address, from: &reader)
    }
  }

  private init(ofAnother address: String, from reader: inout KeptReader) throws(KeptError) {
    switch address {
    case Setting.padSample(.first).row.address: self = .padSample(try reader.take())
    case Setting.padSteps(.first).row.address: self = .padSteps(try reader.take())
    case Setting.channelGain(.anybody).row.address: self = .channelGain(try reader.take())
    case Setting.channelMute(.anybody).row.address: self = .channelMute(try reader.take())
    case Setting.channelSolo(.anybody).row.address: self = .channelSolo(try reader.take())
    case Setting.scene(1).row.address: self = .scene(try Setting.sceneNumber(from: &reader))
    case Setting.sceneName(1).row.address: self = .sceneName(try Setting.sceneNumber(from: &reader))
    default: throw .unexpected(.text(address))
    }
  }

  /// Rooms were kept without it once: then every step is taken to be of the first scene.
  private static func sceneNumber(from reader: inout KeptReader) throws(KeptError) -> Int {
    guard case .integer = reader.peek else { return 1 }
    let number = try reader.take(Int.self)
    guard (1...Limits.standard.scenesPerRoom).contains(number) else {
      throw .unexpected(.integer(Int64(number)))
    }
    return number
  }

  private static let keptByAddress: [String: Setting] = {
    let plain = everyFixed.filter { setting in
      switch setting {
      case .pad, .padSample, .padSteps: false
      case .padName, .padSeconds, .padCategory, .padLit, .padPending, .padPlays: false
      case .scene, .sceneName: false
      default: true
      }
    }
    return Dictionary(plain.map { ($0.row.address, $0) }) { first, _ in first }
  }()
}

extension Pad {
  fileprivate static let first = Pad.all[0]
}

extension PlayerName {
  fileprivate static let anybody = PlayerName("player")!
}
