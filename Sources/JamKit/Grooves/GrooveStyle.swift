internal import JamCore

/// How a kind of music plays a progression: its tempo, its drums, and the figures of bass and
/// chords.
///
/// A figure is a bar of sixteenths. For the bass, `R` is the root, `5` the fifth and `8` the
/// octave. For chords, `X` is loud and `x` soft. A `-` holds the note before it, and `.` is a rest.
struct GrooveStyle: Sendable {
  /// In bpm.
  var bpm: Float
  /// Names of ready-made blocks.
  var drums: [String]
  var bass: [String]
  var chords: [String]
  /// Ids of instruments, the best first. A kit's own bass goes before those.
  var bassInstruments: [String]
  var chordInstruments: [String]

  static func of(_ style: ShippedProgression.Style) -> GrooveStyle {
    switch style {
    case .pop:
      GrooveStyle(
        bpm: 112, drums: ["rock straight", "rock push", "house four on the floor"],
        bass: ["R-R-R-R-R-R-R-R-", "R---..R-R---..5-", "R-..R-R-..R-R-5-"],
        chords: ["X-------x-------", "X---x---X---x---", "X-----X-..x-x---"],
        bassInstruments: ["electric-piano", "organ"],
        chordInstruments: ["electric-piano", "organ", "pluck"])
    case .house:
      GrooveStyle(
        bpm: 124, drums: ["house four on the floor", "house shuffle", "house percussion"],
        bass: ["..R-..R-..R-..R-", "R-.R..R-.R..R-8-", "..R-..R-..R-.R8-"],
        chords: ["X--X--X----X--X-", "..X-..X-..X-..X-", "X-----..X--X--..", "X-.X-.X-..X-.X-."],
        bassInstruments: ["organ", "electric-piano"],
        chordInstruments: ["organ", "electric-piano", "pluck"])
    case .techno:
      GrooveStyle(
        bpm: 130, drums: ["house four on the floor", "house percussion"],
        bass: ["..R-..R-..R-..R-", "..RR..RR..RR..RR", "R.RR.RR.R.RR.R8."],
        chords: ["..X-...X-...x-..", "X-..........X-..", "X---------------"],
        bassInstruments: ["acid-bass", "reese"], chordInstruments: ["pluck", "soft-pad"])
    case .trance:
      GrooveStyle(
        bpm: 134, drums: ["house four on the floor", "house shuffle"],
        bass: ["..R-..R-..R-..R-", "..RR..RR..RR..R8"],
        chords: ["X-.X-.X-X-.X-.X-", "X-x-X-x-X-x-X-x-", "X---------------"],
        bassInstruments: ["reese", "acid-bass"], chordInstruments: ["pluck", "strings"])
    case .hipHop:
      GrooveStyle(
        bpm: 90, drums: ["hip-hop boom bap", "hip-hop swing", "hip-hop lazy"],
        bass: ["R-----R-..R-----", "R-------..R-R---", "R--.....R-..5-8-"],
        chords: ["X-------........", "X---------x-----", "X---....x-..x---"],
        bassInstruments: ["electric-piano", "organ"],
        chordInstruments: ["electric-piano", "soft-pad"])
    case .soul:
      GrooveStyle(
        bpm: 98, drums: ["funk one", "funk ghost notes", "funk open hat"],
        bass: ["R--R..R-..R-5-..", "R-.R..8-R-..5-R-", "R---..R-R-..5-8-"],
        chords: ["....X-......X-..", "X---..x-..X-....", "..x-X-....x-X-.."],
        bassInstruments: ["electric-piano", "organ"], chordInstruments: ["electric-piano", "organ"])
    case .jazz:
      GrooveStyle(
        bpm: 128, drums: ["bossa soft", "bossa rim"],
        bass: ["R-----R-5-----5-", "R---5---8---5---", "R-----5-R-----5-"],
        chords: ["x--x--x---x--x--", "X-....x-....X-..", "X-------x-------"],
        bassInstruments: ["electric-piano", "organ"], chordInstruments: ["electric-piano", "organ"])
    case .blues:
      GrooveStyle(
        bpm: 108, drums: ["rock straight", "rock push", "rock ride"],
        bass: ["R-R-5-5-R-R-5-5-", "R---5---8---5---", "R-R-R-5-8-5-R-5-"],
        chords: ["X---....X---....", "....X-......X-..", "X-------x---x---"],
        bassInstruments: ["organ", "electric-piano"], chordInstruments: ["organ", "electric-piano"])
    case .reggae:
      GrooveStyle(
        bpm: 76, drums: ["rock half time", "hip-hop lazy"],
        bass: ["R--R....R-5-R---", "....R-R-5---R---", "R---..R-8---5---"],
        chords: ["..X...X...X...X.", "..X...Xx..X...Xx"],
        bassInstruments: ["organ", "electric-piano"], chordInstruments: ["organ", "electric-piano"])
    case .latin:
      GrooveStyle(
        bpm: 118, drums: ["bossa clave", "bossa rim", "bossa soft"],
        bass: ["R-----5-....8---", "R-----5-R---..5-", "R--R--5-R--R--5-"],
        chords: ["X-xX-xX-X-xX-xX-", "X--X--X---X-X---", "x-X-.xX-x-X-.xX-"],
        bassInstruments: ["electric-piano", "organ"],
        chordInstruments: ["electric-piano", "pluck", "organ"])
    case .ambient:
      GrooveStyle(
        bpm: 80, drums: ["hip-hop lazy", "rock half time"],
        bass: ["R---------------", "R-------........", "R-----------5---"],
        chords: ["X---------------"],
        bassInstruments: ["electric-piano", "organ"], chordInstruments: ["soft-pad", "strings"])
    case .film:
      GrooveStyle(
        bpm: 92, drums: ["rock half time", "hip-hop boom bap", "rock ride"],
        bass: ["R-------R-------", "R---R---R---R---", "R-R-R-R-R-R-R-R-"],
        chords: ["X---------------", "X-------x-------"],
        bassInstruments: ["electric-piano", "organ"], chordInstruments: ["strings", "soft-pad"])
    }
  }
}
