extension MusicalTime {
  /// Beats that are closer than this count as one: the jam counts millionths of a beat, and a part
  /// that begins with a bar begins on the whole frame next to the bar line.
  private var closeBeats: Double { max(1e-6, 0.6 / stretches[0].framesPerBeat) }

  /// Makes the beat at frame 0 beat 0 of the file, with all later bar lines where a grid expects
  /// them.
  ///
  /// A file's bars are counted from its beginning, and no format allows a first bar of 2.37 beats.
  /// So a session that begins between two counted beats gets a pick-up. The time up to the next
  /// beat line, which is a half to one and a half beats, counts as one beat, at a tempo that gives
  /// this beat its real length. Whole beats before the first bar line form a bar of their own. From
  /// the first beat line on, everything that was on the grid is on the grid, and all times are
  /// correct everywhere.
  mutating func alignBars() {
    let start = stretches[0].beat
    let close = closeBeats
    let current = signatures.lastIndex { $0.beat <= start + close }
    let signature = current.map { signatures[$0] } ?? MusicalTime.assumed(before: signatures.first, at: start)
    let later = signatures.dropFirst((current ?? -1) + 1)

    let barsBefore = ((start + close - signature.beat) / signature.barBeats).rounded(.down)
    let barLine = signature.beat + barsBefore * signature.barBeats
    let bar = signature.bar + (Int(exactly: barsBefore) ?? 0)
    if start - barLine < close {
      var first = signature
      first.bar = bar
      let line = startOnBarLine(barLine) ? barLine : start
      move(by: { $0 - line }, first: [first.at(0)], later: later)
      return
    }
    // A signature may begin before the bar is full.
    let next = min(barLine + signature.barBeats, later.first?.beat ?? .infinity)
    var following = signature
    if let change = later.first, change.beat == next { following = change }
    following.bar = bar + 1
    let rest = later.filter { $0.beat > next }

    let gap = next - start
    let wholeBeats = ((gap - signature.counted / 2) / signature.counted).rounded(.down)
    if wholeBeats >= 0 {
      var pickUp = signature
      pickUp.bar = bar
      pickUp.beatsPerBar = Int(exactly: wholeBeats).map { $0 + 1 } ?? 1
      let anchor = next - wholeBeats * signature.counted
      let firstBar = pickUp.barBeats
      stretchStart(to: anchor, over: signature.counted, first: [pickUp.at(0), following.at(firstBar)], later: rest)
    } else {
      // As long as a beat before the bar line, so that the tempo stays similar even where the unit
      // changes.
      let beats = max(1, (signature.counted / following.counted).rounded(.up)) * following.counted
      stretchStart(to: next + beats, over: beats, first: [following.at(0)], later: rest)
    }
  }

  /// Begins the session on a bar line that is less than a frame away. All later changes move by
  /// that part of a frame, so that the first tempo stays as it is.
  /// - Returns: false, with nothing changed, where the second stretch begins just as close.
  private mutating func startOnBarLine(_ barLine: Double) -> Bool {
    let shift = (stretches[0].beat - barLine) * stretches[0].framesPerBeat
    var moved = stretches
    moved[0].beat = barLine
    for index in moved.indices.dropFirst() { moved[index].frame += shift }
    if moved.count > 1, moved[1].frame <= 0 || moved[1].beat <= barLine { return false }
    replace(stretches: moved, signatures: signatures)
    return true
  }

  /// The time from frame 0 to `anchor`, a beat line of the jam, becomes the first `beats` of the
  /// file.
  private mutating func stretchStart(
    to anchor: Double, over beats: Double, first: [SignatureChange], later: [SignatureChange]
  ) {
    let start = stretches[0].beat
    let anchorFrame = frame(atBeat: anchor)
    if !stretches.contains(where: { $0.beat == anchor }) {
      let before = stretches.lastIndex { $0.beat < anchor } ?? 0
      let framesPerBeat = stretches[before].framesPerBeat
      let cut = Stretch(frame: anchorFrame, beat: anchor, framesPerBeat: framesPerBeat)
      replace(
        stretches: Array(stretches[...before]) + [cut] + Array(stretches[(before + 1)...]), signatures: signatures)
    }
    let factor = beats / (anchor - start)
    move(
      by: { $0 < anchor ? ($0 - start) * factor : $0 - anchor + beats }, first: first, later: later[...],
      // Stretches before the anchor now run at another tempo.
      tempo: { $0 < anchor ? 1 / factor : 1 })
  }

  /// Applies `map` to every beat, and drops signatures that repeat the one in force.
  private mutating func move(
    by map: (Double) -> Double, first: [SignatureChange], later: ArraySlice<SignatureChange>,
    tempo: (Double) -> Double = { _ in 1 }
  ) {
    let moved = stretches.map {
      Stretch(frame: $0.frame, beat: map($0.beat), framesPerBeat: $0.framesPerBeat * tempo($0.beat))
    }
    var list: [SignatureChange] = []
    for change in first + later.map({ $0.at(map($0.beat)) }) {
      if let last = list.last, last.beatsPerBar == change.beatsPerBar, last.beatUnit == change.beatUnit,
        last.isBarLine(change.beat)
      {
        continue
      }
      list.append(change)
    }
    replace(stretches: moved, signatures: list)
  }

  /// 4/4, with a bar line at the first signature that is known, or at the session's beginning.
  private static func assumed(before change: SignatureChange?, at start: Double) -> SignatureChange {
    guard let change else { return SignatureChange(beat: start, bar: 1, beatsPerBar: 4, beatUnit: 4) }
    let bars = ((change.beat - start) / 4).rounded(.up)
    return SignatureChange(
      beat: change.beat - bars * 4, bar: change.bar - (Int(exactly: bars) ?? 0), beatsPerBar: 4, beatUnit: 4)
  }
}

extension SignatureChange {
  /// A counted beat in quarter notes.
  var counted: Double { 4 / Double(beatUnit) }
  /// A bar in quarter notes.
  var barBeats: Double { counted * Double(beatsPerBar) }

  func at(_ beat: Double) -> SignatureChange {
    var moved = self
    moved.beat = beat
    return moved
  }

  /// Whether this signature has a bar line at `beat`, to a millionth of a beat.
  func isBarLine(_ beat: Double) -> Bool {
    let bars = (beat - self.beat) / barBeats
    return abs(bars - bars.rounded()) * barBeats < 1e-6
  }
}
