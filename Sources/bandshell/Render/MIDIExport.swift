import JamCore
import JamRoom

/// What was played as a MIDI file: the clock in the first track, then one track per player, pads 1–16 as notes 36–51 on channel 10.
enum MIDIExport {
  /// A pad hit has no length of its own: a 64th note, or less where the same pad is hit again before.
  private static let noteTicks = MIDIFile.division / 16
  private static let channel: UInt8 = 9

  /// - Parameters:
  ///   - log: the room's, ordered by frame within each player.
  ///   - maps: the clock's revisions with the frames from which they held; the first is at frame 0.
  static func file(players: [PlayerName], log: [LogEntry], maps: [(frame: Frames, map: TempoMap)]) -> MIDIFile {
    let ruler = MIDIRuler(maps)
    var file = MIDIFile()
    file.tracks.append(clock(ruler))
    for player in players {
      var hits: [[(tick: Int, velocity: UInt8)]] = Array(repeating: [], count: Pad.count)
      for entry in log where entry.player == player {
        guard case .command(.hit(let pad, let velocity)) = entry.action else { continue }
        let strength = UInt8((velocity.value * 127).rounded())
        hits[pad.index].append((ruler.tick(at: entry.frame), max(1, strength)))
      }
      var track = MIDIFile.Track(name: player.text)
      for (index, pad) in hits.enumerated() {
        let note = UInt8(36 + index)
        for (i, hit) in pad.enumerated() {
          let next = i + 1 < pad.count ? pad[i + 1].tick : .max
          track.append([0x90 | channel, note, hit.velocity], at: hit.tick)
          track.append([0x80 | channel, note, 0], at: max(hit.tick, min(hit.tick + noteTicks, next)), order: 0)
        }
      }
      file.tracks.append(track)
    }
    return file
  }

  private static func clock(_ ruler: MIDIRuler) -> MIDIFile.Track {
    var track = MIDIFile.Track(name: "clock")
    for stretch in ruler.stretches {
      track.tempo(stretch.microsecondsPerBeat, at: stretch.tick)
      if let signature = stretch.signature {
        track.signature(
          beatsPerBar: Int(signature.beatsPerBar), beatUnit: Int(signature.beatUnit), at: stretch.tick)
      }
    }
    return track
  }
}
