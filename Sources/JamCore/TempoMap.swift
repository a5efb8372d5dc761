/// The room's shared clock, which maps beats to frames. A map is immutable: each change makes a new
/// map.
///
/// In a new map all positions before the change stay, so that no beat is repeated or skipped.
/// Thread: any. Only `view` is real-time safe.
public struct TempoMap: Equatable, Sendable {
  public private(set) var tempos: [TempoSegment]
  public private(set) var signatures: [SignatureSegment]
  public private(set) var isPlaying: Bool
  public private(set) var memory: TempoMapMemory

  public var view: TempoMapView { memory.view }

  /// Written by hand: `memory` holds the same facts as the segments, but at its own address.
  public static func == (a: TempoMap, b: TempoMap) -> Bool {
    a.isPlaying == b.isPlaying && a.tempos == b.tempos && a.signatures == b.signatures
  }

  /// A map with beat 0, the first beat of bar 1, at `start`.
  public init(tempo: Tempo, signature: TimeSignature = .common, start: Frames = .zero, isPlaying: Bool = true) {
    tempos = [TempoSegment(startBeat: .zero, startFrame: Double(start.count), c0: tempo.beatsPerMinute)]
    signatures = [SignatureSegment(startBeat: .zero, startBar: 1, signature: signature)]
    self.isPlaying = isPlaying
    memory = TempoMapMemory(tempos: tempos, signatures: signatures, isPlaying: isPlaying)
  }

  /// Sets the tempo at `frame` and keeps the phase. All planned changes after `frame` are dropped.
  public func setting(_ tempo: Tempo, at frame: Frames) -> TempoMap {
    changed { map in
      let anchor = map.cut(at: frame)
      map.tempos.append(
        TempoSegment(startBeat: anchor.beat, startFrame: anchor.frame, c0: tempo.beatsPerMinute))
    }
  }

  /// Sets the tempo at `beat`. All planned changes from `beat` on are dropped.
  public func setting(_ tempo: Tempo, from beat: Beats) -> TempoMap {
    changed { map in
      let frame = view.exactFrame(at: beat)
      map.tempos.removeAll { $0.startBeat >= beat }
      map.tempos.append(TempoSegment(startBeat: beat, startFrame: frame, c0: tempo.beatsPerMinute))
    }
  }

  /// Moves the tempo from `beat` on to `target` over `length` along `curve`, and stays there. All
  /// planned changes after `beat` are dropped.
  /// - Parameter length: less than one micro-beat counts as one.
  public func ramping(to target: Tempo, from beat: Beats, over length: Beats, curve: TempoCurve) -> TempoMap {
    let length = Swift.max(length, Beats(microBeats: 1))
    let start = view.tempo(at: beat).beatsPerMinute
    return changed { map in
      var frame = view.exactFrame(at: beat)
      map.tempos.removeAll { $0.startBeat >= beat }
      let total = length.value
      let longest = TempoMap.longestSegment(from: start, to: target.beatsPerMinute, over: length, curve: curve)
      var done = Beats.zero
      while done < length {
        let step = Swift.min(longest, length - done)
        let segment = TempoMap.ramp(
          from: start, to: target.beatsPerMinute, total: total, at: done.value, startBeat: beat + done,
          startFrame: frame, curve: curve)
        map.tempos.append(segment)
        frame += segment.frames(step.value)
        done += step
      }
      map.tempos.append(TempoSegment(startBeat: beat + length, startFrame: frame, c0: target.beatsPerMinute))
    }
  }

  /// Moves the phase by `shift` frames without a jump; positive is earlier. The next quarter notes
  /// run up to 50 % faster or slower. Planned changes stay, and only come earlier by the shift:
  /// ramps, and nudges that are not over.
  ///
  /// The factors of nudges that overlap are multiplied. Where the tempo would leave `nudgedRange`,
  /// the map stays unchanged.
  public func nudging(by shift: Frames, at frame: Frames) -> TempoMap {
    guard shift.count != 0 else { return self }
    let nudged = nudged(by: shift, at: frame)
    let (first, last) = (Double(frame.count), nudged.settledFrame)
    let isInRange = nudged.tempos.indices.allSatisfy { i in
      let segment = nudged.tempos[i]
      let next = i + 1 < nudged.tempos.count ? nudged.tempos[i + 1] : nil
      guard next.map({ $0.startFrame > first }) ?? true, segment.startFrame <= last else { return true }
      let end = next.map { segment.tempo(($0.startBeat - segment.startBeat).value) } ?? segment.c0
      return TempoMap.nudgedRange.contains(segment.c0) && TempoMap.nudgedRange.contains(end)
    }
    return isInRange ? nudged : self
  }

  /// Beats per minute while the beat is nudged: four times the range of `Tempo` at both ends.
  public static let nudgedRange: ClosedRange<Double> = 5...1_200

  /// The start of the last segment. All nudges and ramps are over there.
  public var settledFrame: Double { tempos[tempos.count - 1].startFrame }

  private func nudged(by shift: Frames, at frame: Frames) -> TempoMap {
    let from = Swift.max(view.beat(at: frame), tempos[0].startBeat)
    let start = view.exactFrame(at: from)
    // The frames that the nudge lasts. Without the nudge, its beats would take `shift` longer.
    let span = Swift.max(view.tempo(at: from).framesPerBeat, Double(shift.count.magnitude) * 2)
    let to = view.beat(atExact: start + span + Double(shift.count))
    let frames = view.exactFrame(at: to) - start
    let speed = frames / (frames - Double(shift.count))
    return changed { map in
      map.split(at: from)
      map.split(at: to)
      for i in map.tempos.indices where map.tempos[i].startBeat > from {
        if map.tempos[i].startBeat <= to {
          let before = map.tempos[i - 1]
          map.tempos[i].startFrame =
            before.startFrame + before.frames((map.tempos[i].startBeat - before.startBeat).value) / speed
        } else {
          map.tempos[i].startFrame -= Double(shift.count)
        }
      }
      for i in map.tempos.indices where Range(from: from, to: to).contains(map.tempos[i].startBeat) {
        map.tempos[i].scale(by: speed)
      }
    }
  }

  /// Sets the signature from the first bar line after `frame`.
  public func setting(_ signature: TimeSignature, afterBarAt frame: Frames) -> TempoMap {
    changed { map in
      let now = view.beat(at: frame)
      map.signatures.removeAll { $0.startBeat > now && $0.startBeat > .zero }
      let last = map.signatures[map.signatures.count - 1]
      let bar = last.signature.barLength
      let bars = Grid.floorDivide((now - last.startBeat).microBeats, bar.microBeats) + 1
      map.signatures.append(
        SignatureSegment(
          startBeat: last.startBeat + bar * Int(bars), startBar: last.startBar + Int(bars), signature: signature))
    }
  }

  /// The tempo after all nudges and ramps.
  public var settledTempo: Tempo { Tempo(clamping: tempos[tempos.count - 1].c0) }

  /// Starts the transport: bar 1 begins at `frame`, with the tempo and signature that were set
  /// last.
  public func starting(at frame: Frames) -> TempoMap {
    TempoMap(tempo: settledTempo, signature: signatures[signatures.count - 1].signature, start: frame)
  }

  public func stopping() -> TempoMap { changed { $0.isPlaying = false } }

  /// Removes segments that ended before `frame`, so that a map does not grow for ever. The segment
  /// that holds at `frame` stays.
  public func forgetting(before frame: Frames) -> TempoMap {
    let tempo = tempos.lastIndex { $0.startFrame <= Double(frame.count) } ?? 0
    let beat = view.beat(at: frame)
    let signature = signatures.lastIndex { $0.startBeat <= beat } ?? 0
    guard tempo > 0 || signature > 0 else { return self }
    return changed { map in
      map.tempos.removeFirst(tempo)
      map.signatures.removeFirst(signature)
    }
  }

  /// Where more than `most` segments ended before `frame`, joins the oldest to one segment of their
  /// mean tempo. The joined segment begins and ends where they did, and all later positions stay
  /// the same to the bit.
  public func joining(before frame: Frames, keeping most: Int) -> TempoMap {
    let past = segmentsPast(frame)
    guard past > most, past > 1 else { return self }
    // Joins half of them at once, so that the cost seldom arises.
    let count = Swift.max(2, past - most / 2)
    let (first, next) = (tempos[0], tempos[count])
    let (beats, frames) = ((next.startBeat - first.startBeat).value, next.startFrame - first.startFrame)
    return changed { map in
      map.tempos.removeFirst(count)
      guard beats > 0, frames > 0, TempoMap.nudgedRange.contains(beats * 2_880_000 / frames) else { return }
      map.tempos.insert(
        TempoSegment(startBeat: first.startBeat, startFrame: first.startFrame, c0: beats * 2_880_000 / frames), at: 0)
    }
  }

  /// The number of segments that ended before `frame`, and the number that begin after it.
  private func segmentsPast(_ frame: Frames) -> Int { tempos.lastIndex { $0.startFrame <= Double(frame.count) } ?? 0 }
  public func segmentsAhead(of frame: Frames) -> Int { tempos.count - 1 - segmentsPast(frame) }

  /// The same clock, `frames` later.
  public func moved(by frames: Frames) -> TempoMap {
    changed { map in
      for index in map.tempos.indices { map.tempos[index].startFrame += Double(frames.count) }
    }
  }

  private func changed(_ change: (inout TempoMap) -> Void) -> TempoMap {
    var map = self
    change(&map)
    map.memory = TempoMapMemory(tempos: map.tempos, signatures: map.signatures, isPlaying: map.isPlaying)
    return map
  }

  /// Drops every segment that begins at or after `frame`. Returns the micro-beat nearest to
  /// `frame`, and the exact frame of that beat.
  private mutating func cut(at frame: Frames) -> (beat: Beats, frame: Double) {
    let beat = view.beat(at: frame)
    let exact = view.exactFrame(at: beat)
    tempos.removeAll { $0.startBeat >= beat }
    return (beat, exact)
  }

  /// Splits the segment at `beat`, so that a segment begins there. The tempo stays the same. `beat`
  /// is not before the first segment.
  private mutating func split(at beat: Beats) {
    guard let i = tempos.lastIndex(where: { $0.startBeat <= beat }), tempos[i].startBeat < beat else { return }
    tempos.insert(tempos[i].suffix(from: beat), at: i + 1)
  }

  private static let mostRampSegments: Int64 = 1_024

  /// The length of a ramp's segments: a quarter of a beat, and less in a ramp so steep that the
  /// tempo could change by more than half within a quarter. Five points then integrate each segment
  /// to a millionth of a frame. A ramp of more than 256 beats has longer segments, because the
  /// number of its segments is limited.
  private static func longestSegment(from start: Double, to target: Double, over length: Beats, curve: TempoCurve)
    -> Beats
  {
    let steepest: Double =
      switch curve {
      case .linear: 1
      case .ease: 1.5
      case .late: 3
      }
    let change = Swift.abs(target - start) * steepest / Swift.min(start, target)
    let segments = Int64(change * 2) + 1
    let quarter = Swift.max(250_000, length.microBeats / mostRampSegments)
    return Beats(microBeats: Swift.min(quarter, Swift.max(1, length.microBeats / segments)))
  }

  /// The part of `curve` from `offset` on, in a ramp that is `total` beats long, as a cubic
  /// polynomial in beats from `offset`.
  private static func ramp(
    from start: Double, to target: Double, total: Double, at offset: Double, startBeat: Beats, startFrame: Double,
    curve: TempoCurve
  ) -> TempoSegment {
    // The part of the tempo change as a cubic a1 p + a2 p² + a3 p³ of p = beats / total.
    let (a1, a2, a3): (Double, Double, Double) =
      switch curve {
      case .linear: (1, 0, 0)
      case .ease: (0, 3, -2)
      case .late: (0, 0, 1)
      }
    let p = offset / total
    let span = target - start
    return TempoSegment(
      startBeat: startBeat, startFrame: startFrame,
      c0: start + span * (p * (a1 + p * (a2 + p * a3))),
      c1: span * (a1 + p * (2 * a2 + 3 * a3 * p)) / total,
      c2: span * (a2 + 3 * a3 * p) / (total * total),
      c3: span * a3 / (total * total * total))
  }
}
