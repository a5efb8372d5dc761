internal import JamCore

/// A second chain of inserts for each bus whose own voices a cue leaves out. It hears the bus
/// without these voices.
///
/// Inserts are not linear: a compressor's gain, for example, depends on all voices together. So the
/// share of the own voices behind the inserts is the difference between both chains. The second
/// chain begins with the state of the first, on the block in which an own voice begins. It runs
/// until both chains agree again.
/// Real-time safe except for `init` and `deinit`.
struct OwnInserts: ~Copyable {
  private let chains: InsertChains
  /// Bit i is bus i.
  private var running: UInt64 = 0
  /// Frames for which both chains of a bus have agreed.
  private let quietFrames: UnsafeMutablePointer<Int32>

  /// As in `InsertChain`.
  private static var patience: Int32 { @_noLocks get { 2_400 } }
  private static var quiet: Float { @_noLocks get { 5e-7 } }

  init(count: Int) {
    chains = InsertChains(count: count)
    quietFrames = .allocate(capacity: Swift.max(1, count))
  }

  deinit { quietFrames.deallocate() }

  @_noLocks func isRunning(_ bus: Int) -> Bool { bus < 64 && running &>> UInt64(bus) & 1 == 1 }

  /// Stops the chains of all other buses: no cue leaves their own voices out any more.
  @_noLocks mutating func keep(_ buses: UInt64) { running &= buses }

  @_noLocks mutating func stop(_ bus: Int) { running &= ~(1 &<< UInt64(bus)) }

  @_noLocks func set(_ settings: EffectSettings, of bus: Int) {
    if isRunning(bus) { chains.set(settings, of: bus) }
  }

  @_noLocks func trigger(_ bus: Int, at offset: Int) {
    if isRunning(bus) { chains.trigger(bus, at: offset) }
  }

  /// Applies the bus's inserts, in place.
  /// - Parameters:
  ///   - first: the chains of the mix.
  ///   - own: the bus's own voices in front of the inserts. Afterwards it holds what they add
  ///     behind them.
  @_noLocks mutating func process(
    _ bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ frames: Int, _ first: borrowing InsertChains, _ own: UnsafeMutablePointer<OwnVoices>
  ) {
    let hasOwn = own.pointee.isFed
    if !isRunning(bus) {
      guard hasOwn, !first.isOff(bus) else {
        first.process(bus, left, right, frames)
        return
      }
      chains.follow(first, bus)
      running |= 1 &<< UInt64(bus)
    }
    own.pointee.open(frames)
    Signal.subtract(own.pointee.left, from: left, to: own.pointee.left, frames)
    Signal.subtract(own.pointee.right, from: right, to: own.pointee.right, frames)
    first.process(bus, left, right, frames)
    chains.process(bus, own.pointee.left, own.pointee.right, frames)
    Signal.subtract(own.pointee.left, from: left, to: own.pointee.left, frames)
    Signal.subtract(own.pointee.right, from: right, to: own.pointee.right, frames)
    let peak = InsertBlock.peak(own.pointee.left, own.pointee.right, frames)
    if first.isAtRest(bus) {
      // Nothing of the bus is left in the first chain, and so nothing of it without own voices.
      stop(bus)
    } else if hasOwn || peak >= OwnInserts.quiet {
      quietFrames[bus] = 0
    } else {
      quietFrames[bus] = quietFrames[bus] &+ Int32(truncatingIfNeeded: frames)
      if quietFrames[bus] >= OwnInserts.patience { stop(bus) }
    }
  }
}
