import JamCore
import JamRoom

/// What was played, by hand, loops and lanes, as a MIDI file: the clock in the first track, then one track per player, pads 1–16 as notes 36–51 on channel 10.
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
    let repeated = repeated(in: log)
    for player in players {
      var hits: [[(tick: Int, velocity: UInt8)]] = Array(repeating: [], count: Pad.count)
      for entry in log where entry.player == player {
        let note: Note?
        switch entry.action {
        case .command(.hit(let pad, let velocity)): note = (pad, velocity)
        case .command(.loopHit(_, let number, _, _)): note = repeated[number]
        default: note = nil
        }
        guard let (pad, velocity) = note else { continue }
        let strength = UInt8((velocity.value * 127).rounded())
        hits[pad.index].append((ruler.tick(at: entry.frame), max(1, strength)))
      }
      var track = MIDIFile.Track(name: player.text)
      for (index, pad) in hits.map({ $0.sorted { $0.tick < $1.tick } }).enumerated() {
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

  private typealias Note = (pad: Pad, velocity: Velocity)

  /// By number, what the hits of loops and lanes repeat: what was played, steps, and the hits of blocks.
  private static func repeated(in log: [LogEntry]) -> [UInt32: Note] {
    var notes: [UInt32: Note] = [:]
    for entry in log {
      let note: Note?
      switch entry.action {
      case .command(.hit(let pad, let velocity)): note = (pad, velocity)
      case .command(.set(.step(let pad, _), .float(let value))): note = Velocity(value).map { (pad, $0) }
      case .command(.define(let voicing, let velocity, _)): note = (voicing.pad, velocity)
      default: note = nil
      }
      if let note { notes[UInt32(truncatingIfNeeded: entry.sequence)] = note }
    }
    return notes
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
