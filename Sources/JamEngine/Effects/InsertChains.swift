internal import JamCore

/// The chains of all players. A chain without any setting costs neither memory nor time.
///
/// Real-time safe except for `init` and `deinit`.
struct InsertChains: ~Copyable {
  let count: Int
  private let memory: EffectMemory
  private let isMade: UnsafeMutablePointer<Bool>
  /// Floats of one chain and its memory, in whole pages.
  private let stride: Int

  init(count: Int) {
    self.count = count
    stride = (InsertChain.memory + MemoryLayout<InsertChain>.stride / 4 + 1_024) / 1_024 * 1_024
    memory = EffectMemory(floats: Swift.max(1, count) * stride)
    isMade = .allocate(capacity: Swift.max(1, count))
    isMade.initialize(repeating: false, count: Swift.max(1, count))
  }

  deinit { isMade.deallocate() }

  @_noLocks private func chain(_ bus: Int) -> UnsafeMutablePointer<InsertChain> {
    UnsafeMutableRawPointer(memory.floats + bus * stride + InsertChain.memory)
      .assumingMemoryBound(to: InsertChain.self)
  }

  @_noLocks private func make(_ bus: Int) {
    guard !isMade[bus] else { return }
    chain(bus).initialize(to: InsertChain())
    isMade[bus] = true
  }

  /// Gives the bus's chain the settings and the state of the same bus's chain of `others`.
  @_noLocks func follow(_ others: borrowing InsertChains, _ bus: Int) {
    guard bus >= 0, bus < count, bus < others.count, others.isMade[bus] else { return }
    make(bus)
    chain(bus).pointee.follow(others.chain(bus).pointee)
    Signal.copy(
      others.memory.floats + bus * others.stride, to: memory.floats + bus * stride, InsertChain.memory)
  }

  /// Changes all settings of a bus, with its macros applied, from the coming block on.
  @_noLocks func set(_ settings: EffectSettings, of bus: Int) {
    guard bus >= 0, bus < count else { return }
    make(bus)
    chain(bus).pointee.set(settings)
  }

  /// Ducks a bus from frame `offset` of the coming block on; triggers of one block come in order.
  @_noLocks func trigger(_ bus: Int, at offset: Int) {
    guard bus >= 0, bus < count else { return }
    make(bus)
    chain(bus).pointee.trigger(at: offset)
  }

  /// Whether the bus's chain is at rest: silence in gives silence out.
  @_noLocks func isAtRest(_ bus: Int) -> Bool { !isMade[bus] || chain(bus).pointee.isAtRest }

  /// Whether the bus's chain changes no bit.
  @_noLocks func isOff(_ bus: Int) -> Bool { !isMade[bus] || chain(bus).pointee.isOff }

  /// Processes the bus in place.
  @_noLocks func process(
    _ bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    guard isMade[bus] else { return }
    chain(bus).pointee.process(left, right, frames, memory.floats + bus * stride)
  }

  /// Skips a block in which nothing sounds on the bus and its chain is at rest. The ducking
  /// envelope still advances.
  @_noLocks func skip(_ bus: Int, _ frames: Int) {
    guard isMade[bus] else { return }
    chain(bus).pointee.skip(frames)
  }
}
