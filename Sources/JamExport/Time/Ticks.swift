/// The grid of MIDI files, and of the notes in all project files.
enum Ticks {
  /// Ticks in a quarter note. At 5 beats per minute half a tick is 0.63 ms, at 60 it is 0.05 ms. A
  /// larger number would put a hit that is rounded to a frame off its grid at fast tempos, and
  /// MIDI's limit is 32,767. The usual 960 divides this number.
  static let perBeat = 9_600
  /// Notes that were played on the grid lie on multiples of this: 1/96 of a beat, which covers
  /// 32nds and their triplets.
  private static let coarse = 100

  /// The nearest tick; or the line of the grid, if it is at most a frame away, because a jam rounds
  /// its beats to frames.
  static func tick(atFrame frame: Int, in time: MusicalTime) -> Int {
    let beat = time.beat(atFrame: Double(frame))
    let lines = (beat * Double(perBeat / coarse)).rounded()
    if abs(time.frame(atBeat: lines * Double(coarse) / Double(perBeat)) - Double(frame)) <= 1 {
      return Int(lines) * coarse
    }
    // Finite: a frame of a take lies at a beat.
    return Int((beat * Double(perBeat)).rounded())
  }

  // Finite: a beat of a take.
  static func tick(atBeat beat: Double) -> Int { Int((beat * Double(perBeat)).rounded()) }

  static func beat(_ tick: Int) -> Double { Double(tick) / Double(perBeat) }

  /// Microseconds since frame 0.
  static func microseconds(atTick tick: Int, in time: MusicalTime) -> Double {
    time.frame(atBeat: beat(tick)) * 1_000_000 / Double(ExportSession.framesPerSecond)
  }
}
