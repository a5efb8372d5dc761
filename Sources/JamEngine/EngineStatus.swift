public import JamCore
public import Synchronization

/// The public state of an engine: counters and peaks, written by its worker, read by anyone.
///
/// This is a handle: copies refer to the same words, which an `EngineOwner` keeps.
/// Thread: any. Real-time safe.
@frozen
public struct EngineStatus: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: every word is atomic.
  @usableFromInline let counters: UnsafeMutablePointer<EngineCounters>
  /// Left and right of every bus, then of the master: bit patterns of non-negative floats.
  @usableFromInline let peaks: UnsafeMutablePointer<UInt32>
  @usableFromInline let busCount: Int

  init(limits: Limits) {
    busCount = limits.playersPerRoom
    counters = .allocate(capacity: 1)
    counters.initialize(to: EngineCounters())
    peaks = .allocate(capacity: (busCount + 1) * 2)
    peaks.initialize(repeating: 0, count: (busCount + 1) * 2)
  }

  func deallocate() {
    counters.deinitialize(count: 1)
    counters.deallocate()
    peaks.deallocate()
  }

  /// Voices that sound now, without those that fade out.
  @inlinable public var soundingVoices: Int {
    @_noLocks get { counters.pointee.soundingVoices.load(ordering: .relaxed) }
  }
  /// Voices that were ended to make room for newer ones, since the start.
  @inlinable public var stolenVoices: Int { @_noLocks get { counters.pointee.stolenVoices.load(ordering: .relaxed) } }
  /// Commands that came after their frame, since the start.
  @inlinable public var lateCommands: Int { @_noLocks get { counters.pointee.lateCommands.load(ordering: .relaxed) } }
  /// Hits and previews that found no place, since the start.
  @inlinable public var refusedHits: Int { @_noLocks get { counters.pointee.refusedHits.load(ordering: .relaxed) } }
  /// Hits that wait for their frame.
  @inlinable public var waitingHits: Int { @_noLocks get { counters.pointee.waitingHits.load(ordering: .relaxed) } }
  /// The revision of the tempo map that is in force; older maps may be freed. 0 before the first
  /// one.
  @inlinable public var mapRevision: UInt64 {
    @_noLocks get { counters.pointee.mapRevision.load(ordering: .acquiring) }
  }

  /// The peaks of a player's bus since the last call, behind its gain and pan; linear, 1 is full
  /// scale.
  @inlinable public func takePeak(of bus: PlayerID) -> (left: Float, right: Float) { take(Int(bus.index)) }

  /// The peaks of the mix since the last call, behind the limiter; linear, 1 is full scale.
  @inlinable public func takeMasterPeak() -> (left: Float, right: Float) { take(busCount) }

  /// The loudness of the mix behind the limiter as mean squares m: over the last 0.4 s, and over
  /// the last 3 s. LUFS are −0.691 + 10 · log10(m).
  @inlinable public var loudness: (momentary: Float, shortTerm: Float) {
    (
      Float(bitPattern: counters.pointee.momentary.load(ordering: .relaxed)),
      Float(bitPattern: counters.pointee.shortTerm.load(ordering: .relaxed))
    )
  }

  /// The smallest gain of the limiter since the last call; 1 where the limiter did nothing.
  @inlinable public func takeLimiterGain() -> Float {
    1 - Float(bitPattern: counters.pointee.reduction.exchange(0, ordering: .relaxed))
  }

  /// The gain of the leveller now, linear, 1 at most. While nothing sounds, it is the gain with which
  /// the next sound of a channel that played lately begins.
  @inlinable public var levellerGain: Float {
    @_noLocks get { 1 - Float(bitPattern: counters.pointee.levelled.load(ordering: .relaxed)) }
  }

  @inlinable func take(_ channel: Int) -> (left: Float, right: Float) {
    guard channel <= busCount else { return (0, 0) }
    return (
      Float(bitPattern: word(channel * 2).pointee.exchange(0, ordering: .relaxed)),
      Float(bitPattern: word(channel * 2 + 1).pointee.exchange(0, ordering: .relaxed))
    )
  }

  @inlinable func word(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(peaks + index).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}

@usableFromInline struct EngineCounters: ~Copyable {
  @usableFromInline let soundingVoices = Atomic<Int>(0)
  @usableFromInline let stolenVoices = Atomic<Int>(0)
  @usableFromInline let lateCommands = Atomic<Int>(0)
  @usableFromInline let refusedHits = Atomic<Int>(0)
  @usableFromInline let waitingHits = Atomic<Int>(0)
  @usableFromInline let mapRevision = Atomic<UInt64>(0)
  /// Bit patterns of floats.
  @usableFromInline let momentary = Atomic<UInt32>(0)
  @usableFromInline let shortTerm = Atomic<UInt32>(0)
  /// 1 − the limiter's smallest gain. The value is not negative, so bit patterns compare like the
  /// numbers.
  @usableFromInline let reduction = Atomic<UInt32>(0)
  /// 1 − the leveller's gain.
  @usableFromInline let levelled = Atomic<UInt32>(0)
  @usableFromInline init() {}
}

/// The functions with which the engine's worker writes.
extension EngineStatus {
  @_noLocks func show(sounding: Int, stolen: Int, waiting: Int) {
    counters.pointee.soundingVoices.store(sounding, ordering: .relaxed)
    counters.pointee.stolenVoices.store(stolen, ordering: .relaxed)
    counters.pointee.waitingHits.store(waiting, ordering: .relaxed)
  }

  @_noLocks func show(momentary: Float, shortTerm: Float) {
    counters.pointee.momentary.store(momentary.bitPattern, ordering: .relaxed)
    counters.pointee.shortTerm.store(shortTerm.bitPattern, ordering: .relaxed)
  }

  @_noLocks func show(levellerGain gain: Float) {
    counters.pointee.levelled.store((1 - gain).bitPattern, ordering: .relaxed)
  }

  // As with peaks below, a reader that clears the value in between loses nothing.
  @_noLocks func lower(gain: Float) {
    let reduction = gain < 1 ? (1 - gain).bitPattern : 0
    if reduction > counters.pointee.reduction.load(ordering: .relaxed) {
      counters.pointee.reduction.store(reduction, ordering: .relaxed)
    }
  }

  // Releasing: a thread that frees the old maps after it sees this must see that the engine no
  // longer uses them.
  @_noLocks func show(mapRevision: UInt64) { counters.pointee.mapRevision.store(mapRevision, ordering: .releasing) }
  @_noLocks func countLate() { counters.pointee.lateCommands.wrappingAdd(1, ordering: .relaxed) }
  @_noLocks func countRefused() { counters.pointee.refusedHits.wrappingAdd(1, ordering: .relaxed) }

  @_noLocks func clearPeak(of bus: PlayerID) {
    guard Int(bus.index) < busCount else { return }
    word(Int(bus.index) * 2).pointee.store(0, ordering: .relaxed)
    word(Int(bus.index) * 2 + 1).pointee.store(0, ordering: .relaxed)
  }

  /// Records the peaks of a block.
  @_noLocks func raise(channel: Int, left: Float, right: Float) {
    raise(channel * 2, left)
    raise(channel * 2 + 1, right)
  }

  // A reader may clear the peak between the load and the store. Nothing is lost, because the store
  // brings back the newest peak.
  @_noLocks private func raise(_ index: Int, _ peak: Float) {
    let words = word(index)
    if peak.bitPattern > words.pointee.load(ordering: .relaxed) {
      words.pointee.store(peak.bitPattern, ordering: .relaxed)
    }
  }
}
