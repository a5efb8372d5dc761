internal import JamCore

/// How a limiter's gain comes back once nothing asks for it any more.
///
/// 1. A need that comes back is held: as far as the music needed it both in the last 25 ms and 27 to 50 ms ago. Half a wave of
///    23 Hz is shorter, so between two peaks of a bass tone the gain stays where it is, and the tone keeps its shape.
/// 2. A need that came once is an accident, and is not held: a hit keeps the body behind its edge.
/// 3. The gain comes back within some 10 ms, but only up to what the music needed over the last second: a mix that is too loud
///    all the time is not pumped up between its hits.
///
/// Real-time safe but for `init` and `deinit`.
struct LimiterRelease: ~Copyable {
  /// Blocks whose needs are remembered: 50 ms.
  private static var blocks: Int { @_noLocks get { 20 } }
  /// How many of them are the latest ones, and from which on they are the ones before. The one between keeps a need that lies
  /// across two blocks from counting as both.
  private static var latest: Int { @_noLocks get { 10 } }
  private static var before: Int { @_noLocks get { 11 } }
  /// The share of the missing gain that comes back with each frame: 10 ms.
  private static var recovery: Float { @_noLocks get { 1.0 / 480 } }
  /// The share by which `sustained` nears a larger reduction with each block: half a second.
  private static var settling: Float { @_noLocks get { 0.005 } }
  /// What `sustained` loses with each block where less is needed: a third of full scale in a second.
  private static var letting: Float { @_noLocks get { 0.000_8 } }

  /// The smallest needs of the last blocks, in turn: `place` has the oldest one.
  private let smallest: UnsafeMutablePointer<Float>
  private var place = 0
  /// 1 − gain: now, and what the music needed of late.
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

  /// The smallest need of the blocks from `first` up to `end`, counted from the latest one backwards.
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
