extension ExportSession {
  /// A part of the session as a session of its own. Beats and bars keep the jam's count.
  /// - Parameters:
  ///   - first: frame that becomes 0.
  ///   - frames: how many.
  public func cut(from first: Int, frames: Int) -> ExportSession {
    var cut = self
    cut.frames = frames
    cut.tempo = tempo.map { stretch in
      var stretch = stretch
      stretch.frame -= Double(first)
      return stretch
    }
    // The last tempo before the part holds at its beginning.
    if let last = cut.tempo.lastIndex(where: { $0.frame <= 0 }) {
      cut.tempo.removeFirst(last)
      let minutes = -cut.tempo[0].frame / Double(60 * ExportSession.framesPerSecond)
      cut.tempo[0].beat += minutes * cut.tempo[0].beatsPerMinute
      cut.tempo[0].frame = 0
      if let signature = cut.signatures.lastIndex(where: { $0.beat <= cut.tempo[0].beat + 0.001 }) {
        cut.signatures.removeFirst(signature)
      }
    }
    cut.markers = markers.map { marker in
      var marker = marker
      marker.frame -= first
      // A rounded bar line, and the chord on it, may lie a frame in front of the part that begins
      // with it.
      if marker.kind == .bar || marker.kind == .chord, marker.frame == -1 { marker.frame = 0 }
      return marker
    }.filter { $0.frame >= 0 && $0.frame < frames }
    // A key that was set before the part holds at its beginning.
    let keyBefore = keys.last { $0.frame <= first }.map { [$0] } ?? []
    let keysWithin = keys.filter { $0.frame > first && $0.frame < first + frames }
    cut.keys = (keyBefore + keysWithin).map {
      ExportKey(frame: max(0, $0.frame - first), sharps: $0.sharps, isMinor: $0.isMinor)
    }
    cut.tracks = tracks.map { track in
      var track = track
      track.notes = track.notes.map { note in
        var note = note
        note.frame -= first
        return note
      }.filter { $0.frame >= 0 && $0.frame < frames }
      // Controls that were set before the part hold at its beginning.
      var last: [Int: ExportControl] = [:]
      for control in track.controls.sorted(by: { $0.frame < $1.frame }) where control.frame < first {
        last[control.kind] = control
      }
      let before = last.sorted { $0.key < $1.key }.map { ExportControl(frame: 0, $1.value, channel: $1.channel) }
      track.controls =
        before
        + track.controls.filter { $0.frame >= first && $0.frame < first + frames }.map {
          ExportControl(frame: $0.frame - first, $0.value, channel: $0.channel)
        }
      return track
    }
    return cut
  }

  /// The session with the tracks alone that have sound or notes in it. Of a recording with 32
  /// players, a part may have only two who play.
  public func withoutSilentTracks() -> ExportSession {
    var session = self
    session.tracks.removeAll { track in
      track.audio == nil
        && !track.notes.contains { $0.key < 128 && $0.frame >= 0 && $0.frame < frames }
    }
    return session
  }
}
