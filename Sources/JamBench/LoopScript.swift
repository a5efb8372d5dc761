internal import JamCore
internal import JamRoom

/// The commands that players send until each has a loop: `/loop/overdub`, timetagged hits in every
/// pass, `/loop/play`. At 120 bpm.
struct LoopScript {
  /// One command of one player.
  struct Line {
    var moment: Moment
    var player: Int
    var command: Command
  }

  var players: Int
  var layers: Int
  /// The hits of each layer, which has a pad of its own. The hits of a layer are spread evenly over
  /// four bars, and those of all layers and players evenly between them, because no two hands hit
  /// at exactly the same time.
  var hitsPerLayer = 64

  static let bar = Frames(96_000)
  static let pass = Frames(bar.count * 4)
  /// Recording begins on the second bar line.
  static let begin = bar
  /// The time between sending a hit and its frame.
  private static let ahead = Frames.milliseconds(50)

  /// The frame at which the loops are complete and play.
  var end: Frames { LoopScript.begin + Frames(LoopScript.pass.count * Int64(layers)) }

  /// The lines in the order of their arrival.
  var lines: [Line] {
    var lines: [Line] = []
    for player in 0..<players {
      // A transposition of a semitone, so that every voice is resampled.
      for pad in Pad.all {
        lines.append(Line(moment: Moment(arrival: .zero), player: player, command: .transposed(pad)))
      }
      lines.append(Line(moment: Moment(arrival: Frames(1_000)), player: player, command: .loop(.overdub)))
      lines.append(
        Line(moment: Moment(arrival: end - LoopScript.bar + Frames(1_000)), player: player, command: .loop(.play)))
      for layer in 0..<layers {
        for hit in 0..<hitsPerLayer { lines.append(line(player, layer, hit)) }
      }
    }
    return lines.enumerated().sorted {
      ($0.element.moment.arrival, $0.offset) < ($1.element.moment.arrival, $1.offset)
    }.map(\.element)
  }

  private func line(_ player: Int, _ layer: Int, _ hit: Int) -> Line {
    let place = (hit * layers + layer) * players + player
    let into = LoopScript.pass.count * Int64(place) / Int64(hitsPerLayer * layers * players)
    let frame = LoopScript.begin + Frames(LoopScript.pass.count * Int64(layer) + into)
    let velocity = Velocity(0.5 + 0.5 * Float(hit % 5) / 4) ?? .full
    return Line(
      moment: Moment(arrival: frame - LoopScript.ahead, tagged: frame), player: player,
      command: .hit(Pad.all[layer % Pad.count], velocity))
  }
}

extension Command {
  fileprivate static func transposed(_ pad: Pad) -> Command { .set(.pad(.transpose, pad), .float(1)) }
}

/// A kit in memory. Its sounds last 200 ms when they are played a semitone up.
enum LoopKit {
  static let soundFrames = 10_171

  static func make() -> PlayableKit {
    let sounds = BenchSounds(isStereo: true, frameCount: soundFrames)
    let duration = Frames(Int64(soundFrames))
    let kit = Kit(
      id: "bench", name: "Bench",
      pads: Pad.all.map { KitPad(name: "Pad \($0.number)", category: "other", duration: duration) })
    return PlayableKit(kit: kit, pads: sounds.views.map { PlayablePad(PlayableSound($0, owner: sounds)) })
  }
}
