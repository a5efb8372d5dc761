/// Which beat falls on which frame: the room's shared clock, an immutable revision of it.
///
/// Every change gives a new map in which positions before the change are as they were, so no beat is repeated or skipped.
/// Thread: any. Only `view` is real-time safe.
public struct TempoMap: Equatable, Sendable {
  public private(set) var tempos: [TempoSegment]
  public private(set) var signatures: [SignatureSegment]
  public private(set) var isPlaying: Bool
  public private(set) var memory: TempoMapMemory

  public var view: TempoMapView { memory.view }

  /// Not synthesised: `memory` says the same as the segments, at an address of its own.
  public static func == (a: TempoMap, b: TempoMap) -> Bool {
    a.isPlaying == b.isPlaying && a.tempos == b.tempos && a.signatures == b.signatures
  }

  /// A map whose beat 0, the first of bar 1, is at `start`.
  public init(tempo: Tempo, signature: TimeSignature = .common, start: Frames = .zero, isPlaying: Bool = true) {
    tempos = [TempoSegment(startBeat: .zero, startFrame: Double(start.count), c0: tempo.beatsPerMinute)]
    signatures = [SignatureSegment(startBeat: .zero, startBar: 1, signature: signature)]
    self.isPlaying = isPlaying
    memory = TempoMapMemory(tempos: tempos, signatures: signatures, isPlaying: isPlaying)
  }

  /// The tempo becomes `tempo` at `frame`, in phase; whatever was planned after it is dropped.
  public func setting(_ tempo: Tempo, at frame: Frames) -> TempoMap {
    changed { map in
      let anchor = map.cut(at: frame)
      map.tempos.append(
        TempoSegment(startBeat: anchor.beat, startFrame: anchor.frame, c0: tempo.beatsPerMinute))
    }
  }

  /// The tempo becomes `tempo` at `beat`; whatever was planned from there on is dropped.
  public func setting(_ tempo: Tempo, from beat: Beats) -> TempoMap {
    changed { map in
      let frame = view.exactFrame(at: beat)
      map.tempos.removeAll { $0.startBeat >= beat }
      map.tempos.append(TempoSegment(startBeat: beat, startFrame: frame, c0: tempo.beatsPerMinute))
    }
  }

  /// From `beat` the tempo goes to `target` over `length` by `curve`, and stays there; whatever was planned after `beat` is dropped.
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

  /// The phase moves by `shift` (in frames, positive is earlier) without a jump: the next quarter notes run up to half faster or slower.
  /// What was planned goes on as it was, so much earlier: ramps, and nudges that are still under way.
  ///
  /// Nudges under way multiply each other. Where they would leave `nudgedRange`, nothing is changed.
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

  /// Beats per minute while the beat is nudged: four times beyond what a tempo may be.
  public static let nudgedRange: ClosedRange<Double> = 5...1_200

  /// Where the last segment begins: nudges and ramps are over there.
  public var settledFrame: Double { tempos[tempos.count - 1].startFrame }

  private func nudged(by shift: Frames, at frame: Frames) -> TempoMap {
    let from = Swift.max(view.beat(at: frame), tempos[0].startBeat)
    let start = view.exactFrame(at: from)
    // So long the nudge takes; without it these beats would take `shift` longer.
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

  /// `signature` holds from the first bar line after `frame`.
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

  /// The tempo that was set: what holds once nudges and ramps are over.
  public var settledTempo: Tempo { Tempo(clamping: tempos[tempos.count - 1].c0) }

  /// The transport starts: bar 1 begins at `frame`, with the tempo and signature that were set last.
  public func starting(at frame: Frames) -> TempoMap {
    TempoMap(tempo: settledTempo, signature: signatures[signatures.count - 1].signature, start: frame)
  }

  public func stopping() -> TempoMap { changed { $0.isPlaying = false } }

  /// Segments that ended before `frame` go, but for the one that holds there: a map does not grow for ever.
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

  /// Where more than `most` segments ended before `frame`, the oldest become one of their mean tempo: it begins and ends where
  /// they did, and what comes after it stays to the bit.
  public func joining(before frame: Frames, keeping most: Int) -> TempoMap {
    let past = segmentsPast(frame)
    guard past > most, past > 1 else { return self }
    // Half of them at once: so it is paid seldom.
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

  /// How many segments ended before `frame`, and how many begin after it.
  private func segmentsPast(_ frame: Frames) -> Int { tempos.lastIndex { $0.startFrame <= Double(frame.count) } ?? 0 }
  public func segmentsAhead(of frame: Frames) -> Int { tempos.count - 1 - segmentsPast(frame) }

  /// The same clock, so much later.
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

  /// Drops every segment that begins at or after `frame`; returns the micro-beat nearest to it with that beat's exact frame.
  private mutating func cut(at frame: Frames) -> (beat: Beats, frame: Double) {
    let beat = view.beat(at: frame)
    let exact = view.exactFrame(at: beat)
    tempos.removeAll { $0.startBeat >= beat }
    return (beat, exact)
  }

  /// Lets a segment begin at `beat`, which is not before the first one, and changes nothing else.
  private mutating func split(at beat: Beats) {
    guard let i = tempos.lastIndex(where: { $0.startBeat <= beat }), tempos[i].startBeat < beat else { return }
    tempos.insert(tempos[i].suffix(from: beat), at: i + 1)
  }

  private static let mostRampSegments: Int64 = 1_024

  /// A quarter of a beat, and less where a ramp is so steep that the tempo could change by more than half within it: five points
  /// integrate each segment then to a millionth of a frame. More in a ramp of more than 256 beats: it has as many segments.
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

  /// The cubic of `curve` on [`at`, `at` + …] of a ramp that is `total` beats long, as a polynomial in beats from `at`.
  private static func ramp(
    from start: Double, to target: Double, total: Double, at offset: Double, startBeat: Beats, startFrame: Double,
    curve: TempoCurve
  ) -> TempoSegment {
    // The share of the way as a cubic a1 p + a2 p² + a3 p³ of p = beats / total.
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
