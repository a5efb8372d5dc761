internal import JamCore

/// All effects of a room, between its voices and its limiter: each player's inserts, the ducking of
/// channels, the sends to the room's delay and reverb, and the effects of the whole mix. While all
/// effects are off, no bit of the mix changes, and nothing is computed.
///
/// Real-time safe except for `init` and `deinit`.
struct EffectRack: ~Copyable {
  private let count: Int
  private let inserts: InsertChains
  private var ownInserts: OwnInserts
  private let channels: UnsafeMutablePointer<Channel>
  /// Bit i is bus i. `used`: a setting of the bus was ever changed. `duckedByBeats`: the beat ducks
  /// it. `duckedByHits`: hits duck it.
  private var used: UInt64 = 0
  private var duckedByBeats: UInt64 = 0
  private var duckedByHits: UInt64 = 0
  private var delayInput = SendInput()
  private var reverbInput = SendInput()
  private var delay = RoomDelay()
  private var reverb = RoomReverb()
  private(set) var mix = MixEffects()
  private var room = RoomEffectSettings()
  /// `room` with its macros applied.
  private var heardRoom = RoomEffectSettings()
  private var mixSends = SendLevels()
  /// The last change has not reached the delay, or the reverb, yet.
  private var isDelayChanged = false
  private var isReverbChanged = false
  private var beatsPerMinute = 120.0
  /// The fade of the delay and the reverb to silence.
  private var hush = SmoothedGains(PanGains(left: 1, right: 1))
  private var isHushed = false
  /// Whether an effect may still ring.
  private(set) var isRinging = false

  /// The settings of one player.
  private struct Channel: BitwiseCopyable {
    var settings = EffectSettings()
    var sends = SendLevels()
    var ducker = DuckPlayer.anybody
  }

  init(limits: Limits) {
    precondition(limits.playersPerRoom <= 64)
    count = limits.playersPerRoom
    inserts = InsertChains(count: count)
    ownInserts = OwnInserts(count: count)
    channels = .allocate(capacity: count)
    channels.initialize(repeating: Channel(), count: count)
  }

  deinit { channels.deallocate() }

  // MARK: Settings

  /// Changes one setting of a player, from the coming block on.
  /// - Parameter isIdle: nothing sounds on the bus.
  @_noLocks mutating func set(_ setting: EffectSetting, of bus: Int, to number: Float, isIdle: Bool) {
    guard bus < count else { return }
    used |= 1 &<< UInt64(bus)
    (channels + bus).pointee.settings.setNumber(number, of: setting)
    apply(bus, isIdle: isIdle)
  }

  /// Turns all effects off on a bus that was given to another player.
  @_noLocks mutating func open(_ bus: Int, isIdle: Bool) {
    guard bus < count, isUsed(bus) else { return }
    (channels + bus).pointee.settings = EffectSettings()
    (channels + bus).pointee.ducker = .anybody
    apply(bus, isIdle: isIdle)
  }

  /// Chooses the players whose hits duck a bus, where kicks or pads duck it, from the coming frame
  /// on.
  @_noLocks mutating func duck(_ bus: Int, by player: DuckPlayer) {
    guard bus < count else { return }
    used |= 1 &<< UInt64(bus)
    (channels + bus).pointee.ducker = player
  }

  @_noLocks private func isUsed(_ bus: Int) -> Bool { used &>> UInt64(bus) & 1 == 1 }

  @_noLocks private mutating func apply(_ bus: Int, isIdle: Bool) {
    let heard = channels[bus].settings.withMacros
    inserts.set(heard, of: bus)
    ownInserts.set(heard, of: bus)
    // Nothing of the bus is heard, so the change needs no glide.
    if isIdle { skipInserts(bus, 0) }
    (channels + bus).pointee.sends.go(delay: heard.delaySend, reverb: heard.reverbSend, isIdle: isIdle)
    let bit: UInt64 = 1 &<< UInt64(bus)
    duckedByBeats = heard.duckSource == .beat ? duckedByBeats | bit : duckedByBeats & ~bit
    let isHit = heard.duckSource != .beat && heard.duckSource != .off
    duckedByHits = isHit ? duckedByHits | bit : duckedByHits & ~bit
  }

  /// Changes one setting of the room, from the coming block on.
  /// - Parameter isIdle: nothing sounds at all.
  @_noLocks mutating func set(_ setting: RoomEffectSetting, to number: Float, isIdle: Bool) {
    room.setNumber(number, of: setting)
    heardRoom = room.withMacros
    mixSends.go(delay: heardRoom.mixToDelay, reverb: heardRoom.mixToReverb, isIdle: isIdle)
    mix.set(heardRoom, isIdle: isIdle)
    isDelayChanged = true
    isReverbChanged = true
  }

  // MARK: Ducking

  /// Ducks the channels that this hit ducks. The hit begins at frame `offset` of the coming block.
  @_noLocks mutating func hear(_ start: VoiceStart, at offset: Int) {
    var ducked = duckedByHits
    while ducked != 0 {
      let bus = ducked.trailingZeroBitCount
      let settings = channels[bus].settings
      let isHeard = channels[bus].ducker.includes(start.bus)
      switch settings.duckSource {
      case .kick where isHeard && start.isKick: trigger(bus, at: offset)
      case .pad where isHeard && start.pad.number == Int(settings.duckPad): trigger(bus, at: offset)
      case .own where Int(start.bus.index) == bus && start.pad.number == Int(settings.duckPad):
        trigger(bus, at: offset)
      default: break
      }
      ducked &= ducked &- 1
    }
  }

  /// Ducks the channels that the beat ducks. The beat lies on frame `offset` of the coming block.
  @_noLocks mutating func hearBeat(at offset: Int) {
    var ducked = duckedByBeats
    while ducked != 0 {
      trigger(ducked.trailingZeroBitCount, at: offset)
      ducked &= ducked &- 1
    }
  }

  @_noLocks private func trigger(_ bus: Int, at offset: Int) {
    inserts.trigger(bus, at: offset)
    ownInserts.trigger(bus, at: offset)
  }

  /// Whether any channel is ducked by the beat.
  var wantsBeats: Bool { @_noLocks get { duckedByBeats != 0 } }

  // MARK: The signal path

  /// Whether the bus's inserts still ring, also where nothing sounds on the bus any more.
  @_noLocks func isRinging(_ bus: Int) -> Bool { !inserts.isAtRest(bus) }

  /// Whether the inserts may change a bit of the bus.
  @_noLocks func hasInserts(_ bus: Int) -> Bool { !inserts.isOff(bus) }

  /// Applies the inserts, in place, in front of the channel's fader.
  @_noLocks func insert(
    _ bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    inserts.process(bus, left, right, frames)
  }

  /// The same, for a bus whose own voices a cue leaves out.
  /// - Parameter own: these voices in front of the inserts, and afterwards what they add behind
  ///   them.
  @_noLocks mutating func insert(
    _ bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ frames: Int, and own: UnsafeMutablePointer<OwnVoices>
  ) {
    ownInserts.process(bus, left, right, frames, inserts, own)
  }

  /// Own voices of these buses are left out by cues; bit i is bus i. Call it before the buses of each
  /// block.
  @_noLocks mutating func keepOwnInserts(_ buses: UInt64) { ownInserts.keep(buses) }

  /// Skips a block in which nothing of the bus is heard.
  @_noLocks mutating func skip(_ bus: Int, _ frames: Int) {
    skipInserts(bus, frames)
    if isUsed(bus) { (channels + bus).pointee.sends.arrive() }
  }

  @_noLocks private mutating func skipInserts(_ bus: Int, _ frames: Int) {
    inserts.skip(bus, frames)
    ownInserts.stop(bus)
  }

  /// Whether the bus sends anything to the room's delay or reverb.
  @_noLocks func sends(_ bus: Int) -> Bool { !channels[bus].sends.isShut }

  /// Sends the bus, behind its fader, to the room's delay and reverb.
  @_noLocks mutating func send(
    _ bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    var levels = channels[bus].sends
    give(&levels, left, right, frames)
    (channels + bus).pointee.sends = levels
  }

  @_noLocks private mutating func give(
    _ levels: inout SendLevels, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ frames: Int
  ) {
    if !levels.delay.isShut { delayInput.add(left, right, frames, levels.delay.next(frames)) }
    if !levels.reverb.isShut { reverbInput.add(left, right, frames, levels.reverb.next(frames)) }
  }

  /// Adds the output of delay and reverb to the sum of all channels. Call it after the last bus.
  /// - Parameters:
  ///   - frame: the block's first.
  ///   - clock: nil is 120 beats per minute.
  @_noLocks mutating func addReturns(
    toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, _ frames: Int,
    at frame: Frames, clock: TempoMapView?, and stems: UnsafeMutablePointer<Stems>?
  ) {
    var mixSends = self.mixSends
    if !mixSends.isShut { give(&mixSends, left, right, frames) }
    self.mixSends = mixSends
    let gains = hush.next(frames)
    isRinging = false
    if delayInput.isFed || !delay.isAtRest {
      let tempo = clock.map { $0.tempo(at: $0.beat(at: frame)).beatsPerMinute } ?? 120
      if isDelayChanged || tempo != beatsPerMinute {
        delay.set(heardRoom, beatsPerMinute: tempo)
        (isDelayChanged, beatsPerMinute) = (false, tempo)
      }
      delayInput.open(frames)
      delay.process(delayInput.left, delayInput.right, frames)
      delayInput.addReturn(toLeft: left, toRight: right, frames, gains)
      if let stems { stems.pointee.addReturn(.delay, delayInput.left, delayInput.right, frames) }
      isRinging = !delay.isAtRest
    }
    if reverbInput.isFed || !reverb.isAtRest {
      if isReverbChanged { reverb.set(heardRoom) }
      isReverbChanged = false
      reverbInput.open(frames)
      reverb.process(reverbInput.left, reverbInput.right, frames)
      reverbInput.addReturn(toLeft: left, toRight: right, frames, gains)
      if let stems { stems.pointee.addReturn(.reverb, reverbInput.left, reverbInput.right, frames) }
      isRinging = isRinging || !reverb.isAtRest
    }
    if isHushed && hush.isShut { rest() }
    noteInserts()
  }

  @_noLocks private mutating func noteInserts() {
    var bus = 0
    while bus < count && !isRinging {
      if !inserts.isAtRest(bus) { isRinging = true }
      bus &+= 1
    }
  }

  /// Applies the effects of the whole mix, in front of the room's filter and the limiter.
  /// - Parameter pass: keeps what cues need that differ from the mix; nil where none does.
  @_noLocks mutating func processMix(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int,
    _ pass: MixPass? = nil
  ) {
    mix.process(left, right, frames, pass)
  }

  /// Resets the effects of the mix, because nothing of it is heard.
  @_noLocks mutating func restMix() { mix.rest() }

  /// Fades out delay and reverb within 5 ms.
  @_noLocks mutating func silence() {
    guard isRinging else { return }
    hush.go(to: PanGains(left: 0, right: 0))
    isHushed = true
  }

  @_noLocks private mutating func rest() {
    delay.reset()
    reverb.reset()
    hush = SmoothedGains(PanGains(left: 1, right: 1))
    isHushed = false
    isRinging = false
  }
}

/// The shares that are sent to delay and reverb.
private struct SendLevels: BitwiseCopyable {
  var delay = SmoothedGains(PanGains(left: 0, right: 0))
  var reverb = SmoothedGains(PanGains(left: 0, right: 0))

  @_noLocks init() {}

  var isShut: Bool { @_noLocks get { delay.isShut && reverb.isShut } }

  @_noLocks mutating func go(delay toDelay: Float, reverb toReverb: Float, isIdle: Bool) {
    let (toDelay, toReverb) = (Voice.sane(toDelay), Voice.sane(toReverb))
    delay.go(to: PanGains(left: toDelay, right: toDelay))
    reverb.go(to: PanGains(left: toReverb, right: toReverb))
    if isIdle { arrive() }
  }

  @_noLocks mutating func arrive() {
    delay.arrive()
    reverb.arrive()
  }
}
