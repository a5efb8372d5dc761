internal import JamCore

/// A room's scenes, by their numbers from 1.
struct SceneBook: Equatable, Sendable {
  /// One place of it: both are empty where nothing is kept.
  struct Entry: Equatable, Sendable {
    var name = ""
    var scene: Scene?
  }

  private(set) var entries: [Entry]
  /// The one that was launched last; 0 is none.
  var launched = 0
  var waiting: WaitingScene?

  init(_ entries: [Entry] = []) {
    let most = Limits.standard.scenesPerRoom
    self.entries = Array(entries.prefix(most)) + Array(repeating: Entry(), count: max(0, most - entries.count))
  }

  subscript(number: Int) -> Entry {
    get { entries[number - 1] }
    set { entries[number - 1] = newValue }
  }

  /// Asks whether the value is one of the setting's.
  static func check(_ setting: Setting, _ value: SettingValue, _ limits: Limits) throws(Refusal) {
    switch (setting, value) {
    case (.sceneName, .text(let name)):
      guard name.isEmpty || ShownName.isValid(name, limits: limits) else {
        throw .badName(.scene, mostCharacters: limits.nameCharacters)
      }
    case (.scene, .text(let text)):
      guard Scene(text, limits: limits) != nil || text.allSatisfy(\.isWhitespace) else { throw .badScene(text) }
    default: throw .notSettable
    }
  }

  /// Sets the name of a place, or its scene; empty text takes that away.
  mutating func set(_ setting: Setting, to value: SettingValue, _ limits: Limits) {
    switch (setting, value) {
    case (.sceneName(let number), .text(let name)): self[number].name = name
    case (.scene(let number), .text(let text)): self[number].scene = Scene(text, limits: limits)
    default: break
    }
  }

  var isEmpty: Bool { entries.allSatisfy { $0 == Entry() } }

  /// Somebody goes on under another name.
  mutating func rename(_ old: PlayerName, to new: PlayerName) {
    for index in entries.indices { entries[index].scene?.rename(old, to: new) }
  }
}

/// A scene that is launched on a bar line.
struct WaitingScene: Equatable, Sendable {
  var number: Int
  /// The player who launched it.
  var player: PlayerID
  var line: Beats

  /// The time to launch it, while the transport runs.
  func deadline(_ view: TempoMapView) -> Frames {
    view.frame(at: line) - RoomState.liveDelay - RoomState.turnLead
  }
}

extension SceneBook.Entry: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(name)
    writer.put(scene?.text ?? "")
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (name, text) = (try reader.take(String.self), try reader.take(String.self))
    guard name.isEmpty || ShownName.isValid(name) else { throw .unexpected(.text(name)) }
    self.init(name: name, scene: Scene(text))
  }
}
