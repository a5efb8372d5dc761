extension MusicalTime {
  /// Sorted by frame, one for each frame, the first at frame 0, every tempo within the range of the
  /// files.
  static func cleaned(_ given: [TempoStretch]) -> [TempoStretch] {
    var list: [TempoStretch] = []
    let sorted = given.filter { $0.frame.isFinite && $0.beat.isFinite }.sorted { $0.frame < $1.frame }
    for var stretch in sorted {
      if !(1...5_000).contains(stretch.beatsPerMinute) {
        stretch.beatsPerMinute = stretch.beatsPerMinute > 5_000 ? 5_000 : stretch.beatsPerMinute < 1 ? 1 : defaultTempo
      }
      if let last = list.last, last.frame == stretch.frame || stretch.frame <= 0 { list.removeLast() }
      list.append(stretch)
    }
    guard var first = list.first else { return [TempoStretch(frame: 0, beat: 0, beatsPerMinute: defaultTempo)] }
    // The first tempo determines the beat at frame 0, whether it begins before or after that frame.
    first.beat -= first.frame * first.beatsPerMinute / framesPerMinute
    first.frame = 0
    list[0] = first
    return list
  }

  /// The difference in beats that comes from the arithmetic alone.
  private static let arithmeticBeats = 1e-9

  /// Stretches whose tempo matches their beats, in the jam's count until a beat stands still. A
  /// tempo that already matches stays as it was given: computed from its frames and beats it would
  /// be 119.9999999999 in place of 120.
  static func joined(_ given: [TempoStretch]) -> [Stretch] {
    var list: [Stretch] = []
    var beat = given[0].beat
    for (i, stretch) in given.enumerated() {
      var framesPerBeat = framesPerMinute / stretch.beatsPerMinute
      let start = beat
      if i + 1 < given.count {
        let frames = given[i + 1].frame - stretch.frame
        let beats = given[i + 1].beat - stretch.beat
        let ratio = beats * framesPerBeat / frames
        if (0.5...2).contains(ratio) {
          let away = abs(frames / framesPerBeat - beats)
          if away > arithmeticBeats { framesPerBeat = frames / beats }
          beat += beats
        } else {
          beat += frames / framesPerBeat
        }
      }
      list.append(Stretch(frame: stretch.frame, beat: start, framesPerBeat: framesPerBeat))
    }
    return list
  }

  /// Sorted, one for each beat, moved along with the beats of `joined`, and within the range of the
  /// files.
  static func cleaned(
    _ given: [SignatureChange], given tempo: [TempoStretch], joined stretches: [Stretch]
  ) -> [SignatureChange] {
    var list: [SignatureChange] = []
    for var change in given.filter({ $0.beat.isFinite }).sorted(by: { $0.beat < $1.beat }) {
      let stretch = tempo.lastIndex { $0.beat <= change.beat } ?? 0
      change.beat += stretches[stretch].beat - tempo[stretch].beat
      change.beatsPerBar = min(max(change.beatsPerBar, 1), 255)
      let unit = min(max(change.beatUnit, 1), 128)
      // The power of two at or below.
      change.beatUnit = 1 << (Int.bitWidth - 1 - unit.leadingZeroBitCount)
      if let last = list.last, last.beat == change.beat { list.removeLast() }
      list.append(change)
    }
    return list
  }
}
