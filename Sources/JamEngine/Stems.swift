internal import JamCore

/// The parts of the mix: the sound that each voice adds to the mix in front of the limiter, summed
/// by the stem that its hit names.
///
/// Voices are taken in front of their players' inserts, and the output of delay and reverb is
/// separate. The inserts of a bus change all its voices together. When shaped, that change goes to
/// the bus's stem where the bus has one, and to a stem of its own where the bus has several.
/// For rendering offline. The mix itself stays the same to the bit. Frames are the engine's, which
/// leads the tape by `Engine.latency`: a hit at the tape's frame f is on the stems' frame f.
/// Real-time safe except for `init` and `deinit`.
public struct Stems: ~Copyable {
  public let count: Int
  /// The stems behind the `count` others: the output of delay, the output of reverb, and the
  /// changes that inserts make.
  public enum Return: Int, CaseIterable, Sendable { case delay, reverb, inserts }
  /// Whether the stems include inserts, the room's filter and build-up. Otherwise they are dry, as
  /// the players' channels and the master's level leave them.
  let isShaped: Bool
  /// Whether all voices of a bus belong to one stem.
  private let hasOneOfBus: Bool
  /// The stem of the last voice that each bus had; for 64 buses.
  private let ofBus: UnsafeMutablePointer<UInt16>
  /// A single voice, or a bus in front of its inserts.
  let voiceLeft: UnsafeMutablePointer<Float>
  let voiceRight: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutablePointer<Float>
  private let filters: UnsafeMutablePointer<Filters>
  private let sounds: UnsafeMutablePointer<Sounds>
  /// The number of stems up to the last one that ever sounded. The stems behind it cost nothing.
  private var used = 0
  /// Frames that were rendered and not taken.
  public private(set) var filled = 0
  private var channel = VoiceKernels.Gains(left: 1, right: 1)
  private var master = VoiceKernels.Gains(left: 1, right: 1)

  private struct Filters: BitwiseCopyable {
    var sweep = FilterState()
    var riser = FilterState()
  }

  private struct Sounds: BitwiseCopyable {
    /// Whether the stem sounds in the coming block (`now`), and in the blocks that were not taken
    /// (`sinceTaken`).
    var now = false
    var sinceTaken = false
    /// Whether the stem ever sounded: a filter may ring on.
    var ever = false
  }

  /// Frames of one stem and channel: the first buffer comes with the limiter's look-ahead.
  private static var capacity: Int { @_noLocks get { 2 * Int(Frames.perBuffer) } }
  private static var buses: Int { @_noLocks get { 64 } }

  init(count: Int, isShaped: Bool, hasOneOfBus: Bool) {
    self.count = count
    self.isShaped = isShaped
    self.hasOneOfBus = hasOneOfBus
    ofBus = .allocate(capacity: Stems.buses)
    ofBus.initialize(repeating: 0, count: Stems.buses)
    voiceLeft = .allocate(capacity: Int(Frames.perBuffer))
    voiceLeft.initialize(repeating: 0, count: Int(Frames.perBuffer))
    voiceRight = .allocate(capacity: Int(Frames.perBuffer))
    voiceRight.initialize(repeating: 0, count: Int(Frames.perBuffer))
    let all = count + Return.allCases.count
    memory = .allocate(capacity: all * 2 * Stems.capacity)
    memory.initialize(repeating: 0, count: all * 2 * Stems.capacity)
    filters = .allocate(capacity: all)
    filters.initialize(repeating: Filters(), count: all)
    sounds = .allocate(capacity: all)
    sounds.initialize(repeating: Sounds(), count: all)
  }

  deinit {
    ofBus.deallocate()
    voiceLeft.deallocate()
    voiceRight.deallocate()
    memory.deallocate()
    filters.deallocate()
    sounds.deallocate()
  }

  @_noLocks private func left(_ stem: Int) -> UnsafeMutablePointer<Float> { memory + stem * 2 * Stems.capacity }
  @_noLocks private func right(_ stem: Int) -> UnsafeMutablePointer<Float> { left(stem) + Stems.capacity }

  /// Sets the gains for the voices of the bus that is rendered next. For the output of delay and
  /// reverb, only the master counts.
  @_noLocks mutating func prepare(channel: VoiceKernels.Gains, master: VoiceKernels.Gains) {
    self.channel = channel
    self.master = master
  }

  @_noLocks func clearVoice(_ frames: Int) {
    var i = 0
    while i < frames {
      VoiceKernels.store(SIMD4(), to: voiceLeft + i)
      VoiceKernels.store(SIMD4(), to: voiceRight + i)
      i &+= 4
    }
  }

  /// Adds the voice that was rendered to its bus, and to its stem as it comes through bus and
  /// master.
  /// - Parameter frames: a multiple of 4.
  @_noLocks mutating func addVoice(
    of bus: Int, to stem: UInt16, busLeft: UnsafeMutablePointer<Float>, busRight: UnsafeMutablePointer<Float>,
    frames: Int
  ) {
    let index = Swift.min(Int(stem), count - 1)
    ofBus[bus] = UInt16(index)
    addToBus(busLeft, busRight, frames)
    add(voiceLeft, voiceRight, to: index, frames, channel)
  }

  /// Adds the output of one of the room's effects to its stem, as it comes through the master.
  @_noLocks mutating func addReturn(
    _ source: Return, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    add(left, right, to: count + source.rawValue, frames, VoiceKernels.Gains(left: 1, right: 1))
  }

  /// Keeps a copy of a bus in front of its inserts, for `addInserts`.
  @_noLocks func keepBus(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int) {
    Signal.copy(left, to: voiceLeft, frames)
    Signal.copy(right, to: voiceRight, frames)
  }

  /// Adds the change that the bus's inserts made since `keepBus`.
  @_noLocks mutating func addInserts(
    of bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.subtract(voiceLeft, from: left, to: voiceLeft, frames)
    Signal.subtract(voiceRight, from: right, to: voiceRight, frames)
    let index = hasOneOfBus ? Int(ofBus[bus]) : count + Return.inserts.rawValue
    add(voiceLeft, voiceRight, to: index, frames, channel)
  }

  @_noLocks private func addToBus(
    _ busLeft: UnsafeMutablePointer<Float>, _ busRight: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    Signal.add(voiceLeft, voiceRight, toLeft: busLeft, toRight: busRight, frames)
  }

  @_noLocks private mutating func add(
    _ sourceLeft: UnsafeMutablePointer<Float>, _ sourceRight: UnsafeMutablePointer<Float>, to index: Int,
    _ frames: Int, _ channel: VoiceKernels.Gains
  ) {
    let (stemLeft, stemRight) = (left(index) + filled, right(index) + filled)
    var (bus, whole) = (VoiceKernels.Ramp(channel), VoiceKernels.Ramp(master))
    var i = 0
    while i < frames {
      let l = VoiceKernels.load(sourceLeft + i)
      let r = VoiceKernels.load(sourceRight + i)
      VoiceKernels.add(Signal.bounded(l * bus.left * whole.left), to: stemLeft + i)
      VoiceKernels.add(Signal.bounded(r * bus.right * whole.right), to: stemRight + i)
      bus.advance()
      whole.advance()
      i &+= 4
    }
    sounds[index].now = true
    sounds[index].ever = true
    used = Swift.max(used, index + 1)
  }

  /// Applies the room's filter and build-up to the coming block of each stem. Their own states
  /// advance only when they shape the mix.
  @_noLocks func shape(_ sweep: borrowing Sweep, _ riser: borrowing Riser, frames: Int) {
    guard isShaped else { return }
    var stem = 0
    while stem < used {
      if sounds[stem].ever {
        let (left, right) = (left(stem) + filled, right(stem) + filled)
        sweep.preview(left: left, right: right, frames: frames, &filters[stem].sweep)
        riser.preview(left: left, right: right, frames: frames, &filters[stem].riser)
        if left[frames - 1] != 0 || right[frames - 1] != 0 { sounds[stem].now = true }
      }
      stem &+= 1
    }
  }

  /// Ends the block.
  @_noLocks mutating func advance(_ frames: Int) {
    var stem = 0
    while stem < used {
      if sounds[stem].now { sounds[stem].sinceTaken = true }
      sounds[stem].now = false
      stem &+= 1
    }
    filled = Swift.min(filled + frames, Stems.capacity)
  }

  /// Hands over the frames that were rendered since the last call.
  /// - Parameter body: takes, of each stem that sounded, its number and both channels, `filled`
  ///   frames each.
  public mutating func take(_ body: (Int, UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
    for stem in 0..<used where sounds[stem].sinceTaken {
      body(stem, left(stem), right(stem))
      left(stem).update(repeating: 0, count: filled)
      right(stem).update(repeating: 0, count: filled)
      sounds[stem].sinceTaken = false
    }
    filled = 0
  }
}

/// Keeps stems at a fixed address.
///
/// Thread: any; not real-time safe. Take from `stems` only between two renderings of the engine.
public final class StemsOwner: @unchecked Sendable {
  // Unchecked: the pointer never changes, and only the rendering thread uses the stems that it
  // points to.
  public let stems: UnsafeMutablePointer<Stems>

  /// - Parameters:
  ///   - count: the number of stems, 1 or more. A hit that names a higher stem goes to the last.
  ///   - isShaped: the stems include inserts and the room's filter and build-up, so that their sum,
  ///     with the stems of the effects, is the input of the effects of the whole mix.
  ///   - hasOneOfBus: all voices of a bus belong to one stem, which also gets the changes of the
  ///     inserts; else `Return.inserts` gets them.
  public init(count: Int, isShaped: Bool, hasOneOfBus: Bool = true) {
    precondition(count >= 1)
    stems = .allocate(capacity: 1)
    stems.initialize(to: Stems(count: count, isShaped: isShaped, hasOneOfBus: hasOneOfBus))
  }

  deinit {
    stems.deinitialize(count: 1)
    stems.deallocate()
  }
}
