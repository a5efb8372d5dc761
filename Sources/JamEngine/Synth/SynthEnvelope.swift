internal import JamCore

/// The numbers of an envelope in the form that ticks need.
struct SynthEnvelopeShape: BitwiseCopyable {
  let attackStep: Float
  let sustain: Float
  /// The exponent by which the rest of a fall shrinks with each frame (as a power of two), and the
  /// rest after a tick.
  let decay: Float
  let release: Float
  let decayTick: Float
  let releaseTick: Float

  /// The shortest attack and fall, in frames, so that no edge of a level is sharper.
  private static var shortest: Float { @_noLocks get { 48 } }
  private static var shortestFall: Float { @_noLocks get { 480 } }

  @_noLocks init(_ envelope: PatchEnvelope) {
    attackStep = 1 / SynthEnvelopeShape.frames(envelope.attack, SynthEnvelopeShape.shortest)
    sustain = SynthMath.bounded(envelope.sustain, 0, 1)
    // A thousandth is left at the end of the time.
    decay = -9.965_784_3 / SynthEnvelopeShape.frames(envelope.decay, SynthEnvelopeShape.shortestFall)
    release = -9.965_784_3 / SynthEnvelopeShape.frames(envelope.release, SynthEnvelopeShape.shortestFall)
    decayTick = Float(SynthMath.powerOfTwo(Double(decay) * Double(SynthVoice.tick)))
    releaseTick = Float(SynthMath.powerOfTwo(Double(release) * Double(SynthVoice.tick)))
  }

  @_noLocks private static func frames(_ milliseconds: Float, _ shortest: Float) -> Float {
    SynthMath.bounded(milliseconds * 48, shortest, 960_000)
  }
}

/// An envelope in progress: straight up, then falling towards its sustain, then to zero.
///
/// Real-time safe.
struct SynthEnvelope: BitwiseCopyable {
  enum Stage: BitwiseCopyable {
    case attack, decay, release
  }

  private(set) var level: Float = 0
  private var stage = Stage.attack

  /// −96 dB: a level below it becomes zero.
  private static var nothing: Float { @_noLocks get { 1.6e-5 } }

  @_noLocks init() {}

  @_noLocks mutating func release() { stage = .release }

  var isReleased: Bool { @_noLocks get { stage == .release } }

  /// Whether the envelope is at zero and stays there.
  @_noLocks func isOver(_ shape: SynthEnvelopeShape) -> Bool {
    level == 0 && (stage == .release || (stage == .decay && shape.sustain == 0))
  }

  /// Whether the envelope stays at its level until it is released.
  @_noLocks func isStill(_ shape: SynthEnvelopeShape) -> Bool { stage == .decay && level == shape.sustain }

  /// Advances by `frames`.
  @_noLocks mutating func advance(_ frames: Int32, _ shape: SynthEnvelopeShape) {
    var left = Float(frames)
    if stage == .attack {
      let way = left * shape.attackStep
      if level + way < 1 {
        level += way
        return
      }
      left -= (1 - level) / shape.attackStep
      level = 1
      stage = .decay
    }
    let isWhole = left == Float(SynthVoice.tick)
    if stage == .decay {
      let factor = isWhole ? shape.decayTick : SynthEnvelope.power(shape.decay, left)
      let rest = (level - shape.sustain) * factor
      level = rest < SynthEnvelope.nothing && rest > -SynthEnvelope.nothing ? shape.sustain : shape.sustain + rest
    } else {
      let factor = isWhole ? shape.releaseTick : SynthEnvelope.power(shape.release, left)
      level *= factor
      if level < SynthEnvelope.nothing { level = 0 }
    }
  }

  @_noLocks private static func power(_ each: Float, _ frames: Float) -> Float {
    Float(SynthMath.powerOfTwo(Double(each) * Double(frames)))
  }
}
