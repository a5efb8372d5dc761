internal import JamCore

/// A figure of sixteenths, played bar after bar over the chords of a progression.
struct GrooveFigure {
  /// One note or chord of the figure.
  struct Note: Equatable {
    var mark: Character
    /// From the beginning, in steps.
    var step: Int
    /// In steps; at least 1.
    var length: Int
  }

  let marks: [Character]

  /// - Parameter text: at least one mark.
  init(_ text: String) { marks = Array(text) }

  /// The notes of so many steps. A bar that is shorter than the figure has its beginning, and a
  /// longer bar begins the figure anew.
  /// - Parameters:
  ///   - starts: the steps at which a chord begins. No note is held over such a step.
  ///   - again: the mark of a note at a chord's beginning that would only be held there; nil leaves
  ///     the rest.
  func notes(steps: Int, perBar: Int, starts: [Int], again: Character?) -> [Note] {
    guard steps > 0, perBar > 0, !marks.isEmpty else { return [] }
    let begins = Set(starts)
    var notes: [Note] = []
    var isHeld = false
    for step in Range(from: 0, to: steps) {
      var mark = marks[(step % perBar) % marks.count]
      if mark == "-", begins.contains(step) || step % perBar == 0 {
        mark = isHeld ? again ?? "." : "."
      }
      switch mark {
      case "-": if isHeld { notes[notes.count - 1].length += 1 }
      case ".": isHeld = false
      default:
        notes.append(Note(mark: mark, step: step, length: 1))
        isHeld = true
      }
    }
    return notes
  }
}
