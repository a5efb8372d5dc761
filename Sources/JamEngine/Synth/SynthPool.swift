internal import JamCore

/// Every note of a room's synthesisers: a fixed number of them, and some more in which the notes
/// that had to end fade out.
///
/// Real-time safe except for `init` and `deinit`.
struct SynthPool: ~Copyable {
  let voices: UnsafeMutablePointer<SynthVoice>
  let capacity: Int
  let voicesPerRoom: Int
  let busCount: Int
  private var free: FreeSlots
  let buses: UnsafeMutablePointer<Bus>
  /// Notes of each bus: all, and those that were not told to end.
  let active: UnsafeMutablePointer<Int32>
  let sounding: UnsafeMutablePointer<Int32>
  private(set) var activeCount = 0
  private(set) var soundingCount = 0
  var stolenCount = 0
  /// The first frame of the coming block: offsets count from it.
  var blockFrame: Int64 = 0
  /// The room's pitch, a ratio. It may change with each block.
  var pitch: Float = 1
  let tables = Wavetables.shared
  let memory = SynthMemory()

  /// Notes of one bus at once.
  static var voicesPerBus: Int { @_noLocks get { 64 } }

  /// The common state of the notes of one bus.
  struct Bus: BitwiseCopyable {
    /// Its notes, oldest first.
    var first: Int32 = -1
    var last: Int32 = -1
    /// The note that the held keys share, in the modes of one note; −1 is none.
    var mono: Int32 = -1
    var held = SynthHeldKeys()
    /// The pitch from which the next note glides.
    var pitch: Double = 0
    var hasPitch = false
    /// Semitones.
    var bend: Float = 0
  }

  init(limits: Limits) {
    voicesPerRoom = limits.voicesPerRoom
    busCount = limits.playersPerRoom
    capacity = voicesPerRoom + Swift.max(voicesPerRoom / 2, 16)
    voices = .allocate(capacity: capacity)
    free = FreeSlots(capacity: capacity)
    buses = .allocate(capacity: busCount)
    buses.initialize(repeating: Bus(), count: busCount)
    active = .allocate(capacity: busCount)
    active.initialize(repeating: 0, count: busCount)
    sounding = .allocate(capacity: busCount)
    sounding.initialize(repeating: 0, count: busCount)
  }

  deinit {
    voices.deallocate()
    buses.deallocate()
    active.deallocate()
    sounding.deallocate()
    memory.deallocate()
  }

  /// Starts a note at `offset` in the coming block. Other notes end where the limits require it.
  /// - Parameter isReleased: its key was released before the note began.
  /// - Returns: false where no slot is free, because too many notes fade: the note is refused.
  @_noLocks mutating func start(_ note: SynthStart, at offset: Int32, isReleased: Bool) -> Bool {
    guard note.bus >= 0, note.bus < busCount else { return true }
    let patch = SynthPatch(
      note.settings, velocity: SynthMath.bounded(note.velocity, 0, 1), height: SynthMath.bounded(note.height, 0, 1))
    let isMono = patch.mode != .poly
    let bus = buses + note.bus
    if isMono {
      hold(note, at: offset)
      if patch.mode == .legato, goes(to: note, at: offset) {
        if isReleased { release(bus: note.bus, key: note.key, at: offset) }
        return true
      }
      if bus.pointee.mono >= 0 { leave(Int(bus.pointee.mono), Fade.note, at: offset) }
    } else {
      bus.pointee.held.clear()
      bus.pointee.mono = -1
      releaseKey(bus: note.bus, key: note.key, at: offset)
    }
    makeRoom(bus: note.bus, at: offset)
    guard let slot = free.take() else { return false }
    let voice = SynthVoice(
      note, patch, offset: offset, onset: blockFrame + Int64(offset),
      from: bus.pointee.hasPitch ? bus.pointee.pitch : nil, bend: bus.pointee.bend, isMono: isMono, tables)
    append(voice, slot: slot)
    bus.pointee.pitch = Double(note.pitch == note.pitch ? note.pitch : 60)
    bus.pointee.hasPitch = true
    if isMono { bus.pointee.mono = Int32(slot) }
    if isReleased { release(bus: note.bus, key: note.key, at: offset) }
    return true
  }

  /// Tells a note to end by a fade. It stops counting against limits at once.
  @_noLocks mutating func leave(_ slot: Int, _ length: Int32, at offset: Int32) {
    guard !voices[slot].isLeaving else { return }
    let bus = voices[slot].bus
    if Int(buses[bus].mono) == slot { buses[bus].mono = -1 }
    // A note that would begin on this very frame does not begin. That needs no fade and frees its
    // slot.
    if voices[slot].onset == blockFrame + Int64(offset) {
      end(slot)
      return
    }
    voices[slot].fade(length, at: voices[slot].time(at: offset))
    sounding[bus] -= 1
    soundingCount -= 1
  }

  /// Ends every note of the bus, and forgets its held keys.
  @_noLocks mutating func silence(bus: Int, at offset: Int32) {
    guard bus >= 0, bus < busCount else { return }
    buses[bus].held.clear()
    buses[bus].hasPitch = false
    var slot = buses[bus].first
    while slot >= 0 {
      let next = voices[Int(slot)].next
      leave(Int(slot), Fade.silence, at: offset)
      slot = next
    }
  }

  /// Ends every note of the bus without a fade, because nobody hears it.
  @_noLocks mutating func endAll(bus: Int) {
    guard bus >= 0, bus < busCount else { return }
    buses[bus].held.clear()
    while buses[bus].first >= 0 { end(Int(buses[bus].first)) }
  }

  /// Gives back the slot of a note that is over.
  @_noLocks mutating func end(_ slot: Int) {
    let bus = voices[slot].bus
    if !voices[slot].isLeaving {
      sounding[bus] -= 1
      soundingCount -= 1
    }
    if Int(buses[bus].mono) == slot { buses[bus].mono = -1 }
    let next = voices[slot].next
    let previous = voices[slot].previous
    if previous >= 0 { voices[Int(previous)].next = next } else { buses[bus].first = next }
    if next >= 0 { voices[Int(next)].previous = previous } else { buses[bus].last = previous }
    free.give(slot)
    active[bus] -= 1
    activeCount -= 1
  }

  @_noLocks private mutating func append(_ voice: SynthVoice, slot: Int) {
    let bus = voice.bus
    (voices + slot).initialize(to: voice)
    voices[slot].previous = buses[bus].last
    if buses[bus].last >= 0 {
      voices[Int(buses[bus].last)].next = Int32(slot)
    } else {
      buses[bus].first = Int32(slot)
    }
    buses[bus].last = Int32(slot)
    active[bus] += 1
    activeCount += 1
    sounding[bus] += 1
    soundingCount += 1
  }
}
