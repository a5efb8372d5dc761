public import JamCore
public import Synchronization

/// What an engine lets everybody see: counters and peaks, written by its worker, read by anyone.
///
/// Thread: any. Real-time safe to write.
public struct EngineStatus: ~Copyable, Sendable {
  public let soundingVoices = Atomic<Int>(0)
  public let stolenVoices = Atomic<Int>(0)
  public let lateCommands = Atomic<Int>(0)
  public let refusedHits = Atomic<Int>(0)
  public let waitingHits = Atomic<Int>(0)
  /// The tempo map that is in force; older ones may be freed.
  public let mapRevision = Atomic<UInt64>(0)
  /// Peak levels since the last look, as bit patterns of non-negative floats; exchange with 0 to read and clear.
  /// Two per bus (left, right), then two for the master.
  public let peaks = EnginePeaks()

  public init() {}
}

/// Peaks since the last look: linear, 1 is full scale.
public struct EnginePeaks: ~Copyable, @unchecked Sendable {
  // Unchecked: the words are atomics at a fixed address.
  @usableFromInline let words: UnsafeMutablePointer<UInt32>
  public static var master: Int { Limits.standard.playersPerRoom }

  public init() {
    let count = (Limits.standard.playersPerRoom + 1) * 2
    words = .allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
  }

  deinit { words.deallocate() }

  @inlinable func word(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(words + index).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  /// Takes in a peak. Thread: the engine's worker.
  @inlinable public func raise(channel: Int, left: Float, right: Float) {
    let l = word(channel * 2)
    let r = word(channel * 2 + 1)
    if left.bitPattern > l.pointee.load(ordering: .relaxed) { l.pointee.store(left.bitPattern, ordering: .relaxed) }
    if right.bitPattern > r.pointee.load(ordering: .relaxed) { r.pointee.store(right.bitPattern, ordering: .relaxed) }
  }

  /// The peaks since the last call. Thread: any.
  public func take(channel: Int) -> (left: Float, right: Float) {
    (
      Float(bitPattern: word(channel * 2).pointee.exchange(0, ordering: .relaxed)),
      Float(bitPattern: word(channel * 2 + 1).pointee.exchange(0, ordering: .relaxed))
    )
  }
}
