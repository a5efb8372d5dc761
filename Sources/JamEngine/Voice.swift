internal import JamCore
internal import JamRealtime

/// One sounding hit. Every count of frames is taken from the next frame that the voice will render.
struct Voice: BitwiseCopyable {
  let leftMemory: UnsafeRawPointer
  let rightMemory: UnsafeRawPointer
  /// The place in the sample: frames in the upper 32 bits, their fraction in the lower.
  var phase: UInt64
  /// What one rendered frame adds to `phase`: the hit's own rate by the room's pitch.
  var increment: UInt64
  var rate: Float
  /// What `bend` makes of the rate. It lies here because `use` begins on eight bytes.
  var bendRatio: Float
  var use: SampleUse
  var gain: PanGains
  /// Where `gain` goes to, and how many frames are left on the way; a byte holds them.
  var panTarget: PanGains
  /// What the fade at the end begins from: less than 1 where the voice was still beginning.
  var level: Float = 1
  /// What the pad's level and other pads' solo make of it.
  var pad: PadLevel
  /// Until the sample is over; of no meaning in a looped voice.
  var framesLeft: Int32
  /// Of the sample, or up to the loop's end.
  let frameCount: Int32
  /// Where a looped voice goes on behind the sample's end; −1 in any other.
  let loopStart: Int32
  /// Rendered frames from the onset on; 0 is none.
  let decayFrames: Int32
  /// Of the fade once it is let go of.
  let releaseFrames: Int32
  /// Of the short fade-in of a sample that starts in its midst.
  var attackLeft: Int32
  var untilFade: Int32
  /// Of the fade once it began; its whole length before.
  var fadeLeft: Int32
  /// Of the fade once it began.
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
  /// What lies in front of a place is the loop's end: it went round, or it began in the loop.
  var isInLoop: Bool
  /// Let go of, with a fade that may last: it counts against the limits until it is told to end.
  var isReleased = false
  /// Told to end: it no longer counts against any limit.
  var isLeaving: Bool
  var panLeft: UInt8
  /// Frames of the coming block before the voice begins; 0 from its second block on. A byte holds them.
  var startOffset: UInt8
  /// Of the sample's planes.
  let shift: UInt8
  let endsLoud: Bool
  /// It goes on with another voice's loop.
  let takesOver: Bool
  let stem: UInt16
  /// The frame of its first sound.
  var onset: Int64
  /// The frame on which it is let go of by itself.
  let holdEnd: Int64
  /// A key's, in semitones: its own bend, and both together as far as they are heard.
  var keyBend: Float = 0
  var bend: Float

  static var unity: UInt64 { @_noLocks get { 1 << 32 } }

  var isLooped: Bool { @_noLocks get { loopStart >= 0 } }

  /// Of the whole fade-in of a sample that starts in its midst.
  var attackLength: Int32 { @_noLocks @inline(__always) get { takesOver ? Fade.seam : Fade.attack } }

  /// Let go of, it rings on for longer than any other fade lasts.
  var fadesSlowly: Bool { @_noLocks get { releaseFrames > Fade.release } }
  var left: SamplePlane { @_noLocks @inline(__always) get { SamplePlane(memory: leftMemory, shift: shift) } }
  var right: SamplePlane { @_noLocks @inline(__always) get { SamplePlane(memory: rightMemory, shift: shift) } }

  /// Plays the sample as it was recorded: no interpolation.
  var isAtUnity: Bool { @_noLocks get { increment == Voice.unity && phase & 0xFFFF_FFFF == 0 } }
}

extension Voice {
  /// The shortest loop, in frames: shorter ones are tones that a rate may jump over.
  private static var shortestLoop: Int32 { @_noLocks get { 128 } }

  /// - Parameters:
  ///   - pitch: the room's.
  ///   - isHeard: no other pad of the bus is soloed.
  ///   - bend: of the bus's keys, in semitones.
  /// - Returns: nil where nothing of the sample would be heard. Numbers out of range are brought into it.
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
    // A sample that ends in full sound is faded; −78 dB is as good as silence.
    endsLoud = Swift.max(start.sample.left[last].magnitude, start.sample.right[last].magnitude) > 1.0 / 8192
    untilFade = Int32.max
    fadeLeft = Fade.decay
    planEnd(decayLeft: decayFrames > 0 ? decayFrames : Int32.max)
    planRelease(now: onset)
  }

  /// Whether the sample's own loop goes round while the hit is held.
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

  /// The fade that runs ends with the sample at the latest, and goes on from the level that it reached.
  @_noLocks private mutating func hurryFade() {
    let left = Swift.max(1, Swift.min(fadeLeft, framesLeft))
    guard left < fadeLeft else { return }
    let now = level * Curve.rest(fadeLeft, of: fadeLength)
    fadeLength = Swift.max(left, Int32(truncatingIfNeeded: Int64(fadeLength) * Int64(left) / Int64(fadeLeft)))
    fadeLeft = left
    level = now / Curve.rest(left, of: fadeLength)
  }

  /// Ends a voice that may fade already, slowly: by a fade of `length` frames from where it is.
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

  /// Ends the voice by a fade of `length` frames from `offset` in the coming block on, unless it ends sooner by itself.
  @_noLocks mutating func fade(_ length: Int32, at offset: Int32) {
    let until = Swift.max(0, offset - Int32(startOffset))
    guard until < untilFade else { return }
    untilFade = until
    fadeLeft = isLooped ? length : Swift.max(1, Swift.min(length, framesLeft - until))
  }

  /// 32.32 fixed point of 1/64…64; anything that is no number plays as recorded.
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
