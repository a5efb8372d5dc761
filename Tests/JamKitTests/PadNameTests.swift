import Testing

@testable import JamKit

@Suite("Pad names")
struct PadNameTests {
  @Test(
    "categories come from the words of a name",
    arguments: [
      ("TR808_BD_Long", PadCategory.kick), ("kick-01", .kick), ("Bass Drum", .kick), ("Bass_C2", .bass),
      ("SubDrop", .bass),
      ("SD 1", .snare), ("Snare", .snare), ("HandClap", .clap), ("CHH", .hat), ("HiHat Open", .hat), ("OH", .hat),
      ("Ride Bell", .cymbal), ("Crash16", .cymbal), ("FloorTom", .tom), ("LT", .tom), ("RimShot", .percussion),
      ("Shaker2", .percussion), ("Am7 Stab", .chord), ("chords", .chord), ("Lead Saw", .lead), ("Vox Ah", .voice),
      ("Riser 8 bars", .riser), ("Impact", .impact), ("Drum Loop 120bpm", .loop), ("Kick Loop", .loop), ("Siren", .fx),
      ("Ocean", .other), ("Ghost", .other), ("123", .other), ("VariBreaks Kick 1", .kick), ("breaks kick", .kick),
      ("Kick 1 (VariBreaks)", .kick), ("Amen Breaks", .loop), ("break_02", .loop), ("Loops 3 Snare", .snare),
      ("Bass House Clap", .clap), ("kickloop", .loop), ("snaredrum", .snare), ("Kick 808", .kick),
      ("808 Snare", .snare),
      ("Vox Oh", .voice), ("Crash Reverse", .riser), ("Reverse Cymbals 2", .riser), ("Reversed Snare", .fx),
      ("reverse", .fx), ("Synth Pad", .chord), ("Breakfast", .other), ("Bassoon", .other),
      ("Synth Bass", .bass), ("Tambourine", .percussion), ("Hi-Hats", .hat), ("Bass Drums", .kick),
      ("Snare Side Stick", .percussion), ("Ride Cow Bell", .percussion), ("Hat Wood Block", .percussion),
      ("Kick Build Up", .riser), ("BD Break", .kick), ("CY Bell", .cymbal), ("Crashes", .cymbal),
      ("Break Noise", .loop), ("Mas Que Nada", .other),
    ])
  func categories(name: String, category: PadCategory) {
    #expect(PadCategory(guessedFrom: name) == category)
  }

  @Test(
    "names are cleaned for people",
    arguments: [
      ("03_Kick-Deep", "Kick Deep"), ("001", "001"), ("__", "Sound"), ("SnareDrum2", "Snare Drum 2"), ("é_ü", "É ü"),
      ("a\u{7}b", "A b"), (String(repeating: "long ", count: 20), "Long long long long long long lo"),
    ])
  func names(name: String, cleaned: String) {
    #expect(PadName.cleaned(name) == cleaned)
  }
}
