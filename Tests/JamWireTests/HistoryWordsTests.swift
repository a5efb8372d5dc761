import JamCore
import Testing

@testable import JamWire

@Suite struct HistoryWordsTests {
  private func arguments(_ event: Event) -> [OSCArgument]? {
    AddressTable.standard.entries.lazy.compactMap { $0.tell?(event) }.first
  }

  @Test("a history is told as lines, the next step first, with the values of settings and how many steps there are")
  func lines() {
    let steps = HistorySteps(
      undo: [
        .init(.setting(.tempo), .init(.float(120), .float(97.25)), isOfRoom: true),
        .init(.setting(.pad(.gain, Pad(3)!)), .init(.float(0), .float(-6.5))), .init(.layer(2)), .init(.lanes([1, 2])),
        .init(.setting(.leveller), .init(.bool(true), .bool(false))),
        .init(.setting(.sceneName(2)), .init(.text(""), .text("Intro"))),
        .init(.setting(.scene(3)), .init(.text(""), .text("anna loop pad1")), isOfRoom: true),
        .init(.setting(.effect(.lowGain)), .init(.float(0.004), .float(-0.05))),
      ], of: 40, redo: [.init(.kit("house"))], of: 1)
    let lines = [
      "room: tempo 120 → 97.25", "pad 3 gain 0 → −6.5", "layer 2", "lanes 1 and 2", "master leveller on → off",
      "scene 2 name none → Intro", "room: scene 3", "fx eq low gain 0 → −0.05",
    ]
    let expected: [OSCArgument] = [
      .string(lines.joined(separator: "\n")), .string("kit house"), .int32(40), .int32(1),
    ]
    #expect(arguments(.ownSteps(steps)) == expected && arguments(.roomSteps(steps)) == expected)
  }

  @Test("what was changed together is called by what its parts have in common, or by the first")
  func together() {
    let eq = [Undone.setting(.effect(.lowGain)), .setting(.effect(.lowFrequency)), .setting(.effect(.highGain))]
    #expect(Undone.several(eq).text == "fx eq (3 changes)")
    let mutes = [1, 2, 12].map { Undone.setting(.pad(.mute, Pad($0)!)) }
    #expect(Undone.several(mutes).text == "pad mute (3 changes)")
    #expect(Undone.several([.layer(2), .setting(.tempo), .kit("house")]).text == "layer 2 and 2 more")
  }

  @Test("a groove and its parts are called by phrases, which pages translate as a whole")
  func grooves() {
    #expect(Undone.groove.text == "the groove")
    #expect(Undone.setting(.groove(.bass)).text == "bass of the groove")
  }

  @Test("all of a player is called by its name")
  func allOfPlayer() throws {
    let anna = try #require(PlayerName("anna"))
    #expect(Undone.everything(of: anna).text == "all of anna")
    #expect(Undone.takingBack(of: anna).text == "taking back all of anna")
    #expect(
      Undone.takingBackButMusic(of: anna).text
        == "taking back all of anna, without the music of anna, who is not here")
  }

  @Test("a long text is told by its beginning")
  func longText() throws {
    let chords = String(repeating: "Am F C G ", count: 20)
    let steps = HistorySteps(
      undo: [.init(.setting(.progression), .init(.text(""), .text(chords)))], of: 1, redo: [], of: 0)
    guard case .string(let text)? = arguments(.ownSteps(steps))?.first else { throw OSCError.empty }
    #expect(text == "progression none → Am F C G Am F C G Am F …")
  }
}
