internal import JamCore
internal import JamRealtime

/// One sounding hit. Every count of frames starts at the next frame that the voice will render.
struct Voice: BitwiseCopyable {
  let leftMemory: UnsafeRawPointer
  let rightMemory: UnsafeRawPointer
  /// The place in the sample: frames in the upper 32 bits, their fraction in the lower.
  var phase: UInt64
  /// The amount that one rendered frame adds to `phase`: the hit's own rate times the room's pitch.
  var increment: UInt64
  var rate: Float
  /// The ratio that `bend` gives. It lies here because `use` must be aligned to eight bytes.
  var bendRatio: Float
  var use: SampleUse
  var gain: PanGains
  /// The target of `gain`. `panLeft` counts the frames that are left on the way; a byte can hold
  /// them.
  var panTarget: PanGains
  /// The level at which the fade at the end begins: less than 1 where the voice was still
  /// beginning.
  var level: Float = 1
  /// The gain from the pad's level and from other pads' solo.
  var pad: PadLevel
  /// Frames until the sample is over; of no meaning in a looped voice.
  var framesLeft: Int32
  /// Frames of the sample, or up to the loop's end.
  let frameCount: Int32
  /// The frame at which a looped voice continues after its end; −1 in any other voice.
  let loopStart: Int32
  /// Rendered frames from the onset on; 0 is none.
  let decayFrames: Int32
  /// Length of the fade after the release.
  let releaseFrames: Int32
  /// Frames left of the short fade-in of a sample that starts in its middle.
  var attackLeft: Int32
  var untilFade: Int32
  /// Frames left of the fade once it began; its whole length before.
  var fadeLeft: Int32
  /// Length of the fade once it began.
  var fadeLength: Int32 = 0
  /// The list of the pad's voices, oldest first; −1 ends it.
  var next: Int32
  var previous: Int32
  var bus: UInt8
  var padIndex: UInt8
  var choke: UInt8
  var isGated: Bool
  var isStereo: Bool
  var isFading: Bool
  /// Whether the loop's end lies in front of the current place: the voice has repeated, or it began
  /// inside the loop.
  var isInLoop: Bool
  /// Whether the voice was released with a long fade. It counts against the limits until it is told
  /// to end.
  var isReleased = false
  /// Whether the voice was told to end. It no longer counts against any limit.
  var isLeaving: Bool
  var panLeft: UInt8
  /// Frames of the coming block before the voice begins; 0 from its second block on. A byte holds
  /// them.
  var startOffset: UInt8
  /// The shift of the sample's planes.
  let shift: UInt8
  let endsLoud: Bool
  /// Whether the voice replaces another voice's loop.
  let takesOver: Bool
  let stem: UInt16
  /// Whether the player's client sounds the hit itself.
  let isOwn: Bool
  /// The frame of its first sound.
  var onset: Int64
  /// The frame on which it is released by itself.
  let holdEnd: Int64
  /// For a key, in semitones: the bend of the key (`keyBend`), and the bend of key and bus together
  /// as it is heard now (`bend`).
  var keyBend: Float = 0
  var bend: Float

  static var unity: UInt64 { @_noLocks get { 1 << 32 } }

  var isLooped: Bool { @_noLocks get { loopStart >= 0 } }

  /// Length of the whole fade-in of a sample that starts in its middle.
  var attackLength: Int32 { @_noLocks @inline(__always) get { takesOver ? Fade.seam : Fade.attack } }

  /// Whether the voice, once released, rings on for longer than any other fade lasts.
  var fadesSlowly: Bool { @_noLocks get { releaseFrames > Fade.release } }
  var left: SamplePlane { @_noLocks @inline(__always) get { SamplePlane(memory: leftMemory, shift: shift) } }
  var right: SamplePlane { @_noLocks @inline(__always) get { SamplePlane(memory: rightMemory, shift: shift) } }

  /// Whether the sample plays as it was recorded: no interpolation.
  var isAtUnity: Bool { @_noLocks get { increment == Voice.unity && phase & 0xFFFF_FFFF == 0 } }
}

extension Voice {
  /// The shortest loop, in frames. A rate could jump over a shorter loop, which would be a tone
  /// anyway.
  private static var shortestLoop: Int32 { @_noLocks get { 128 } }

  /// - Parameters:
  ///   - pitch: the room's.
  ///   - isHeard: no other pad of the bus is soloed.
  ///   - bend: of the bus's keys, in semitones.
  /// - Returns: nil where nothing of the sample would be heard. Numbers out of range are brought
  ///   into it.
  @_noLocks init?(_ start: VoiceStart, offset: Int32, onset: Int64, pitch: Float, isHeard: Bool, bend: Float) {
    let first = Swift.max(0, start.startFrame)
    guard start.sample.frameCount > first else { return nil }
    let goesRoundHeld = Voice.goesRoundHeld(start, from: first)
    let count = goesRoundHeld ? start.sample.loopEnd : start.sample.frameCount
    leftMemory = start.sample.leftMemory
    rightMemory = start.sample.rightMemory
    shift = start.sample.shift
    isStereo = start.sample.isStereo
    let loops = start.isLooped && count - first >= Voice.shortestLoop
    takesOver = start.takesOver && loops && start.entryFrame < count - first
    phase = UInt64(takesOver ? first + start.entryFrame : first) << 32
    rate = start.rate
    self.bend = bend
    bendRatio = Voice.ratio(semitones: bend)
    increment = Voice.increment(start.rate * pitch * bendRatio)
    use = start.use
    gain = PanGains(left: Voice.sane(start.gain.left), right: Voice.sane(start.gain.right))
    panTarget = gain
    panLeft = 0
    stem = start.stem
    isOwn = start.isOwn
    pad = PadLevel(Voice.sane(start.level), isHeard: isHeard)
    framesLeft = Voice.frames(from: phase, to: UInt64(count) << 32, by: increment)
    frameCount = count
    loopStart = goesRoundHeld ? start.sample.loopStart : loops ? first : -1
    isInLoop = !goesRoundHeld
    decayFrames = Swift.max(0, start.decayFrames)
    releaseFrames = Swift.max(Fade.release, start.releaseFrames)
    attackLeft = takesOver ? Fade.seam : first > 0 ? Fade.attack : 0
    next = -1
    previous = -1
    startOffset = UInt8(truncatingIfNeeded: offset)
    bus = start.bus.index
    padIndex = UInt8(start.pad.index)
    choke = start.choke
    isGated = start.isGated
    isFading = false
    isLeaving = false
    self.onset = onset
    holdEnd = start.holdFrames > 0 ? onset + Int64(start.holdFrames) : Int64.max

    let last = Int(count) - 1
    // A sample that ends at full loudness is faded; −78 dB counts as silence.
    endsLoud = Swift.max(start.sample.left[last].magnitude, start.sample.right[last].magnitude) > 1.0 / 8192
    untilFade = Int32.max
    fadeLeft = Fade.decay
    planEnd(decayLeft: decayFrames > 0 ? decayFrames : Int32.max)
    planRelease(now: onset)
  }

  /// Whether the sample's own loop repeats while the hit is held.
  @_noLocks private static func goesRoundHeld(_ start: VoiceStart, from first: Int32) -> Bool {
    start.goesRoundHeld && first < start.sample.loopEnd
      && start.sample.loopEnd - start.sample.loopStart >= shortestLoop
  }

  /// Plans the fade at the end of the hold, where that comes first.
  @_noLocks private mutating func planRelease(now: Int64) {
    guard holdEnd < Int64.max else { return }
    let left = Swift.max(0, holdEnd - Swift.max(now, onset))
    guard left < Int64(untilFade) else { return }
    untilFade = Int32(truncatingIfNeeded: left)
    fadeLeft = isLooped ? releaseFrames : Swift.max(1, Swift.min(releaseFrames, framesLeft - untilFade))
  }

  /// Plans the fade at the pad's decay, or at the end of a sample that would click.
  @_noLocks private mutating func planEnd(decayLeft: Int32) {
    guard !isLooped else { return }
    untilFade = Swift.min(endsLoud ? Swift.max(0, framesLeft - Fade.end) : Int32.max, decayLeft)
    fadeLeft = Swift.max(1, Swift.min(Fade.decay, framesLeft &- Swift.min(untilFade, framesLeft)))
  }

  /// The room's pitch changed; `now` is the coming block's first frame.
  @_noLocks mutating func retune(_ pitch: Float, now: Int64) {
    increment = Voice.increment(rate * pitch * bendRatio)
    guard !isLooped else { return }
    framesLeft = Voice.frames(from: phase, to: UInt64(frameCount) << 32, by: increment)
    if isFading {
      hurryFade()
    } else if isLeaving || isReleased {
      fadeLeft = Swift.max(1, Swift.min(fadeLeft, framesLeft &- Swift.min(untilFade, framesLeft)))
    } else {
      let decayLeft = Int64(decayFrames) - Swift.max(0, now - onset)
      planEnd(decayLeft: decayFrames > 0 ? Int32(Swift.max(0, decayLeft)) : Int32.max)
      planRelease(now: now)
    }
  }

  /// Shortens the fade that runs so that it ends with the sample at the latest. It continues from
  /// the level that it reached.
  @_noLocks private mutating func hurryFade() {
    let left = Swift.max(1, Swift.min(fadeLeft, framesLeft))
    guard left < fadeLeft else { return }
    let now = level * Curve.rest(fadeLeft, of: fadeLength)
    fadeLength = Swift.max(left, Int32(truncatingIfNeeded: Int64(fadeLength) * Int64(left) / Int64(fadeLeft)))
    fadeLeft = left
    level = now / Curve.rest(left, of: fadeLength)
  }

  /// Ends a voice, which may already be in a slow fade, by a fade of `length` frames from its
  /// current level.
  @_noLocks mutating func cutShort(_ length: Int32, at offset: Int32) {
    guard !isFading else {
      guard length < fadeLeft else { return }
      level *= Curve.rest(fadeLeft, of: fadeLength)
      fadeLength = isLooped ? length : Swift.max(1, Swift.min(length, framesLeft))
      fadeLeft = fadeLength
      return
    }
    if Swift.max(0, offset - Int32(startOffset)) < untilFade {
      fade(length, at: offset)
    } else {
      fadeLeft = Swift.min(fadeLeft, length)
    }
  }

  /// Ends the voice by a fade of `length` frames from `offset` in the coming block on, unless it
  /// ends sooner by itself.
  @_noLocks mutating func fade(_ length: Int32, at offset: Int32) {
    let until = Swift.max(0, offset - Int32(startOffset))
    guard until < untilFade else { return }
    untilFade = until
    fadeLeft = isLooped ? length : Swift.max(1, Swift.min(length, framesLeft - until))
  }

  /// A rate of 1/64…64 as 32.32 fixed point. NaN plays as recorded.
  @_noLocks static func increment(_ rate: Float) -> UInt64 {
    guard rate == rate else { return unity }
    let bounded = rate < 1.0 / 64 ? 1.0 / 64 : rate > 64 ? 64 : rate
    return UInt64(Double(bounded) * 4_294_967_296)
  }

  /// Rendered frames until `phase` reaches `end`.
  @_noLocks private static func frames(from phase: UInt64, to end: UInt64, by increment: UInt64) -> Int32 {
    guard end > phase else { return 0 }
    let count = (end - phase - 1) / increment + 1
    return Int32(Swift.min(count, 0x7FFF_FFFF))
  }

  /// A gain that cannot spoil the mix: 0…64; NaN is 0.
  @_noLocks static func sane(_ gain: Float) -> Float { gain > 0 ? Swift.min(gain, 64) : 0 }
}
