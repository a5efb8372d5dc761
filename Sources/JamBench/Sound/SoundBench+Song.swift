internal import JamCore
internal import JamKit

extension SoundBench {
  /// A song at 120 bpm: all play, one goes on alone, all come back; then a build-up and its drop.
  private struct Song {
    static let bar = 96_000
    /// The bars on which its parts begin.
    static let pause = 8
    static let back = 16
    static let buildUp = 24
    static let drop = 32
    static let end = 40

    let kits: [Kit]

    var acts: [SoundStage.Act] {
      var acts: [SoundStage.Act] = []
      for (player, kit) in kits.enumerated() {
        let beat = SoundBeat(of: kit, tempo: 120)
        for bar in 0..<Song.end where player == 0 || !(Song.pause..<Song.back).contains(bar) {
          acts += beat.firstBar(at: bar * Song.bar, player: player)
        }
      }
      return acts + riser + roll
    }

    /// As a room sends it: beat by beat up to the top, and home 5 ms before the drop.
    private var riser: [SoundStage.Act] {
      let (beat, beats) = (Song.bar / 4, (Song.drop - Song.buildUp) * 4)
      let rise = (0..<beats).map { index in
        SoundStage.Act(
          Song.buildUp * Song.bar + index * beat,
          .rise(Float(index + 1) / Float(beats), frames: index == beats - 1 ? beat - 240 : beat))
      }
      return rise + [SoundStage.Act(Song.drop * Song.bar - 240, .rise(0, frames: 240))]
    }

    /// The first player's snare, faster and faster, and a crash on the drop.
    private var roll: [SoundStage.Act] {
      func pad(_ categories: [String]) -> Pad? {
        categories.lazy.compactMap { category in
          Pad.all.first { kits[0][$0]?.category == category }
        }.first
      }
      var acts: [SoundStage.Act] = []
      let (start, end) = (Song.buildUp * Song.bar, Song.drop * Song.bar)
      var frame = start
      while frame < end, let snare = pad(["snare", "clap", "tom"]) {
        let share = Float(frame - start) / Float(end - start)
        if let velocity = Velocity(0.5 + 0.5 * share) {
          acts.append(SoundStage.Act(frame, .hit(snare, velocity)))
        }
        let left = end - frame
        let quarter = Song.bar / 4
        let length = end - start
        let slow = left * 2 > length ? quarter : quarter / 2
        frame += left * 4 > length ? slow : left * 8 > length ? quarter / 4 : quarter / 8
      }
      if let impact = pad(["impact", "cymbal", "kick"]) {
        acts.append(SoundStage.Act(end, .hit(impact, .full)))
      }
      return acts
    }
  }

  /// The loudness over a song: a break of one of nine players, and a build-up's drop.
  func song(_ stage: SoundStage) throws -> [BenchRow] {
    try song(stage, players: 9) + song(stage, players: 4)
  }

  private func song(_ stage: SoundStage, players: Int) throws -> [BenchRow] {
    let kits = stage.catalogue.kits
    let song = Song(kits: (0..<players).map { kits[$0 % kits.count] })
    let seconds = Double(Song.end * Song.bar / SoundStage.rate)
    func take(isLevelled: Bool) throws -> SoundTake {
      try stage.play(song.acts, kits: song.kits.map(\.id), seconds: seconds, isLevelled: isLevelled)
    }
    let (levelled, plain) = (try take(isLevelled: true), try take(isLevelled: false))
    func loudness(_ take: SoundTake, _ bars: Range<Int>) -> Double {
      let frames = Song.bar * bars.lowerBound..<Song.bar * bars.upperBound
      return MixLoudness.measure(take.interleaved(frames))?.integrated ?? -70
    }
    func reduced(from bar: Int) -> Double {
      levelled.reductions(from: bar * Song.bar, to: (bar + 2) * Song.bar).max() ?? 0
    }
    func contrast(_ take: SoundTake) -> Double {
      loudness(take, Song.back..<Song.back + 2) - loudness(take, Song.back - 2..<Song.back)
    }
    // The others' sounds ring on into the break, so it is compared with the same without leveller.
    let still = (Song.pause + 1..<Song.back).map {
      loudness(levelled, $0..<$0 + 1) - loudness(plain, $0..<$0 + 1)
    }
    let swells = zip(still, still.dropFirst()).map { abs($1 - $0) / 2 }
    let before = loudness(levelled, Song.buildUp - 2..<Song.buildUp)
    let all = loudness(levelled, 2..<Song.pause)
    let begin = loudness(levelled, Song.pause + 1..<Song.pause + 3)
    let lift = loudness(levelled, Song.drop..<Song.drop + 2) - before
    return [
      BenchRow("\(players) players, all play", unit: "LUFS", values: [all]),
      BenchRow("\(players) players, a break of one: its begin", unit: "LUFS", values: [begin]),
      BenchRow("  its change", unit: "dB/s", values: swells, target: .allAtMost(0.2)),
      BenchRow("  the drop above it", unit: "LU", values: [contrast(levelled)], target: .atLeast(4)),
      BenchRow(
        "  the drop, reduced at most", unit: "dB", values: [reduced(from: Song.back)],
        target: .atMost(4)),
      BenchRow("  the drop above it, without the leveller", unit: "LU", values: [contrast(plain)]),
      BenchRow(
        "\(players) players, a build-up: its drop above the music before", unit: "LU",
        values: [lift], target: .atLeast(2)),
      BenchRow(
        "  reduced at most", unit: "dB", values: [reduced(from: Song.drop)], target: .atMost(4)),
    ]
  }
}
