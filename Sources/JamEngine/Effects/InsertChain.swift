internal import JamCore

/// A player's inserts: equaliser, distortion, compressor, chorus, filter, and the ducker of the
/// channel, in this order.
///
/// The inserts add no latency. While all are off, no bit changes. The settings come with all macros
/// applied (`withMacros`).
/// Real-time safe.
struct InsertChain: BitwiseCopyable {
  /// Floats of memory that each chain needs.
  static var memory: Int { @_noLocks get { 2 * Chorus.capacity } }

  private var settings = EffectSettings()
  private var isChanged = false
  private var lowBands = BandPair()
  private var highBands = BandPair()
  private var drive = Drive()
  private var compressor = Compressor()
  private var chorus = Chorus()
  private var filter = BandPair()
  private var ducker = Ducker()
  /// Frames for which the chain has been silent, up to `patience`.
  private var quietFrames = InsertChain.patience

  /// Whether the chain goes with another one (`OwnInserts`): then it does not rest before that one,
  /// because the chorus of a chain that rests begins anew.
  private var isSecond = false

  /// Longer than the delay of the chorus.
  private static var patience: Int { @_noLocks get { 2_400 } }
  /// −126 dBFS.
  private static var quiet: Float { @_noLocks get { 5e-7 } }

  @_noLocks init() {}

  /// Whether nothing is left in the chain: silence in gives silence out, and nothing need be
  /// computed.
  var isAtRest: Bool { @_noLocks get { quietFrames >= InsertChain.patience } }

  /// Whether no effect is on, and none is still fading out: then no bit changes.
  var isOff: Bool { @_noLocks get { !isChanged && ducker.isOff && areEffectsOff } }

  private var areEffectsOff: Bool {
    @_noLocks get {
      lowBands.isOff && highBands.isOff && drive.isOff && compressor.isOff && chorus.isOff && filter.isOff
    }
  }

  /// The compressor's present reduction in dB.
  var reduction: Float { @_noLocks get { compressor.decibels } }

  /// Takes over the settings and the state of the chain that it goes with.
  @_noLocks mutating func follow(_ first: InsertChain) {
    self = first
    isSecond = true
    quietFrames = 0
  }

  /// Changes the settings from the coming block on.
  @_noLocks mutating func set(_ settings: EffectSettings) {
    self.settings = settings
    isChanged = true
  }

  /// Ducks from frame `offset` of the coming block on; triggers of one block come in order.
  @_noLocks mutating func trigger(at offset: Int) { ducker.trigger(at: offset) }

  /// Processes the block in place.
  /// - Parameters:
  ///   - frames: a multiple of 4, at most 120.
  ///   - memory: the chain's own `InsertChain.memory` floats.
  @_noLocks mutating func process(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ memory: UnsafeMutablePointer<Float>
  ) {
    if isChanged { apply() }
    if ducker.isOff && areEffectsOff {
      rest(memory)
      return
    }
    let isSilent = InsertBlock.clean(left, right, frames)
    if isSilent && isAtRest {
      skip(frames)
      return
    }
    processBands(left, right, frames)
    processSection(left, right, frames, memory)
    if !ducker.isOff { ducker.process(left, right, frames) }
    let peak = InsertBlock.peak(left, right, frames)
    if !isSecond && peak < InsertChain.quiet && compressor.decibels < 0.1 {
      quietFrames += frames
      if isAtRest { rest(memory) }
    } else {
      quietFrames = 0
    }
  }

  /// Advances over a silent block while the chain is at rest.
  @_noLocks mutating func skip(_ frames: Int) {
    if isChanged { apply() }
    arrive()
    ducker.skip(frames)
  }

  @_noLocks private mutating func processBands(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    if lowBands.isOff { lowBands.reset() } else { lowBands.process(left, right, frames) }
    if highBands.isOff { highBands.reset() } else { highBands.process(left, right, frames) }
  }

  @_noLocks private mutating func processSection(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ memory: UnsafeMutablePointer<Float>
  ) {
    if drive.isOff { drive.reset() } else { drive.process(left, right, frames) }
    if compressor.isOff { compressor.reset() } else { compressor.process(left, right, frames) }
    if chorus.isOff { chorus.reset(memory) } else { chorus.process(left, right, frames, memory) }
    if filter.isOff { filter.reset() } else { filter.process(left, right, frames) }
  }

  @_noLocks private mutating func apply() {
    isChanged = false
    let s = settings
    lowBands.set(
      BandShape.lowShelf(hertz: s.lowFrequency, decibels: s.lowGain),
      BandShape.peak(hertz: s.lowMidFrequency, q: s.lowMidQ, decibels: s.lowMidGain))
    highBands.set(
      BandShape.peak(hertz: s.highMidFrequency, q: s.highMidQ, decibels: s.highMidGain),
      BandShape.highShelf(hertz: s.highFrequency, decibels: s.highGain))
    let driveLevel = s.driveLevel + MakeUp.driveMacro(s.driveMacro)
    drive.set(amount: s.driveAmount, tone: s.driveTone, level: driveLevel)
    var makeUp = MakeUp.compressor(
      threshold: s.compressorThreshold, ratio: s.compressorRatio, detector: s.compressorDetector)
    makeUp += s.compressorMakeUp
    compressor.set(
      threshold: s.compressorThreshold, ratio: s.compressorRatio, attack: s.compressorAttack,
      release: s.compressorRelease, knee: s.compressorKnee,
      makeUp: makeUp, detector: s.compressorDetector)
    chorus.set(mix: s.chorusMix, rate: s.chorusRate, depth: s.chorusDepth)
    filter.set(
      BandShape.amplified(
        BandShape.highPass(hertz: s.highPass, resonance: s.resonance),
        by: Decibels.gain(MakeUp.filterMacro(s.filterMacro))),
      BandShape.lowPass(hertz: s.lowPass, resonance: s.resonance))
    ducker.set(depth: s.duckDepth, attack: s.duckAttack, release: s.duckRelease)
  }

  /// Ends all glides, because nothing is heard.
  @_noLocks private mutating func arrive() {
    lowBands.arrive()
    highBands.arrive()
    drive.arrive()
    compressor.arrive()
    chorus.arrive()
    filter.arrive()
  }

  @_noLocks private mutating func rest(_ memory: UnsafeMutablePointer<Float>) {
    quietFrames = InsertChain.patience
    lowBands.reset()
    highBands.reset()
    drive.reset()
    compressor.reset()
    chorus.reset(memory)
    filter.reset()
    arrive()
  }
}
