import JamCore
import Testing

@testable import JamKit

@Suite("kit.json")
struct KitDescriptionTests {
  private func read(_ text: String) -> KitDescription {
    KitDescription(id: "mine", reading: Array(text.utf8), of: "mine/kit.json")
  }

  private func pad(_ fields: String) -> KitDescription {
    read(#"{ "format": 1, "name": "Mine", "pads": [{ "pad": 3, "file": "a.wav", "name": "A"\#(fields) }] }"#)
  }

  @Test("every field reaches the kit")
  func everything() throws {
    let description = read(
      """
      { "format": 1, "name": "Mine", "category": "acoustic", "description": "One line.", "colours": ["#ff0080", "#00Aa11"],
        "credits": "Me.",
        "pads": [
          { "pad": 16, "file": "sub/b.flac", "name": "B" },
          { "pad": 2, "file": "a.wav", "name": "A", "category": "hat", "key": "F# minor", "gain": -3.5, "pan": 0.25,
            "choke": 2, "voices": 3, "mode": "gate" } ] }
      """)
    #expect(description.problems == [] && description.remarks == [])
    let kit = try #require(description.kit)
    #expect(kit.id == "mine" && kit.name == "Mine" && kit.category == "acoustic" && kit.description == "One line.")
    #expect(kit.colours == ["#ff0080", "#00Aa11"] && description.credits == "Me.")
    #expect(kit.pads.map { $0?.name } == [nil, "A"] + Array(repeating: nil, count: 13) + ["B"])
    let pad = try #require(kit.pads[1])
    #expect(pad.category == "hat" && pad.settings.gain == -3.5 && pad.settings.pan == 0.25)
    #expect(pad.settings.choke == 2 && pad.settings.voices == 3 && pad.settings.mode == .gate)
    #expect(pad.key == "F# minor" && description.pads[1]?.file == "a.wav")
    #expect(kit.pads[15]?.category == "other" && kit.pads[15]?.settings == PadSettings())
  }

  @Test("beats may be a fraction, and are written as they were read")
  func beats() {
    #expect(pad("").pads[2]?.settings.beats == 0)
    let description = pad(#", "beats": 1.5"#)
    #expect(description.problems == [] && description.kit?.pads[2]?.settings.beats == 1.5)
    #expect(description.json.contains(#""beats": 1.5"#))
  }

  @Test("kick, bass, chord, riser and loop cut themselves unless the kit says otherwise")
  func voices() {
    #expect(pad(#", "category": "bass""#).pads[2]?.settings.voices == 1)
    #expect(pad(#", "category": "loop""#).pads[2]?.settings.voices == 1)
    #expect(pad(#", "category": "bass", "voices": 4"#).pads[2]?.settings.voices == 4)
    #expect(pad(#", "category": "kick""#).pads[2]?.settings.voices == 1)
    #expect(pad(#", "category": "kick", "voices": 8"#).pads[2]?.settings.voices == 8)
    #expect(pad(#", "category": "snare""#).pads[2]?.settings.voices == 8)
  }

  @Test(
    "a wrong field is told with file, field and what would be right",
    arguments: [
      (#", "gain": 13"#, "pad 3, gain: 13 is out of range; write -60…12 dB"),
      (#", "gain": "loud""#, "pad 3, gain: is a text; write a number"),
      (#", "beats": 65"#, "pad 3, beats: 65 is out of range; write 0…64"),
      (#", "beats": -4"#, "pad 3, beats: -4 is out of range; write 0…64"),
      (#", "beats": "4""#, "pad 3, beats: is a text; write a number"),
      (#", "pan": -1.5"#, "pad 3, pan: -1.5 is out of range; write -1…1"),
      (#", "choke": 9"#, "pad 3, choke: 9 is out of range; write 0…8"),
      (#", "choke": 1.5"#, "pad 3, choke: is 1.5; write a whole number"),
      (#", "voices": 0"#, "pad 3, voices: 0 is out of range; write 1…8"),
      (#", "mode": "hold""#, #"pad 3, mode: "hold" is out of range; write one of oneshot gate loop repeat"#),
      (#", "mode": 1"#, "pad 3, mode: is a number; write one of oneshot gate loop repeat"),
      (
        #", "category": 7"#,
        "pad 3, category: is a number; write one of kick snare clap hat cymbal tom percussion bass chord lead voice fx riser impact loop other"
      ),
      (#", "key": "a very long musical key""#, "pad 3, key: a text of 23 characters is out of range; write 1–16"),
    ])
  func wrongPads(fields: String, text: String) {
    #expect(pad(fields).problems.map(\.description) == ["mine/kit.json: " + text])
    #expect(pad(fields).kit == nil)
  }

  @Test(
    "a wrong kit is told so",
    arguments: [
      ("[]", "mine/kit.json: is something else; write an object { … }"),
      (
        "{",
        "mine/kit.json: is not valid JSON (line 1, column 2: a field's name in quotes was expected); correct it there"
      ),
      (
        #"{ "name": "M", "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"#,
        #"mine/kit.json: format: is missing; add "format": 1"#
      ),
      (
        #"{ "format": 2, "name": "M", "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"#,
        "mine/kit.json: format: 2 is out of range; write 1"
      ),
      (
        #"{ "format": 1, "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"#,
        "mine/kit.json: name: is missing; add a text of 32 characters at most"
      ),
      (#"{ "format": 1, "name": "M" }"#, "mine/kit.json: pads: has no pads; give it one at least"),
      (#"{ "format": 1, "name": "M", "pads": [] }"#, "mine/kit.json: pads: has no pads; give it one at least"),
      (#"{ "format": 1, "name": "M", "pads": [1] }"#, "mine/kit.json: pads[0]: is a number; write an object"),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "file": "a", "name": "A" }] }"#,
        "mine/kit.json: pads[0], pad: is missing; add its number, 1–16"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 17, "file": "a", "name": "A" }] }"#,
        "mine/kit.json: pads[0], pad: 17 is out of range; write 1…16"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 1, "file": "a", "name": "A" }, { "pad": 1, "file": "b", "name": "B" }] }"#,
        "mine/kit.json: pad 1, pad: pad 1 is there twice; keep one"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 1, "name": "A" }] }"#,
        "mine/kit.json: pad 1, file: is missing; add a sound's path, or layers in its place"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 1, "file": "", "name": "A" }] }"#,
        "mine/kit.json: pad 1, file: a text of 0 characters is out of range; write 1–255"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 1, "file": "../a", "name": "A" }] }"#,
        "mine/kit.json: pad 1, file: ../a leads out of the kit's folder; copy the file into the folder"
      ),
      (
        #"{ "format": 1, "name": "M", "pads": [{ "pad": 1, "file": "/etc/passwd", "name": "A" }] }"#,
        "mine/kit.json: pad 1, file: /etc/passwd leads out of the kit's folder; copy the file into the folder"
      ),
      (
        #"{ "format": 1, "name": "M\n", "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"#,
        "mine/kit.json: name: a control character is out of range; write plain text on one line"
      ),
      (
        ##"{ "format": 1, "name": "M", "colours": ["#ff0000"], "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"##,
        ##"mine/kit.json: colours: a list of 1 is out of range; write two colours, as ["#e0452b", "#1d1d22"]"##
      ),
      (
        ##"{ "format": 1, "name": "M", "colours": "#ff0000", "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"##,
        ##"mine/kit.json: colours: is a text; write two colours, as ["#e0452b", "#1d1d22"]"##
      ),
      (
        ##"{ "format": 1, "name": "M", "colours": ["#ff0000", "red"], "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"##,
        ##"mine/kit.json: colours[1]: "red" is out of range; write # and six hexadecimal digits, as "#e0452b""##
      ),
      (
        ##"{ "format": 1, "name": "M", "colours": [7, "#00ff00"], "pads": [{ "pad": 1, "file": "a", "name": "A" }] }"##,
        ##"mine/kit.json: colours[0]: is a number; write a text as "#e0452b""##
      ),
    ])
  func wrongKits(text: String, error: String) {
    #expect(read(text).problems.map(\.description) == [error])
    #expect(read(text).kit == nil)
  }

  @Test("everything that is wrong is told at once")
  func atOnce() {
    let description = read(
      #"{ "format": 1, "pads": [{ "pad": 1, "file": "a", "name": "A", "gain": 99, "pan": 2 }, { "pad": 0 }] }"#)
    #expect(
      description.problems.map(\.field) == [
        "name", "pad 1, gain", "pad 1, pan", "pads[1], pad", "pads[1], file", "pads[1], name",
      ])
  }

  @Test("a field that nobody knows is told, with the one that was meant, and skipped")
  func strangers() {
    let description = pad(#", "gian": 3, "xyzzy": 1"#)
    #expect(description.kit != nil)
    #expect(
      description.remarks.map(\.description) == [
        "mine/kit.json: pad 3, gian: no such field; did you mean gain?",
        "mine/kit.json: pad 3, xyzzy: no such field; remove it",
      ])
  }

  @Test("what is written reads back the same")
  func roundTrip() throws {
    var description = KitDescription(id: "mine")
    description.name = #"A "quoted" \ name"#
    description.category = "c"
    description.description = "d"
    description.credits = "é 🥁"
    description.colours = ["#010203", "#a0b0c0"]
    description.order = -2.5
    var settings = PadSettings()
    settings.gain = 3.2
    settings.pan = -0.1
    settings.choke = 1
    settings.voices = 2
    settings.mode = .gate
    description.pads[0] = PadDescription(file: "a.flac", name: "A", category: .hat, key: "C", settings: settings)
    description.pads[15] = PadDescription(file: "b.flac", name: "B", category: .bass)
    let copy = read(description.json)
    #expect(copy.problems == [] && copy.remarks == [])
    #expect(copy.kit == description.kit && copy.pads == description.pads && copy.credits == description.credits)
    #expect(copy.order == -2.5)
  }
}
