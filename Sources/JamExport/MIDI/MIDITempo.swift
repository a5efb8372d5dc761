/// A tempo of a MIDI file, which is a whole number of microseconds.
struct MIDITempo: Hashable, Sendable {
  var tick: Int
  /// For a quarter note: 1…16,777,215. The slowest tempo is 3.6 beats per minute.
  var microsecondsPerBeat: Int

  /// The largest difference between the file's time and the jam's, in microseconds. With half a
  /// tick this stays below a millisecond down to 5 beats per minute.
  private static let driftLimit = 100.0
  /// The error in microseconds that a change of tempo off the ticks may cause.
  private static let splitLimit = 50.0
  private static let slowest = 0xff_ffff

  /// The tempos up to `endTick`, the first at tick 0.
  ///
  /// Rounded to a microsecond, a constant tempo drifts by up to half a microsecond in every beat:
  /// 8.9 ms an hour were measured. So the nearest tempo holds until the drift reaches its limit,
  /// then the one on the other side of the true tempo until it reaches the limit there. Changes lie
  /// on whole beats or on changes of the jam's tempo.
  static func tempos(of time: MusicalTime, endTick: Int) -> [MIDITempo] {
    var list: [MIDITempo] = []
    // Microseconds times ticks in a beat: whole numbers, so that no rounding errors add up.
    var elapsed = 0
    let starts = starts(of: time, endTick: endTick)
    for (i, start) in starts.enumerated() {
      let end = i + 1 < starts.count ? starts[i + 1] : max(endTick, start + 1)
      var tick = start
      let true0 = Ticks.microseconds(atTick: start, in: time)
      let exact = (Ticks.microseconds(atTick: end, in: time) - true0) / Ticks.beat(end - start)
      while tick < end {
        let drift = Double(elapsed) / Double(Ticks.perBeat) - (true0 + Ticks.beat(tick - start) * exact)
        let (value, beats) = choice(exact: exact, drift: drift, rest: Ticks.beat(end - tick))
        if list.last?.microsecondsPerBeat != value {
          list.append(MIDITempo(tick: tick, microsecondsPerBeat: value))
        }
        let line = (Ticks.beat(tick).rounded(.down) + beats) * Double(Ticks.perBeat)
        let next = min(end, line < Double(end) ? Int(line) : end)
        elapsed += value * (next - tick)
        tick = next
      }
    }
    return list
  }

  /// The ticks at which the file's tempo may change, each once, the first 0.
  ///
  /// The jam's tempo may change between two ticks. Mostly the nearer tick is exact enough. If the
  /// two tempos differ so much that the error would be audible, the tick around the change gets a
  /// tempo of its own.
  private static func starts(of time: MusicalTime, endTick: Int) -> [Int] {
    var starts = [0]
    for (before, stretch) in zip(time.stretches, time.stretches.dropFirst()) where stretch.beat < time.endBeat {
      let exact = stretch.beat * Double(Ticks.perBeat)
      let away = abs(exact - exact.rounded()) * abs(stretch.framesPerBeat - before.framesPerBeat)
      let microseconds = away / Double(Ticks.perBeat) * 1_000_000 / Double(ExportSession.framesPerSecond)
      let ticks = microseconds > splitLimit ? [exact.rounded(.down), exact.rounded(.up)] : [exact.rounded()]
      for tick in ticks.map({ Int($0) }) where tick > starts[starts.count - 1] && tick < endTick {
        starts.append(tick)
      }
    }
    return starts
  }

  /// A tempo next to the exact one, and the whole number of beats, at least one, that it may hold.
  private static func choice(exact: Double, drift: Double, rest: Double) -> (value: Int, beats: Double) {
    let nearest = exact.rounded()
    let other = nearest > exact ? nearest - 1 : nearest + 1
    let room = beats(until: driftLimit, from: drift, rate: nearest - exact)
    let isNearest = room >= min(1, rest)
    let chosen = isNearest ? nearest : other
    let beats = isNearest ? room : beats(until: driftLimit, from: drift, rate: other - exact)
    // Finite: between 1 and `slowest`.
    return (Int(min(max(chosen, 1), Double(slowest))), max(1, beats.rounded(.down)))
  }

  /// The number of beats after which a drift that grows by `rate` a beat exceeds ±`limit`.
  private static func beats(until limit: Double, from drift: Double, rate: Double) -> Double {
    // A smaller rate does not reach the limit in any file.
    guard abs(rate) > 1e-7 else { return 1e9 }
    return (rate > 0 ? limit - drift : limit + drift) / abs(rate)
  }
}
