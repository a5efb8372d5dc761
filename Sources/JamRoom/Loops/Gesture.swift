internal import JamCore
internal import JamEngine

/// A hand's moves of a recorded note: hundreds a second. A loop keeps 128 of a note at most.
struct Gesture: Equatable, Sendable {
  private(set) var moves: [NoteMove] = []
  /// Those of one kind lie no closer.
  private var every = Gesture.closest
  private var keyBend: Float = 0
  private var wheel: Float = 0

  /// 10 ms at 120 bpm.
  private static let closest = Beats(microBeats: 20_000)

  /// - Parameter wheel: the bend by the player's wheel at the note's beginning, in semitones.
  init(wheel: Float = 0) { if wheel != 0 { setWheel(wheel, at: .zero) } }

  /// - Parameter beat: from the note's beginning; here and below.
  mutating func setHeight(_ height: Float, at beat: Beats) { move(.height, to: height, at: beat) }

  mutating func setBend(_ semitones: Float, at beat: Beats) {
    keyBend = semitones
    move(.bend, to: keyBend + wheel, at: beat)
  }

  mutating func setWheel(_ semitones: Float, at beat: Beats) {
    wheel = semitones
    move(.bend, to: keyBend + wheel, at: beat)
  }

  private mutating func move(_ kind: NoteMove.Kind, to value: Float, at beat: Beats) {
    let range = NoteMove.range(of: kind)
    add(NoteMove(at: max(.zero, beat), kind, min(max(value, range.lowerBound), range.upperBound)))
    // The longer a note is, the fewer of its moves are told apart.
    while moves.count > NoteMove.most {
      every = every * 2
      let all = moves
      moves = []
      for move in all { add(move) }
    }
  }

  private mutating func add(_ move: NoteMove) {
    guard let last = moves.lastIndex(where: { $0.kind == move.kind }) else { return moves.append(move) }
    if moves[last].value == move.value { return }
    if move.at - moves[last].at < every { moves[last].value = move.value } else { moves.append(move) }
  }
}

extension Loop {
  /// A hand moves the notes that it holds.
  /// - Parameters:
  ///   - key: nil is all keys.
  ///   - beat: the room's.
  mutating func captureMove(of key: Pad?, at beat: Beats, _ move: (inout Gesture, Beats) -> Void) {
    for index in captured.indices where captured[index].isMoved(with: key) {
      move(&captured[index].gesture, beat - captured[index].sounds)
    }
    for index in late.indices where late[index].hit.isMoved(with: key) {
      move(&late[index].hit.gesture, beat - late[index].hit.sounds)
    }
  }
}

extension CapturedHit {
  fileprivate func isMoved(with key: Pad?) -> Bool {
    start.pad.isKey && isHeld && start.pad == key ?? start.pad
  }
}

extension LoopHit: Moved {}
