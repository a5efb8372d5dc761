internal import JamCore

/// The return of a limiter's gain after nothing needs it any more.
///
/// 1. A need that repeats is held: the part that the music needed both in the last 25 ms and 27 to
///    50 ms ago. Half a wave of 23 Hz is shorter, so between two peaks of a bass tone the gain
///    stays where it is, and the tone keeps its shape.
/// 2. A need that came once is an accident, and is not held: a hit keeps its body behind the
///    attack.
/// 3. The gain returns within some 10 ms, but only up to the level that the music needed over the
///    last second. So a mix that is always too loud does not pump between its hits.
///
/// Real-time safe except for `init` and `deinit`.
struct LimiterRelease: ~Copyable {
  /// Blocks whose needs are remembered: 50 ms.
  private static var blocks: Int { @_noLocks get { 20 } }
  /// The latest blocks are 0..<`latest`, the earlier ones `before`..<`blocks`. The block between
  /// them is left out, so that a need that lies across two blocks does not count as both.
  private static var latest: Int { @_noLocks get { 10 } }
  private static var before: Int { @_noLocks get { 11 } }
  /// The share of the missing gain that returns with each frame: 10 ms.
  private static var recovery: Float { @_noLocks get { 1.0 / 480 } }
  /// The share by which `sustained` nears a larger reduction with each block: half a second.
  private static var settling: Float { @_noLocks get { 0.005 } }
  /// The amount that `sustained` loses with each block where less is needed: a third of full scale
  /// in a second.
  private static var letting: Float { @_noLocks get { 0.000_8 } }

  /// The smallest needs of the last blocks, as a ring: `place` is the oldest one.
  private let smallest: UnsafeMutablePointer<Float>
  private var place = 0
  /// 1 − gain: the current reduction, and the reduction that the music needed recently
  /// (`sustained`).
  private var reduction: Float = 0
  private var sustained: Float = 0

  init() {
    smallest = .allocate(capacity: Self.blocks)
    smallest.initialize(repeating: 1, count: Self.blocks)
  }

  deinit { smallest.deallocate() }

  @_noLocks mutating func follow(_ other: borrowing LimiterRelease) {
    var i = 0
    while i < Self.blocks {
      smallest[i] = other.smallest[i]
      i &+= 1
    }
    place = other.place
    reduction = other.reduction
    sustained = other.sustained
  }

  /// - Parameters:
  ///   - needs: the gain that each of the coming block's frames needs, 1 or below.
  ///   - reductions: gets 1 − gain for each frame.
  /// - Returns: whether any frame is reduced, or a need is still held.
  @_noLocks mutating func recover(
    needs: UnsafeMutablePointer<Float>, to reductions: UnsafeMutablePointer<Float>, frames: Int
  ) -> Bool {
    let recent = least(of: 0, to: Self.latest)
    let held = Swift.max(recent, least(of: Self.before, to: Self.blocks))
    var own: Float = 1
    var isReduced = false
    var i = 0
    while i < frames {
      own = Swift.min(own, needs[i])
      let wanted = 1 - Swift.min(held, needs[i])
      if wanted >= reduction {
        reduction = wanted
      } else {
        let target = Swift.max(wanted, Swift.min(reduction, sustained))
        reduction -= (reduction - target) * Self.recovery
        if target == 0 && reduction < 0.000_1 { reduction = 0 }
      }
      reductions[i] = reduction
      if reduction > 0 { isReduced = true }
      i &+= 1
    }
    smallest[place] = own
    place = place + 1 < Self.blocks ? place + 1 : 0
    settle(1 - Swift.min(recent, own))
    return isReduced || sustained > 0 || least(of: 0, to: Self.blocks) < 1
  }

  /// The smallest need of the blocks from `first` up to `end`, counted from the latest one
  /// backwards.
  @_noLocks private func least(of first: Int, to end: Int) -> Float {
    var least: Float = 1
    var age = first
    while age < end {
      let index = place - 1 - age
      least = Swift.min(least, smallest[index < 0 ? index + Self.blocks : index])
      age &+= 1
    }
    return least
  }

  @_noLocks private mutating func settle(_ reduction: Float) {
    if reduction > sustained {
      sustained += (reduction - sustained) * Self.settling
    } else {
      sustained = Swift.max(reduction, sustained - Self.letting)
    }
  }
}
