import Foundation
import JamCore

@testable import JamWire

/// A room as `/sync` tells it, for tests of the tree: each value of the table at half of its range.
enum QueryRoom {
  static let tree = QueryTree.standard

  /// - Parameters:
  ///   - layers: the layers of the player's loop.
  ///   - steps: the steps that go round.
  static func view(
    _ asker: QueryView.Asker = .host, players: [String] = ["ann", "ben", "cleo", "dan"],
    layers: Int = 4,
    steps: Int = 64
  ) -> QueryView {
    let table = AddressTable.standard
    var view = QueryView(asker: asker)
    for (setting, place) in table.settings
    where isThere(setting, place, layers: layers, steps: steps) {
      for message in told(setting) { view.hear(message) }
    }
    view.hear(OSCMessage("/host", .int32(1)))
    for name in players.compactMap({ PlayerName($0) }) {
      let channel: [Setting] = [
        .channelGain(name), .channelMute(name), .channelSolo(name), .roleOf(name), .admitted(name),
        .seatOf(name),
      ]
      for message in channel.flatMap(told) { view.hear(message) }
    }
    for i in players.indices {
      view.hear(OSCMessage("/player/\(players[i])/seat", .int32(Int32(i + 1))))
    }
    for id in ["808", "909", "starter"] { view.hear(OSCMessage("/kit/\(id)", .float(0))) }
    for id in ["piano", "organ"] { view.hear(OSCMessage("/instrument/\(id)", .float(0))) }
    return view
  }

  private static func isThere(
    _ setting: Setting, _ place: AddressTable.SettingPlace, layers: Int, steps: Int
  ) -> Bool {
    switch setting {
    case .layerMute(let layer), .layerGain(let layer): layer <= layers
    case .step(_, let step): step <= steps
    default: setting.seat == nil
    }
  }

  private static func told(_ setting: Setting) -> [OSCMessage] {
    let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0)
    return AddressTable.standard.feedback(for: .value(setting, value(of: setting)), clock: clock)
      .messages
  }

  private static func value(of setting: Setting) -> SettingValue {
    switch setting.row.kind {
    case .signature: .signature(.common)
    case .float(nil, _): .float(0.25)
    case .integer(nil): .integer(3)
    case .text: .text("text")
    default: setting.row.kind.value(atShare: 0.5) ?? .text("text")
    }
  }

  // MARK: Answers

  static func json(
    _ path: String, _ query: String = "", _ view: QueryView, _ style: QueryStyle = .full
  ) -> String {
    String(
      decoding: tree.answer(path: path, wish: QueryWish(query: query), view: view, style: style)
        .json, as: UTF8.self)
  }

  static func status(
    _ path: String, _ query: String = "", _ view: QueryView
  ) -> QueryAnswer.Status {
    tree.answer(path: path, wish: QueryWish(query: query), view: view).status
  }

  /// The nodes of an answer by their paths.
  static func nodes(_ path: String, _ view: QueryView, _ style: QueryStyle = .full) throws
    -> [String: [String: Any]]
  {
    let object = try JSONSerialization.jsonObject(with: Data(json(path, "", view, style).utf8))
    var nodes: [String: [String: Any]] = [:]
    func walk(_ node: [String: Any]) {
      if let path = node["FULL_PATH"] as? String { nodes[path] = node }
      for child in (node["CONTENTS"] as? [String: Any] ?? [:]).values {
        if let child = child as? [String: Any] { walk(child) }
      }
    }
    if let root = object as? [String: Any] { walk(root) }
    return nodes
  }

  /// An address of the row that the view has.
  static func address(of entry: AddressEntry) -> String {
    let text =
      switch entry.segments.first {
      case "kit": "808"
      case "instrument": "piano"
      case "subscribe": "meters"
      default: "ann"
      }
    // Of the keys, the whole tree has the middle C with all its parts.
    let numbers = entry.numbers.map { $0.name == "key" ? 60 : $0.range.lowerBound }
    return entry.address(numbers: numbers, texts: [text, text])
  }
}
