import Foundation
import JamCore
import Testing

@testable import JamRoom

/// Each setting has a place: a row of its owner, or a rule of the room that names it. The compiler
/// asks a new `Setting` for its `SettingRow` alone.
@Suite struct SettingPlaceTests {
  private static let pad = Pad.all[0]
  private static let ann = PlayerName("ann")!

  /// One of each setting that rules of the room name, because a row cannot hold its value.
  private static let byHand: [Setting] = [
    .pad(.gain, pad), .padSample(pad), .padName(pad), .padSeconds(pad), .padCategory(pad), .padLit(pad),
    .padPending(pad), .padPlays(pad), .layerMute(1), .layerGain(1), .step(pad, 1), .padSteps(pad), .laneSlot(1, 1),
    .laneState(1), .lanePlaying(1), .laneFocus(1), .roleOf(ann), .tempoSource, .recording, .lock, .sceneName(1),
    .scene(1), .sceneLaunched, .sceneWaiting, .admitted(ann), .seatOf(ann), .seatName(1),
    .seatTaken(1), .ofSeat(1, .channelGain(.anybody)), .door, .light(.buildUp), .soundingTempo,
    .buildUpBars, .mixGain(ann), .mixMute(ann), .groove(.drums), .grooveParts, .grooveName, .groovePlayer,
  ]

  private static let named: [Setting] = [.channelGain(ann), .channelMute(ann), .channelSolo(ann)]

  /// One of each setting that has a place.
  private static let placed = RoomRow.all.map(\.facts.setting) + named + byHand

  private static let sources: String = {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"
  }()

  /// The text of a source between two texts.
  private func text(of path: String, from start: String, to end: String) throws -> Substring {
    let text = try String(contentsOfFile: Self.sources + "/" + path, encoding: .utf8)
    let behind = try #require(text.split(separator: start, maxSplits: 1).last, "\(path): \(start)")
    #expect(behind.count < text.count)
    return try #require(behind.split(separator: end, maxSplits: 1).first)
  }

  @Test("each case of Setting has a row of its owner, or a rule of the room that names it")
  func cases() throws {
    let text = try text(of: "JamCore/Setting.swift", from: "public enum Setting: Hashable, Sendable {", to: "\n}")
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
    // Behind each `case`: names with commas between them, some with values in parentheses.
    let names = lines.joined(separator: " ").split(separator: "case ").flatMap { names in
      names.matches(of: /(\w+)(\([^)]*\))?/).map { String($0.output.1) }
    }
    #expect(names.count > 90 && names.contains("padSample") && names.contains("sceneWaiting"))
    let placed = Set(Self.placed.map { String("\($0)".prefix { $0.isLetter }) })
    // A step of the room's history has no value, and `indirect` is a word of Swift's.
    let others: Set = ["takenBack", "indirect"]
    for name in names where !placed.contains(name) && !others.contains(name) {
      Issue.record("Setting.\(name) has no Row in its owner's rows, and is none of those that rules of the room name")
    }
    #expect(placed.isSubset(of: names))
  }

  @Test("each setting is read, and set where its row says that it can be", arguments: placed)
  func isUsed(setting: Setting) throws {
    var stage = Stage(Fixture.state(hasSpeakers: true))
    let ann = try stage.join(Self.ann.text, isHost: true)
    #expect(refusal { () throws(Refusal) in _ = try stage.state.value(of: setting, for: ann) } != .notReadable)
    // A command of its own takes the host word.
    guard setting.row.access != .read, setting != .host else { return }
    let value = anyValue(of: setting.row.kind)
    // A command for a seat is one for whoever sits there.
    let named = try stage.state.roster.requireSeated(setting)
    #expect(refusal { () throws(Refusal) in try stage.state.checkSet(named, to: value, by: ann) } != .notSettable)
  }

  @Test("the settings that checkSet names are those that set names")
  func halves() throws {
    let path = "JamRoom/State/RoomState+Settings.swift"
    let checked = try text(of: path, from: "  func checkSet(_ setting: Setting", to: "\n  }\n")
    let set = try text(of: path, from: "  mutating func set(\n    _ setting: Setting, to", to: "\n  }\n")
    #expect(names(in: checked) == names(in: set))
    #expect(names(in: checked).count > 20)
  }

  @Test("no two settings have the same address: none has the row of another")
  func addresses() {
    var settings: [String: Setting] = [:]
    for setting in Self.placed {
      let other = settings.updateValue(setting, forKey: setting.row.address)
      #expect(other == nil, "\(setting) and \(String(describing: other)) are both \(setting.row.address)")
    }
  }

  /// The settings that the cases of a switch over a setting and its value name.
  private func names(in text: Substring) -> Set<Substring> {
    let cases = text.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("case ") }
    let patterns = cases.compactMap { $0.split(separator: "):", maxSplits: 1).first }
    return Set(patterns.flatMap { $0.matches(of: /\(\.(\w+)/).map(\.output.1) })
  }

  private func anyValue(of kind: SettingKind) -> SettingValue {
    switch kind {
    case .float(let range, _): .float(Float(range?.lowerBound ?? 1))
    case .integer(let range): .integer(Int32(range?.lowerBound ?? 1))
    case .bool: .bool(true)
    case .text: .text("")
    case .choice(let words): .text(words[0])
    case .signature: .signature(TimeSignature(beatsPerBar: 3, beatUnit: 4)!)
    }
  }

  private func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}
