/// A session as a Standard MIDI File, format 1.
///
/// The first track holds the tempos, the signatures, the keys and the markers under the session's
/// name. One track follows for each track of the session, with its notes. No standard says how
/// drums are named, so every named key is a text `36 Kick` at the beginning of its track. Text is
/// UTF-8.
///
/// At 5 beats per minute and faster, every note is within a millisecond of its frame, and within
/// 0.2 ms at 60 and faster.
/// - Source: Standard MIDI Files 1.0 (MIDI Manufacturers Association, RP-001).
public enum StandardMIDI {
  /// The file.
  ///
  /// A session that does not begin on a bar line gets a pick-up bar, whose first beat has a tempo
  /// of its own. All times stay correct. Below 3.6 beats per minute MIDI has no tempo, and times
  /// are wrong.
  /// - Thread: any; takes time in proportion to the notes.
  public static func file(of session: ExportSession) -> [UInt8] {
    let time = MusicalTime(session)
    let endTick = max(1, Ticks.tick(atBeat: time.endBeat))
    // The format counts tracks with 16 bits.
    let tracks = session.tracks.prefix(0xfffe)
    var file = Array("MThd".utf8)
    file.appendBig(UInt32(6))
    file.appendBig(UInt16(1))
    file.appendBig(UInt16(tracks.count + 1))
    file.appendBig(UInt16(Ticks.perBeat))
    file += clock(of: session, time: time, endTick: endTick).bytes(endTick: endTick)
    for track in tracks { file += notes(of: track, in: session, time: time).bytes(endTick: endTick) }
    return file
  }

  private static func clock(of session: ExportSession, time: MusicalTime, endTick: Int) -> MIDITrack {
    var track = MIDITrack()
    track.text(0x03, session.name, at: 0)
    let tempos = MIDITempo.tempos(of: time, endTick: endTick)
    for tempo in tempos {
      let value = tempo.microsecondsPerBeat
      track.meta(0x51, [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }, at: tempo.tick)
    }
    for signature in time.signatures where signature.beat < time.endBeat {
      // The unit as a power of two, and MIDI clocks (24 in a quarter note) in a click of the
      // metronome.
      let data = [signature.beatsPerBar, signature.beatUnit.trailingZeroBitCount, max(1, 96 / signature.beatUnit), 8]
      track.meta(0x58, data.map { UInt8(clamping: $0) }, at: Ticks.tick(atBeat: signature.beat))
    }
    let keys = session.orderedKeys { frame in
      // A tempo lies between two frames and is rounded from its beat. A key that was chosen with it
      // stands at its tick, and not beside it.
      let tick = Ticks.tick(atFrame: frame, in: time)
      return tempos.first { abs($0.tick - tick) <= 1 }?.tick ?? tick
    }
    for (tick, key) in keys {
      let data = [UInt8(bitPattern: Int8(clamping: key.sharps)), key.isMinor ? 1 : 0]
      track.meta(0x59, data, at: tick)
    }
    for marker in session.orderedMarkers {
      track.text(0x06, marker.text, at: Ticks.tick(atFrame: marker.frame, in: time))
    }
    return track
  }

  private static func notes(of track: ExportTrack, in session: ExportSession, time: MusicalTime) -> MIDITrack {
    var events = MIDITrack()
    events.text(0x03, track.name, at: 0)
    for (key, name) in track.orderedKeyNames { events.text(0x01, "\(key) \(name)", at: 0) }
    for control in track.controls where control.frame >= 0 && control.frame < session.frames {
      let tick = Ticks.tick(atFrame: control.frame, in: time)
      if case .instrument(let name, _) = control.value { events.text(0x04, name, at: tick) }
      for message in control.messages { events.append(message, at: tick, .control) }
    }
    for note in GridNote.notes(of: track, in: session, time: time) {
      events.append([0x90 | note.channel, note.key, note.velocity], at: note.tick, .noteOn)
      events.append([0x80 | note.channel, note.key, 64], at: note.endTick, .noteOff)
    }
    return events
  }
}
