internal import JamExport
internal import Testing

@Suite("General MIDI drums") struct DrumMapTests {
  private func keys(_ pads: (String, String)...) -> [UInt8] {
    DrumMap(pads: pads.map { (category: $0.0, name: $0.1) }).keys
  }

  @Test("the drums of a kit get the keys that drummers know")
  func common() {
    #expect(
      keys(
        ("kick", "Kick"), ("snare", "Snare"), ("clap", "Clap"), ("hat", "Closed hat"), ("hat", "Open hat"),
        ("hat", "Pedal hat"), ("tom", "Low tom"), ("tom", "Mid tom"), ("tom", "High tom"), ("tom", "Floor tom"),
        ("cymbal", "Crash"), ("cymbal", "Ride"), ("cymbal", "Ride bell"), ("percussion", "Rim"),
        ("percussion", "Cowbell"), ("percussion", "Shaker"))
        == [36, 38, 39, 42, 46, 44, 45, 47, 50, 41, 49, 51, 53, 37, 56, 70])
  }

  @Test("a name says more than the order of the pads")
  func order() {
    #expect(keys(("hat", "Open hat"), ("hat", "Tick"), ("hat", "Half-open hat")) == [46, 42, 44])
    #expect(
      keys(("hat", "Closed hat"), ("hat", "Half-open hat"), ("hat", "Open hat"), ("hat", "Pedal hat"))
        == [42, 37, 46, 44])
    #expect(keys(("kick", "A"), ("kick", "B"), ("kick", "C")) == [36, 35, 38])
  }

  @Test("sounds that are no drums begin at 36, and take no drum's key")
  func others() {
    #expect(
      keys(("bass", "Bass"), ("chord", "Open stab"), ("kick", "Kick"), ("hat", "Hat"), ("voice", "Hey"))
        == [37, 38, 36, 42, 40])
    #expect(GeneralMIDI.drums(category: "lead", name: "Ride bell").isEmpty)
  }

  @Test("no key twice, whatever the pads, and the same every time")
  func distinct() {
    let categories = ["kick", "snare", "clap", "hat", "tom", "percussion", "cymbal", "impact", "fx", "", "other"]
    let pads = (0..<128).map { (category: categories[$0 * 7 % 11], name: "Open low ride \($0)") }
    for count in [0, 1, 16, 100, 128] {
      let keys = DrumMap(pads: Array(pads.prefix(count))).keys
      #expect(Set(keys).count == count)
      #expect(keys.allSatisfy { $0 < 128 })
      #expect(keys == DrumMap(pads: Array(pads.prefix(count))).keys)
    }
    #expect(DrumMap(pads: pads + pads).keys.count == 256)
  }

  @Test("keys have General MIDI's names")
  func names() {
    #expect(GeneralMIDI.drumName(35) == "Acoustic Bass Drum")
    #expect(GeneralMIDI.drumName(42) == "Closed Hi Hat")
    #expect(GeneralMIDI.drumName(56) == "Cowbell")
    #expect(GeneralMIDI.drumName(81) == "Open Triangle")
    #expect(GeneralMIDI.drumName(34) == nil)
    #expect(GeneralMIDI.drumName(82) == nil)
    #expect(GeneralMIDI.drum(category: "kick") == 36)
    #expect(GeneralMIDI.drum(category: "bass") == nil)
  }
}
