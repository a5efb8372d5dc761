/// A session as a Reaper project, `.rpp`.
///
/// Sound files stay outside; their paths are relative to the project. A track with sound and notes
/// becomes two tracks, because items of one track lie over each other. Keys carry their names in
/// Reaper's own list.
///
/// Reaper's format has no published specification. This follows projects that Reaper saved, and the
/// ReaTeam's "State Chunk Definitions" (https://github.com/ReaTeam/Doc).
public enum ReaperProject {
  /// The whole project as text.
  ///
  /// A session that does not begin on a bar line gets a pick-up bar, whose first beat has a tempo
  /// of its own. All times stay correct.
  /// - Thread: any; takes time in proportion to the notes.
  public static func text(of session: ExportSession) -> String {
    let time = MusicalTime(session)
    var rpp = ReaperText()
    // Reaper stores colours in the byte order of the system that the head names; this head names
    // Windows.
    rpp.block("REAPER_PROJECT 0.1 \"7.0/win64\" 0") { rpp in
      let signature = time.signatures[0]
      rpp.line("RIPPLE 0")
      // Reaper counts the bar at the beginning from 0 here.
      rpp.line("PROJOFFS 0 \(signature.bar - 1) 0")
      rpp.line("SAMPLERATE \(ExportSession.framesPerSecond) 1 0")
      rpp.line("TITLE \(ReaperText.quoted(session.name))")
      let tempo = ReaperText.tempo(time.stretches[0])
      rpp.line("TEMPO \(tempo) \(signature.beatsPerBar) \(signature.beatUnit)")
      tempoEnvelope(time, &rpp)
      for (index, marker) in session.orderedMarkers.enumerated() {
        let place = Decimal.seconds(Double(marker.frame))
        let name = ReaperText.quoted(marker.text)
        rpp.line("MARKER \(index + 1) \(place) \(name) 0 \(ReaperText.colour(marker.colour)) 1")
      }
      for track in session.tracks {
        if let audio = track.audio { audioTrack(track, audio, &rpp) }
        if track.audio == nil || !track.notes.isEmpty { notesTrack(track, session, time, &rpp) }
      }
    }
    return rpp.text
  }

  /// Points of square shape. A signature has its unit in the upper 16 bits and its beats in the
  /// lower.
  private static func tempoEnvelope(_ time: MusicalTime, _ rpp: inout ReaperText) {
    var points: [(frame: Double, tempo: String, signature: String)] = time.steps.map {
      ($0.frame, ReaperText.tempo($0), "")
    }
    for change in time.signatures where change.beat < time.endBeat || change.beat == 0 {
      let frame = time.frame(atBeat: change.beat)
      let signature = " \(change.beatUnit << 16 | change.beatsPerBar) 0 1"
      // The points are in order. If two lie within one frame, only one must remain.
      let place = points.firstIndex { $0.frame > frame - 1 } ?? points.count
      if place < points.count, points[place].frame < frame + 1 {
        points[place].signature = signature
      } else {
        points.insert((frame, points[max(0, place - 1)].tempo, signature), at: place)
      }
    }
    rpp.block("TEMPOENVEX") { rpp in
      for line in ["ACT 1 -1", "VIS 1 0 1", "LANEHEIGHT 0 0", "ARM 0", "DEFSHAPE 1 -1 -1"] { rpp.line(line) }
      for point in points { rpp.line("PT \(Decimal.seconds(point.frame)) \(point.tempo) 1\(point.signature)") }
    }
  }

  private static func audioTrack(_ track: ExportTrack, _ audio: ExportAudio, _ rpp: inout ReaperText) {
    rpp.block("TRACK") { rpp in
      head(of: track, name: track.name, &rpp)
      rpp.line("NCHAN \(max(2, audio.channels + audio.channels % 2))")
      let name = audio.path.split(separator: "/").last.map(String.init) ?? audio.path
      // An item cannot begin before the project.
      let skipped = max(0, -audio.frame)
      rpp.block("ITEM") { rpp in
        rpp.line("POSITION \(Decimal.seconds(Double(audio.frame + skipped)))")
        rpp.line("LENGTH \(Decimal.seconds(Double(max(0, audio.frames - skipped))))")
        rpp.line("SOFFS \(Decimal.seconds(Double(skipped)))")
        rpp.line("LOOP 0")
        // The item keeps its time when the user changes the tempo.
        rpp.line("BEAT 0")
        rpp.line("NAME \(ReaperText.quoted(name))")
        rpp.block("SOURCE WAVE") { $0.line("FILE \(ReaperText.quoted(audio.path))") }
      }
    }
  }

  private static func notesTrack(
    _ track: ExportTrack, _ session: ExportSession, _ time: MusicalTime, _ rpp: inout ReaperText
  ) {
    let name = track.audio == nil ? track.name : track.name + " (notes)"
    rpp.block("TRACK") { rpp in
      head(of: track, name: name, &rpp)
      if !track.orderedKeyNames.isEmpty {
        rpp.block("MIDINOTENAMES") { rpp in
          // -1: the name holds on all channels.
          for (key, name) in track.orderedKeyNames { rpp.line("-1 \(key) \(ReaperText.quoted(name)) 0 \(key)") }
        }
      }
      rpp.block("ITEM") { rpp in
        rpp.line("POSITION 0")
        rpp.line("LENGTH \(Decimal.seconds(Double(max(0, session.frames))))")
        rpp.line("LOOP 0")
        rpp.line("NAME \(ReaperText.quoted(name))")
        rpp.block("SOURCE MIDI") { rpp in
          rpp.line("HASDATA 1 \(Ticks.perBeat) QN")
          events(GridNote.notes(of: track, in: session, time: time), endTick: Ticks.tick(atBeat: time.endBeat), &rpp)
        }
      }
    }
  }

  private static func head(of track: ExportTrack, name: String, _ rpp: inout ReaperText) {
    rpp.line("NAME \(ReaperText.quoted(name))")
    if let colour = track.colour { rpp.line("PEAKCOL \(ReaperText.colour(colour))") }
  }

  /// Each event with the ticks since the last. "All notes off" marks the end of the source.
  private static func events(_ notes: [GridNote], endTick: Int, _ rpp: inout ReaperText) {
    var events: [(tick: Int, order: Int, bytes: [UInt8])] = []
    for note in notes {
      events.append((note.tick, 1, [0x90 | note.channel, note.key, note.velocity]))
      events.append((note.endTick, 0, [0x80 | note.channel, note.key, 0]))
    }
    events.sort { ($0.tick, $0.order, $0.bytes[0], $0.bytes[1]) < ($1.tick, $1.order, $1.bytes[0], $1.bytes[1]) }
    events.append((max(endTick, events.last?.tick ?? 0), 0, [0xb0, 0x7b, 0]))
    var last = 0
    for event in events {
      let bytes = event.bytes.map { Decimal.hexadecimal($0) }.joined(separator: " ")
      rpp.line("E \(event.tick - last) \(bytes)")
      last = event.tick
    }
  }
}
