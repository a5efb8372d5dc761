import JamCore

/// The pads of a kit that play the parts of its demo beat.
///
/// Pads come in the order of their numbers. Pads in mode `loop` are left out, because nothing would
/// stop them again.
struct DemoCast {
  var kick: Pad?
  var snare: Pad?
  var clap: Pad?
  var closedHat: Pad?
  var openHat: Pad?
  var crash: Pad?
  var percussion: [Pad] = []
  var toms: [Pad] = []
  var basses: [Pad] = []
  var chords: [Pad] = []
  var leads: [Pad] = []
  var voice: Pad?
  /// The pads to play where a kit has none of the parts above.
  var others: [Pad] = []

  init(_ kit: Kit) {
    let pads = Pad.all.filter { kit[$0].map { $0.settings.mode != .loop } ?? false }
    func of(_ category: PadCategory) -> [Pad] { pads.filter { kit[$0]?.category == category.rawValue } }
    func isCalled(_ pad: Pad, _ words: [String]) -> Bool {
      let name = kit[pad]?.name.lowercased() ?? ""
      return words.contains { name.contains($0) }
    }
    kick = of(.kick).first
    let snares = of(.snare)
    snare = snares.first { !isCalled($0, ["ghost", "rim", "roll", "soft"]) } ?? snares.first
    clap = of(.clap).first
    let hats = of(.hat)
    openHat = hats.first { isCalled($0, ["open", "long"]) }
    closedHat = hats.first { $0 != openHat && !isCalled($0, ["pedal", "half"]) }
    // Hats by other names: the first is short, the second is long.
    if openHat == nil { openHat = hats.first { $0 != closedHat && !isCalled($0, ["pedal"]) } }
    crash = of(.cymbal).first { isCalled($0, ["crash", "splash"]) } ?? of(.cymbal).first { !isCalled($0, ["ride"]) }
    percussion = Array(of(.percussion).prefix(3))
    toms = Array(of(.tom).prefix(3))
    basses = Array(of(.bass).prefix(4))
    chords = Array(of(.chord).prefix(4))
    leads = Array(of(.lead).prefix(4))
    voice = of(.voice).first
    let hasParts =
      kick != nil || snare != nil || closedHat != nil || !percussion.isEmpty || !toms.isEmpty || !basses.isEmpty
      || !chords.isEmpty || !leads.isEmpty
    if !hasParts { others = pads }
  }
}
