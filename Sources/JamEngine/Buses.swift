internal import JamCore

/// The players' channels. Each is a stereo buffer that receives the player's voices, with a gain, a
/// pan and a meter.
///
/// Real-time safe except for `init` and `deinit`.
struct Buses: ~Copyable {
  let count: Int
  /// One buffer serves all buses: each bus is rendered, then mixed, before the next one.
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  /// `channels` holds the gains that are set, `gains` the gains that are heard. They differ while
  /// other buses are soloed.
  private let channels: UnsafeMutablePointer<PanGains>
  private let gains: UnsafeMutablePointer<SmoothedGains>
  private var soloed: UInt64 = 0

  init(limits: Limits) {
    count = limits.playersPerRoom
    left = .allocate(capacity: Int(Frames.perBuffer))
    left.initialize(repeating: 0, count: Int(Frames.perBuffer))
    right = .allocate(capacity: Int(Frames.perBuffer))
    right.initialize(repeating: 0, count: Int(Frames.perBuffer))
    channels = .allocate(capacity: count)
    channels.initialize(repeating: PanGains(pan: 0), count: count)
    gains = .allocate(capacity: count)
    gains.initialize(repeating: SmoothedGains(PanGains(pan: 0)), count: count)
  }

  deinit {
    left.deallocate()
    right.deallocate()
    channels.deallocate()
    gains.deallocate()
  }

  /// - Parameter isIdle: nothing sounds on the bus, so the change is immediate.
  @_noLocks func set(_ bus: Int, _ channel: PanGains, isIdle: Bool) {
    guard bus < count else { return }
    channels[bus] = PanGains(left: Voice.sane(channel.left), right: Voice.sane(channel.right))
    update(bus, isIdle: isIdle)
  }

  @_noLocks mutating func solo(_ buses: UInt64) {
    soloed = buses
    var bus = 0
    while bus < count {
      update(bus, isIdle: false)
      bus += 1
    }
  }

  @_noLocks private func update(_ bus: Int, isIdle: Bool) {
    let isHeard = soloed == 0 || (bus < 64 && soloed &>> UInt64(bus) & 1 == 1)
    gains[bus].go(to: isHeard ? channels[bus] : PanGains(left: 0, right: 0))
    if isIdle { gains[bus].arrive() }
  }

  /// Ends the ramps of the bus's gains at once, because nothing sounds on the bus any more.
  @_noLocks func arrive(_ bus: Int) { gains[bus].arrive() }

  @_noLocks func clear(_ frames: Int) {
    var i = 0
    while i < frames {
      left[i] = 0
      right[i] = 0
      i &+= 1
    }
  }

  /// The gains that the bus will have when its ramps have ended; 0 where there is no such bus.
  @_noLocks func target(of bus: Int) -> PanGains {
    bus < count ? gains[bus].target : PanGains(left: 0, right: 0)
  }

  /// Whether the bus is heard, or will be when its ramps have ended.
  @_noLocks func isOpen(_ bus: Int) -> Bool {
    let gains = target(of: bus)
    return gains.left > 0 || gains.right > 0
  }

  /// The bus's gains in the coming block, before `mix` uses them.
  @_noLocks func nextGains(of bus: Int, frames: Int) -> VoiceKernels.Gains {
    var gains = gains[bus]
    return gains.next(frames)
  }

  /// Adds the rendered bus to the master, with its gain and pan applied.
  /// - Parameters:
  ///   - frames: a multiple of 4.
  ///   - keepsOutput: afterwards `left` and `right` hold the values that were added.
  /// - Returns: the peaks of the bus.
  @_noLocks func mix(
    _ bus: Int, toLeft masterLeft: UnsafeMutablePointer<Float>, toRight masterRight: UnsafeMutablePointer<Float>,
    frames: Int, keepsOutput: Bool = false
  ) -> (left: Float, right: Float) {
    var ramp = VoiceKernels.Ramp(gains[bus].next(frames))
    var peakLeft = SIMD4<Float>()
    var peakRight = SIMD4<Float>()
    var i = 0
    while i < frames {
      let l = Signal.bounded(VoiceKernels.load(left + i) * ramp.left)
      let r = Signal.bounded(VoiceKernels.load(right + i) * ramp.right)
      peakLeft = Signal.larger(peakLeft, Signal.magnitude(l))
      peakRight = Signal.larger(peakRight, Signal.magnitude(r))
      if keepsOutput {
        VoiceKernels.store(l, to: left + i)
        VoiceKernels.store(r, to: right + i)
      }
      VoiceKernels.add(l, to: masterLeft + i)
      VoiceKernels.add(r, to: masterRight + i)
      ramp.advance()
      i &+= 4
    }
    return (Signal.largest(peakLeft), Signal.largest(peakRight))
  }
}
