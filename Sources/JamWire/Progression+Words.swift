internal import JamCore

extension Progression.Fault {
  /// The fault, and how to correct it.
  var words: String {
    switch self {
    case .empty: "there is no chord in it, as I V vi IV"
    case .tooMany(let most): "it has more than \(most) chords"
    case .tooLong(let most): "it has more than \(most) characters"
    case .notAChord(let text, let place): "chord \(place), \(text), is no chord: write I, vi, 5, Am or F#7"
    case .unknownType(let type, let chord, let place):
      "chord \(place), \(chord): no chord is called so behind its root: \(type)"
    case .badBass(let bass, let chord, let place): "chord \(place), \(chord): no bass is called \(bass)"
    case .badInversion(let text, let chord, let place): "chord \(place), \(chord): \(text) is no inversion of it"
    case .badLength(let text, let chord, let place): "chord \(place), \(chord): \(text) is no length in beats"
    case .degreesAndNotes(let degree, let note):
      "\(degree) is a degree, which follows the key, and \(note) is a note: write all of them in one way"
    case .nothingToRepeat(let place): "% at place \(place) repeats the chord before it, and there is none"
    case .barOverfull(let bar): "the chords of bar \(bar) are longer than the bar"
    }
  }
}
