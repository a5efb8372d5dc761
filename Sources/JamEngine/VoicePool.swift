internal import JamCore
internal import JamRealtime

/// Every voice of a room: a fixed number of them, and some more in which the voices that had to end
/// fade out.
///
/// Real-time safe except for `init` and `deinit`.
struct VoicePool: ~Copyable {
  let voices: UnsafeMutablePointer<Voice>
  let capacity: Int
  let voicesPerRoom: Int
  let voicesPerBus: Int
  let busCount: Int
  private var free: FreeSlots
  /// The voices of each bus's pads, oldest first. All keys share one list behind the lists of the
  /// pads.
  let lists: UnsafeMutablePointer<PadVoices>
  /// Voices of each bus: all, and those that were not told to end.
  let active: UnsafeMutablePointer<Int32>
  let sounding: UnsafeMutablePointer<Int32>
  /// The slots in the order in which they are rendered; filled anew for each block.
  let order: UnsafeMutablePointer<Int32>
  var orderCount = 0
  var orderDone = 0
  var soundingCount = 0
  var activeCount = 0
  var stolenCount = 0
  /// The first frame of the coming block: offsets count from it.
  var blockFrame: Int64 = 0
  let tools = VoiceTools()
  /// The room's pitch, with which new voices begin.
  var pitch: Float = 1
  /// The soloed pads of each bus; none is all.
  let soloedPads: UnsafeMutablePointer<UInt16>
  /// The bend of each bus's keys, in semitones.
  let bends: UnsafeMutablePointer<Float>
  /// The voices that begin in the coming block, up to `mostBegun`.
  let begun: UnsafeMutablePointer<Begun>
  var begunCount = 0

  static var listsPerBus: Int { @_noLocks get { Pad.count + 1 } }

  /// The list of the bus's pad, or of its keys.
  @_noLocks @inline(__always) static func list(bus: Int, padIndex: Int) -> Int {
    bus * listsPerBus + Swift.min(padIndex, Pad.count)
  }

  /// The voices of one pad on one bus.
  struct PadVoices: BitwiseCopyable {
    var first: Int32 = -1
    var last: Int32 = -1
    /// Voices that were not told to end.
    var sounding: Int32 = 0
  }

  init(limits: Limits) {
    voicesPerRoom = limits.voicesPerRoom
    voicesPerBus = limits.voicesPerPlayer
    busCount = limits.playersPerRoom
    capacity = voicesPerRoom + Swift.max(voicesPerRoom / 2, 16)
    voices = .allocate(capacity: capacity)
    free = FreeSlots(capacity: capacity)
    order = .allocate(capacity: capacity)
    lists = .allocate(capacity: busCount * VoicePool.listsPerBus)
    lists.initialize(repeating: PadVoices(), count: busCount * VoicePool.listsPerBus)
    active = .allocate(capacity: busCount)
    active.initialize(repeating: 0, count: busCount)
    soloedPads = .allocate(capacity: busCount)
    soloedPads.initialize(repeating: 0, count: busCount)
    bends = .allocate(capacity: busCount)
    bends.initialize(repeating: 0, count: busCount)
    sounding = .allocate(capacity: busCount)
    sounding.initialize(repeating: 0, count: busCount)
    begun = .allocate(capacity: VoicePool.mostBegun)
  }

  deinit {
    for list in 0..<busCount * VoicePool.listsPerBus {
      var slot = lists[list].first
      while slot >= 0 {
        voices[Int(slot)].use.release()
        slot = voices[Int(slot)].next
      }
    }
    voices.deallocate()
    tools.deallocate()
    order.deallocate()
    lists.deallocate()
    active.deallocate()
    sounding.deallocate()
    soloedPads.deallocate()
    bends.deallocate()
    begun.deallocate()
  }

  /// Starts a voice at `offset` in the coming block. Other voices end where the limits require it.
  /// - Parameters:
  ///   - isReleased: its pad was released before the voice began.
  ///   - channel: the gains at which its bus is heard; nil where copies of a sound add up as they
  ///     are.
  /// - Returns: false where no slot is free, because too many voices fade: the hit is refused.
  @_noLocks mutating func start(
    _ start: VoiceStart, at offset: Int32, isReleased: Bool, channel: PanGains? = nil
  ) -> Bool {
    guard Int(start.bus.index) < busCount else {
      start.use.release()
      return true
    }
    if start.choke > 0 { choke(start, at: offset) }
    if start.takesOver { endLoops(of: start, at: offset) }
    let isHeard = isHeard(padIndex: start.pad.index, bus: Int(start.bus.index))
    guard
      var voice = Voice(
        start, offset: offset, onset: blockFrame + Int64(offset), pitch: pitch, isHeard: isHeard,
        bend: start.pad.isKey ? bends[Int(start.bus.index)] : 0)
    else {
      start.use.release()
      return true
    }
    makeRoom(for: start, at: offset)
    guard let slot = free.take() else {
      start.use.release()
      return false
    }
    if isReleased && voice.isGated {
      voice.fade(voice.releaseFrames, at: offset)
      voice.isReleased = voice.fadesSlowly
      voice.isLeaving = !voice.isReleased
    }
    append(voice, slot: slot)
    if let channel { joinUnison(slot, channel: channel) }
    return true
  }

  /// The pad was released.
  @_noLocks mutating func release(bus: PlayerID, padIndex: Int, at offset: Int32) {
    guard Int(bus.index) < busCount else { return }
    var slot = lists[VoicePool.list(bus: Int(bus.index), padIndex: padIndex)].first
    while slot >= 0 {
      if voices[Int(slot)].isGated, isOf(padIndex, Int(slot)) { letGo(Int(slot), at: offset) }
      slot = voices[Int(slot)].next
    }
  }

  /// Fades the loop on the pad while its follower fades in.
  @_noLocks private mutating func endLoops(of start: VoiceStart, at offset: Int32) {
    var slot = lists[VoicePool.list(bus: Int(start.bus.index), padIndex: start.pad.index)].first
    while slot >= 0 {
      // Ending the voice may give its slot back at once, so the next slot is read before.
      let next = voices[Int(slot)].next
      if voices[Int(slot)].isLooped, voices[Int(slot)].isGated, isOf(start.pad.index, Int(slot)) {
        leave(Int(slot), Fade.seam, at: offset)
      }
      slot = next
    }
  }

  /// Every pad and key of the bus was released.
  @_noLocks mutating func releaseAll(bus: PlayerID, at offset: Int32) {
    guard Int(bus.index) < busCount else { return }
    var list = Int(bus.index) * VoicePool.listsPerBus
    while list < (Int(bus.index) + 1) * VoicePool.listsPerBus {
      var slot = lists[list].first
      while slot >= 0 {
        if voices[Int(slot)].isGated { letGo(Int(slot), at: offset) }
        slot = voices[Int(slot)].next
      }
      list += 1
    }
  }

  /// Whether the voice is of this pad. All keys share one list, so for a key the voice's own pad is
  /// compared.
  @_noLocks @inline(__always) func isOf(_ padIndex: Int, _ slot: Int) -> Bool {
    padIndex < Pad.count || Int(voices[slot].padIndex) == padIndex
  }

  /// Sets the pad's level for the voices that sound on it.
  @_noLocks mutating func setLevel(_ level: Float, bus: PlayerID, padIndex: Int) {
    guard Int(bus.index) < busCount else { return }
    var slot = lists[VoicePool.list(bus: Int(bus.index), padIndex: padIndex)].first
    while slot >= 0 {
      if isOf(padIndex, Int(slot)) { voices[Int(slot)].pad.set(level: Voice.sane(level)) }
      slot = voices[Int(slot)].next
    }
  }

  /// Sets the pad's pan and rate for its loops that run until they are stopped.
  @_noLocks mutating func shape(_ pan: PanGains, _ rate: Float, bus: PlayerID, padIndex: Int) {
    guard Int(bus.index) < busCount else { return }
    var slot = lists[VoicePool.list(bus: Int(bus.index), padIndex: padIndex)].first
    while slot >= 0 {
      if voices[Int(slot)].isLive, isOf(padIndex, Int(slot)) { voices[Int(slot)].shape(pan, rate, pitch: pitch) }
      slot = voices[Int(slot)].next
    }
  }

  /// Sets the pads of the bus that are heard; 0 is all.
  @_noLocks mutating func solo(pads: UInt16, bus: PlayerID) {
    let index = Int(bus.index)
    guard index < busCount else { return }
    soloedPads[index] = pads
    var padIndex = 0
    while padIndex < Pad.count {
      let isHeard = isHeard(padIndex: padIndex, bus: index)
      var slot = lists[VoicePool.list(bus: index, padIndex: padIndex)].first
      while slot >= 0 {
        voices[Int(slot)].pad.set(isHeard: isHeard)
        slot = voices[Int(slot)].next
      }
      padIndex += 1
    }
  }

  @_noLocks private func isHeard(padIndex: Int, bus: Int) -> Bool {
    soloedPads[bus] == 0 || padIndex >= Pad.count || soloedPads[bus] &>> UInt16(truncatingIfNeeded: padIndex) & 1 == 1
  }

  /// Ends every voice of the bus by a fade.
  @_noLocks mutating func silence(bus: Int, at offset: Int32) {
    guard bus < busCount, sounding[bus] > 0 else { return }
    var list = bus * VoicePool.listsPerBus
    while list < (bus + 1) * VoicePool.listsPerBus {
      var slot = lists[list].first
      while slot >= 0 {
        leave(Int(slot), Fade.silence, at: offset)
        slot = voices[Int(slot)].next
      }
      list += 1
    }
  }

  /// Ends every voice of the bus without a fade, because nobody hears it.
  @_noLocks mutating func endAll(bus: Int) {
    var list = bus * VoicePool.listsPerBus
    while list < (bus + 1) * VoicePool.listsPerBus {
      while lists[list].first >= 0 { end(Int(lists[list].first)) }
      list += 1
    }
  }

  /// Tells a voice to end by a fade. It stops counting against limits at once.
  @_noLocks mutating func leave(_ slot: Int, _ length: Int32, at offset: Int32) {
    guard !voices[slot].isLeaving else { return }
    // A voice that would begin on this very frame does not begin. That needs no fade and frees its
    // slot.
    if voices[slot].onset == blockFrame + Int64(offset) {
      end(slot)
      return
    }
    if voices[slot].fadesSlowly {
      voices[slot].cutShort(length, at: offset)
    } else {
      voices[slot].fade(length, at: offset)
    }
    voices[slot].isLeaving = true
    discount(slot)
  }
}

extension VoicePool {
  @_noLocks private mutating func append(_ voice: Voice, slot: Int) {
    let bus = Int(voice.bus)
    let list = lists + VoicePool.list(bus: bus, padIndex: Int(voice.padIndex))
    (voices + slot).initialize(to: voice)
    voices[slot].previous = list.pointee.last
    if list.pointee.last >= 0 {
      voices[Int(list.pointee.last)].next = Int32(slot)
    } else {
      list.pointee.first = Int32(slot)
    }
    list.pointee.last = Int32(slot)
    active[bus] += 1
    activeCount += 1
    if !voice.isLeaving {
      list.pointee.sounding += 1
      sounding[bus] += 1
      soundingCount += 1
    }
  }

  /// Releases a voice. A tap is heard however short it was: even a voice that was released on its
  /// own frame gets its fade.
  @_noLocks private mutating func letGo(_ slot: Int, at offset: Int32) {
    guard !voices[slot].isLeaving, !voices[slot].isReleased else { return }
    voices[slot].fade(voices[slot].releaseFrames, at: offset)
    // A voice that rings on for long keeps its place until another voice needs it.
    voices[slot].isReleased = voices[slot].fadesSlowly
    guard !voices[slot].isReleased else { return }
    voices[slot].isLeaving = true
    discount(slot)
  }

  @_noLocks private mutating func discount(_ slot: Int) {
    let bus = Int(voices[slot].bus)
    lists[VoicePool.list(bus: bus, padIndex: Int(voices[slot].padIndex))].sounding -= 1
    sounding[bus] -= 1
    soundingCount -= 1
  }

  /// Gives back the slot of a voice that ended, and its use.
  @_noLocks mutating func end(_ slot: Int) {
    if !voices[slot].isLeaving { discount(slot) }
    let bus = Int(voices[slot].bus)
    let list = lists + VoicePool.list(bus: bus, padIndex: Int(voices[slot].padIndex))
    let next = voices[slot].next
    let previous = voices[slot].previous
    if previous >= 0 { voices[Int(previous)].next = next } else { list.pointee.first = next }
    if next >= 0 { voices[Int(next)].previous = previous } else { list.pointee.last = previous }
    voices[slot].use.release()
    if voices[slot].onset >= blockFrame { forgetBegun(slot) }
    free.give(slot)
    active[bus] -= 1
    activeCount -= 1
  }
}
