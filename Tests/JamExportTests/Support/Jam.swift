internal import Glibc
internal import JamExport

/// Sessions that tests share.
enum Jam {
  static let four = [SignatureChange(beat: 0, bar: 1, beatsPerBar: 4, beatUnit: 4)]

  /// A ramp by quarter beats, then 32 beats at `to` and a fraction; over and over.
  static func ramps(from: Double, to: Double, frames: Int, startBeat: Double = 0) -> [TempoStretch] {
    var list: [TempoStretch] = []
    var (frame, beat) = (0.0, startBeat)
    func add(_ tempo: Double, _ beats: Double) {
      list.append(TempoStretch(frame: frame, beat: beat, beatsPerMinute: tempo))
      frame += beats * 2_880_000 / tempo
      beat += beats
    }
    var round = 0
    while frame < Double(frames) {
      for step in 0..<64 { add(from * pow(to / from, Double(step) / 64), 0.25) }
      add(to + 0.123, 32 + (round % 2 == 0 ? 0 : 0.3711))
      round += 1
    }
    return list
  }

  static func constant(_ tempo: Double) -> [TempoStretch] {
    [TempoStretch(frame: 0, beat: 0, beatsPerMinute: tempo)]
  }

  /// The exact frame of a beat.
  static func frame(_ beat: Double, _ tempo: [TempoStretch]) -> Double {
    let stretch = tempo.last { $0.beat <= beat } ?? tempo[0]
    return stretch.frame + (beat - stretch.beat) * 2_880_000 / stretch.beatsPerMinute
  }

  /// A note every 7,001 frames.
  static func freeNotes(frames: Int) -> [ExportNote] {
    stride(from: 13, to: frames, by: 7_001).enumerated().map { index, frame in
      ExportNote(frame: frame, length: 4_800, key: UInt8(index % 128), velocity: 100)
    }
  }
}
