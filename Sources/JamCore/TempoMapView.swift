/// A tempo map's memory, as an engine reads it. `TempoMapMemory` owns the memory; the view does
/// not.
///
/// Thread: any; the memory never changes. Real-time safe.
@frozen
public struct TempoMapView: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: no code writes to the pointers' memory after the view was made.
  @usableFromInline let tempos: UnsafePointer<TempoSegment>
  @usableFromInline let signatures: UnsafePointer<SignatureSegment>
  @usableFromInline let tempoCount: Int32
  @usableFromInline let signatureCount: Int32
  /// False while the transport is stopped. Positions can still be converted, but nothing is due.
  public let isPlaying: Bool

  @inlinable init(
    tempos: UnsafePointer<TempoSegment>, tempoCount: Int, signatures: UnsafePointer<SignatureSegment>,
    signatureCount: Int, isPlaying: Bool
  ) {
    self.tempos = tempos
    self.tempoCount = Int32(tempoCount)
    self.signatures = signatures
    self.signatureCount = Int32(signatureCount)
    self.isPlaying = isPlaying
  }

  /// The exact frame of `beat`. Before the first segment the first segment's tempo continues
  /// backwards.
  @inlinable public func exactFrame(at beat: Beats) -> Double {
    var i = Int(tempoCount) - 1
    while i > 0 && tempos[i].startBeat > beat { i -= 1 }
    let segment = tempos[i]
    let x = (beat - segment.startBeat).value
    return segment.startFrame + (x < 0 ? x * (2_880_000 / segment.c0) : segment.frames(x))
  }

  /// The frame on which `beat` sounds: the nearest whole frame, limited to ±2⁶⁰.
  @inlinable public func frame(at beat: Beats) -> Frames {
    // Beyond ±2⁶⁰, sums of frames would wrap.
    let most = 1_152_921_504_606_846_976.0
    let exact = exactFrame(at: beat) + 0.5
    let whole = Int64(saturating: exact > most ? most : exact < -most ? -most : exact)
    return Frames(Double(whole) > exact ? whole - 1 : whole)
  }

  /// The micro-beat nearest to `frame`. The frame may have a fraction.
  @inlinable public func beat(atExact frame: Double) -> Beats {
    var i = Int(tempoCount) - 1
    while i > 0 && tempos[i].startFrame > frame { i -= 1 }
    let segment = tempos[i]
    let frames = frame - segment.startFrame
    let x = frames < 0 ? frames * (segment.c0 / 2_880_000) : segment.beats(frames)
    return segment.startBeat + Beats(nearest: x)
  }

  @inlinable public func beat(at frame: Frames) -> Beats { beat(atExact: Double(frame.count)) }

  /// Beats per minute at `beat`.
  @inlinable public func tempo(at beat: Beats) -> Tempo {
    var i = Int(tempoCount) - 1
    while i > 0 && tempos[i].startBeat > beat { i -= 1 }
    let x = (beat - tempos[i].startBeat).value
    return Tempo(clamping: x < 0 ? tempos[i].c0 : tempos[i].tempo(x))
  }

  @inlinable public func signature(at beat: Beats) -> SignatureSegment {
    var i = Int(signatureCount) - 1
    while i > 0 && signatures[i].startBeat > beat { i -= 1 }
    return signatures[i]
  }

  /// The bar and beat that people count at `beat`. Before beat 0 the bars count down through 0 and
  /// −1.
  @inlinable public func position(at beat: Beats) -> BarPosition {
    let segment = signature(at: beat)
    let into = (beat - segment.startBeat).microBeats
    let length = segment.signature.beatLength.microBeats
    let beats = Grid.floorDivide(into, length)
    let bars = Grid.floorDivide(beats, Int64(segment.signature.beatsPerBar))
    return BarPosition(
      bar: segment.startBar + Int(bars),
      beat: Int(beats - bars * Int64(segment.signature.beatsPerBar)) + 1,
      phase: Double(into - beats * length) / Double(length))
  }

  /// The bar and beat that people are told for a hit at `beat`. A hit sounds on a whole frame, and
  /// the beat of that frame may lie just before the line that was meant. Then the line is told:
  /// bar 232, beat 1.0, and not 231, 4.9999928.
  @inlinable public func toldPosition(at beat: Beats) -> BarPosition {
    // 480 lines a beat: sixteenths and triplets alike.
    let line = Beats(nearest: (beat.value * 480).rounded() / 480)
    let apart = exactFrame(at: line) - exactFrame(at: beat)
    return position(at: apart <= 1 && apart >= -1 ? line : beat)
  }

  /// The first counted beat at or after `beat`.
  @inlinable public func countedBeat(atOrAfter beat: Beats) -> Beats {
    let segment = signature(at: beat)
    let length = segment.signature.beatLength.microBeats
    let into = (beat - segment.startBeat).microBeats
    let line = Beats(microBeats: -Grid.floorDivide(-into, length) &* length) + segment.startBeat
    // A signature that begins between two counted beats starts with a counted beat of its own.
    let next = signature(at: line)
    return next.startBeat > segment.startBeat && next.startBeat >= beat ? next.startBeat : line
  }

  /// The last bar line at or before `beat`.
  @inlinable public func barLine(atOrBefore beat: Beats) -> Beats {
    let segment = signature(at: beat)
    let length = segment.signature.barLength.microBeats
    let into = (beat - segment.startBeat).microBeats
    return Beats(microBeats: Grid.floorDivide(into, length) &* length) + segment.startBeat
  }

  /// The first bar line at or after `beat`.
  @inlinable public func barLine(atOrAfter beat: Beats) -> Beats {
    let segment = signature(at: beat)
    let length = segment.signature.barLength.microBeats
    let into = (beat - segment.startBeat).microBeats
    let line = Beats(microBeats: -Grid.floorDivide(-into, length) &* length) + segment.startBeat
    let next = signature(at: line)
    return next.startBeat > segment.startBeat && next.startBeat >= beat ? next.startBeat : line
  }
}
