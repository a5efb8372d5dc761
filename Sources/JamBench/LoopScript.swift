internal import JamCore
internal import JamRoom

/// What players send to a room until each has a loop: `/loop/overdub`, timetagged hits in every pass, `/loop/play`. At 120 bpm.
struct LoopScript {
  /// One command of one player.
  struct Line {
    var moment: Moment
    var player: Int
    var command: Command
  }

  var players: Int
  var layers: Int
  /// In each layer, on a pad of its own; they lie evenly over four bars, and the layers of all players evenly between them, as no
  /// two hands are quite together.
  var hitsPerLayer = 64

  static let bar = Frames(96_000)
  static let pass = Frames(bar.count * 4)
  /// On the second bar line.
  static let begin = bar
  /// How long before its frame a hit is sent.
  private static let ahead = Frames.milliseconds(50)

  /// Where the loops are complete and play.
  var end: Frames { LoopScript.begin + Frames(LoopScript.pass.count * Int64(layers)) }

  /// By the time at which they arrive.
  var lines: [Line] {
    var lines: [Line] = []
    for player in 0..<players {
      // A step of a semitone, so that every voice is resampled.
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

/// A kit in memory whose sounds last 200 ms, played a semitone up.
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
