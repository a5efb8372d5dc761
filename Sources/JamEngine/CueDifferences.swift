internal import JamCore

/// The differences between the cues and the mix. A cue may hear buses at gains of its own, and a
/// player's bus without the voices that the player's client sounds itself.
///
/// A cue is the mix plus its difference. The difference of a block is summed bus by bus, behind the
/// channels' faders, and goes through the same leveller, fader and effects as the mix. A cue
/// without a difference costs nothing here, and equals the mix to the bit.
/// Real-time safe except for `init` and `deinit`.
struct CueDifferences: ~Copyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let count: Int
  private let busCount: Int
  private let places: UnsafeMutablePointer<Place>
  /// The gains of all buses in each cue, cue by cue. They have values once the cue was opened.
  private let gains: UnsafeMutablePointer<SmoothedGains>
  /// The difference of the coming block, left and right, cue by cue.
  private let memory: Samples
  /// The own voices of the bus that is rendered.
  let own: UnsafeMutablePointer<OwnVoices>
  let pass = MixPass()
  /// Bit i is bus i: its gain is not 1 in some cue (`uneven`), or some cue leaves its own voices
  /// out.
  private var uneven: UInt64 = 0
  private(set) var withoutOwn: UInt64 = 0
  /// Bit i is cue i: its difference sounds, or rings in a filter.
  private var differing: UInt64 = 0

  private struct Place: BitwiseCopyable {
    /// Bit i is bus i: its gain is not 1.
    var uneven: UInt64 = 0
    /// The bus whose own voices are left out; −1 is none.
    var bus = -1
    /// The number of the command before which the cue was opened.
    var sequence: UInt64 = 0
    /// Whether the coming block's difference holds anything yet.
    var isFed = false
    /// Whether the difference is not silent.
    var isHeard = false
    /// Frames for which the difference has been silent.
    var quietFrames: Int32 = 0
    var effects = MixEffects.Own(MixEffects())
    var sweep = FilterState()
    var riser = FilterState()
  }

  /// A difference that was silent for so long is over: 50 ms.
  private static var patience: Int32 { @_noLocks get { 2_400 } }
  /// −126 dBFS.
  private static var quiet: Float { @_noLocks get { 5e-7 } }
  private static var most: Float { @_noLocks get { 4 } }

  init(count: Int, busCount: Int) {
    precondition(count <= 64 && busCount <= 64)
    self.count = count
    self.busCount = busCount
    places = .allocate(capacity: count)
    places.initialize(repeating: Place(), count: count)
    gains = .allocate(capacity: count * busCount)
    memory = .allocate(capacity: count * 2 * Int(Frames.perBuffer))
    own = .allocate(capacity: 1)
    own.initialize(to: OwnVoices())
  }

  deinit {
    places.deallocate()
    gains.deallocate()
    memory.deallocate()
    own.deinitialize(count: 1)
    own.deallocate()
    pass.deallocate()
  }

  @_noLocks private func left(_ cue: Int) -> Samples { memory + cue * 2 * Int(Frames.perBuffer) }
  @_noLocks private func right(_ cue: Int) -> Samples { left(cue) + Int(Frames.perBuffer) }
  @_noLocks private func bit(_ index: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: index) }
  @_noLocks private func has(_ mask: UInt64, _ index: Int) -> Bool { mask & bit(index) != 0 }

  // MARK: Settings

  /// Opens a cue at gains of 1.
  /// - Parameters:
  ///   - bus: the bus whose own voices are left out; nil leaves out none.
  ///   - sequence: the number of the command before.
  @_noLocks mutating func open(_ cue: Int, without bus: Int?, after sequence: UInt64) {
    guard cue < count else { return }
    places[cue] = Place()
    places[cue].sequence = sequence
    var i = 0
    while i < busCount {
      (gains + cue * busCount + i).initialize(to: SmoothedGains(PanGains(left: 1, right: 1)))
      i &+= 1
    }
    if let bus, bus >= 0, bus < busCount { places[cue].bus = bus }
    note()
  }

  @_noLocks mutating func close(_ cue: Int) {
    guard cue < count else { return }
    places[cue] = Place()
    differing &= ~bit(cue)
    note()
  }

  /// Sets the gain of a bus in an open cue, smoothed.
  /// - Parameters:
  ///   - gain: 0…4, and brought into that range; NaN changes nothing.
  ///   - isIdle: nothing sounds on the bus, so the change is immediate.
  @_noLocks mutating func setGain(_ cue: Int, of bus: Int, _ gain: Float, isIdle: Bool) {
    guard cue < count, bus < busCount, gain == gain else { return }
    let bounded = gain > 0 ? Swift.min(gain, CueDifferences.most) : 0
    let place = gains + cue * busCount + bus
    place.pointee.go(to: PanGains(left: bounded, right: bounded))
    if isIdle { place.pointee.arrive() }
    noteGain(cue, bus)
  }

  /// The bus was given to another player by the command of that number: cues that were opened
  /// before are not this player's, and hear all of the bus.
  @_noLocks mutating func openBus(_ bus: Int, sequence: UInt64) {
    guard bus < busCount, has(withoutOwn, bus) else { return }
    var cue = 0
    while cue < count {
      if places[cue].bus == bus, places[cue].sequence < sequence { places[cue].bus = -1 }
      cue &+= 1
    }
    note()
  }

  /// Ends what is smoothed of the bus at once, because nothing sounds on it any more.
  @_noLocks mutating func arrive(_ bus: Int) {
    guard has(uneven, bus) else { return }
    var cue = 0
    while cue < count {
      if has(places[cue].uneven, bus) {
        gains[cue * busCount + bus].arrive()
        noteGain(cue, bus)
      }
      cue &+= 1
    }
  }

  @_noLocks private mutating func noteGain(_ cue: Int, _ bus: Int) {
    let isUneven = !gains[cue * busCount + bus].isUnity
    guard isUneven != has(places[cue].uneven, bus) else { return }
    places[cue].uneven = places[cue].uneven ^ bit(bus)
    note()
  }

  @_noLocks private mutating func note() {
    uneven = 0
    withoutOwn = 0
    var cue = 0
    while cue < count {
      uneven |= places[cue].uneven
      if places[cue].bus >= 0 { withoutOwn |= bit(places[cue].bus) }
      cue &+= 1
    }
  }

  // MARK: The signal path

  /// Whether a cue leaves out the own voices of the bus.
  @_noLocks func omitsOwn(of bus: Int) -> Bool { has(withoutOwn, bus) }

  /// Whether a cue hears the bus, as it was just rendered, differently.
  @_noLocks func takes(_ bus: Int) -> Bool {
    has(uneven, bus) || (has(withoutOwn, bus) && own.pointee.isFed)
  }

  /// Adds the bus to the differences.
  /// - Parameters:
  ///   - left, right: the bus behind its fader.
  ///   - channel: the fader's gains over the block.
  @_noLocks mutating func take(
    _ bus: Int, _ left: Samples, _ right: Samples,
    _ channel: VoiceKernels.Gains, _ frames: Int
  ) {
    let hasOwn = own.pointee.isFed && has(withoutOwn, bus)
    if hasOwn { own.pointee.amplify(channel, frames: frames) }
    var cue = 0
    while cue < count {
      let isUneven = has(places[cue].uneven, bus)
      let isOwn = hasOwn && places[cue].bus == bus
      if isUneven || isOwn {
        open(cue, frames)
        var gain = VoiceKernels.Gains(left: 1, right: 1)
        if isUneven {
          gain = gains[cue * busCount + bus].next(frames)
          addChange(left, right, to: cue, gain, frames)
          noteGain(cue, bus)
        }
        if isOwn { subtractOwn(from: cue, gain, frames) }
      }
      cue &+= 1
    }
  }

  /// Fills the cue's difference with silence, unless it holds something of this block already.
  @_noLocks private mutating func open(_ cue: Int, _ frames: Int) {
    guard !places[cue].isFed else { return }
    places[cue].isFed = true
    Signal.writeSilence(left(cue), frames)
    Signal.writeSilence(right(cue), frames)
  }

  @_noLocks private func addChange(
    _ left: Samples, _ right: Samples, to cue: Int,
    _ gain: VoiceKernels.Gains, _ frames: Int
  ) {
    let (toLeft, toRight) = (self.left(cue), self.right(cue))
    var ramp = VoiceKernels.Ramp(gain)
    var i = 0
    while i < frames {
      VoiceKernels.add(VoiceKernels.load(left + i) * (ramp.left - 1), to: toLeft + i)
      VoiceKernels.add(VoiceKernels.load(right + i) * (ramp.right - 1), to: toRight + i)
      ramp.advance()
      i &+= 4
    }
  }

  @_noLocks private func subtractOwn(from cue: Int, _ gain: VoiceKernels.Gains, _ frames: Int) {
    let (toLeft, toRight) = (left(cue), right(cue))
    var ramp = VoiceKernels.Ramp(gain)
    var i = 0
    while i < frames {
      VoiceKernels.add(VoiceKernels.load(own.pointee.left + i) * -ramp.left, to: toLeft + i)
      VoiceKernels.add(VoiceKernels.load(own.pointee.right + i) * -ramp.right, to: toRight + i)
      ramp.advance()
      i &+= 4
    }
  }

  /// Whether any cue differs from the mix in the block whose buses were taken.
  var isAny: Bool {
    @_noLocks get {
      if differing != 0 { return true }
      guard uneven | withoutOwn != 0 else { return false }
      var cue = 0
      while cue < count {
        if places[cue].isFed { return true }
        cue &+= 1
      }
      return false
    }
  }

  /// Carries the differences through everything that lies between the sum of all channels and the
  /// limiter.
  ///
  /// Call it behind the effects of the mix, and before the room's filter and the build-up take the
  /// block.
  /// - Parameters:
  ///   - level: the gains of leveller and master.
  ///   - effects: the effects of the mix as they were before the block, which they left in `pass`.
  @_noLocks mutating func carry(
    _ level: VoiceKernels.Gains, through effects: MixEffects, _ sweep: borrowing Sweep,
    _ riser: borrowing Riser, _ frames: Int
  ) {
    var cue = 0
    while cue < count {
      let differs = has(differing, cue)
      if differs || places[cue].isFed {
        if !differs { begin(cue, effects) }
        open(cue, frames)
        let (left, right) = (left(cue), right(cue))
        Signal.amplify(left, right, level, frames)
        let isFed = InsertBlock.peak(left, right, frames) >= CueDifferences.quiet
        effects.carry(left, right, frames, &(places + cue).pointee.effects, pass)
        sweep.preview(left: left, right: right, frames: frames, &(places + cue).pointee.sweep)
        riser.preview(left: left, right: right, frames: frames, &(places + cue).pointee.riser)
        // While the mix is hushed, nothing tells what is left in the filters in front of that.
        finish(cue, frames, mayEnd: !isFed && riser.isOpen)
      }
      cue &+= 1
    }
  }

  /// The cue begins to differ: nothing of its difference is in the filters, and its crusher holds
  /// what the crusher of the mix holds.
  @_noLocks private mutating func begin(_ cue: Int, _ effects: MixEffects) {
    differing |= bit(cue)
    places[cue].effects = MixEffects.Own(effects)
    places[cue].sweep = FilterState()
    places[cue].riser = FilterState()
    places[cue].quietFrames = 0
  }

  /// - Parameter mayEnd: nothing more goes into the difference, as far as the block tells.
  @_noLocks private mutating func finish(_ cue: Int, _ frames: Int, mayEnd: Bool) {
    let peak = InsertBlock.peak(left(cue), right(cue), frames)
    places[cue].isFed = false
    places[cue].isHeard = peak > 0
    guard mayEnd, peak < CueDifferences.quiet else {
      places[cue].quietFrames = 0
      return
    }
    places[cue].quietFrames = places[cue].quietFrames &+ Int32(truncatingIfNeeded: frames)
    if places[cue].quietFrames >= CueDifferences.patience { end(cue) }
  }

  @_noLocks private mutating func end(_ cue: Int) {
    differing &= ~bit(cue)
    places[cue].isFed = false
    places[cue].isHeard = false
  }

  /// Ends all differences, because nothing of the mix sounds.
  @_noLocks mutating func rest() {
    guard differing != 0 else { return }
    var cue = 0
    while cue < count {
      if has(differing, cue) { end(cue) }
      cue &+= 1
    }
  }

  /// The difference of the block, left and right; nil where the cue is the mix.
  @_noLocks func block(_ cue: Int) -> (left: Samples, right: Samples)? {
    places[cue].isHeard ? (left(cue), right(cue)) : nil
  }
}
