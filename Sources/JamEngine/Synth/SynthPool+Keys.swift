internal import JamCore

/// The effect of keys and wheels on the notes that sound.
extension SynthPool {
  /// The key was released.
  @_noLocks mutating func release(bus: Int, key: UInt8, at offset: Int32) {
    guard bus >= 0, bus < busCount else { return }
    releaseKey(bus: bus, key: key, at: offset)
    guard buses[bus].held.count > 0, let before = buses[bus].held.last else { return }
    buses[bus].held.remove(key)
    guard before.key == key, buses[bus].mono >= 0 else { return }
    let slot = Int(buses[bus].mono)
    let time = voices[slot].time(at: offset)
    if let last = buses[bus].held.last {
      voices[slot].go(to: last.pitch, key: last.key, isOwn: last.isOwn, at: time)
      buses[bus].pitch = Double(last.pitch)
    } else {
      voices[slot].release(at: time)
    }
  }

  /// Releases the notes that belong to this key only.
  @_noLocks mutating func releaseKey(bus: Int, key: UInt8, at offset: Int32) {
    var slot = buses[bus].first
    while slot >= 0 {
      let index = Int(slot)
      if voices[index].key == key, !voices[index].isMono { voices[index].release(at: voices[index].time(at: offset)) }
      slot = voices[index].next
    }
  }

  /// Every key of the bus was released.
  @_noLocks mutating func releaseAll(bus: Int, at offset: Int32) {
    guard bus >= 0, bus < busCount else { return }
    buses[bus].held.clear()
    var slot = buses[bus].first
    while slot >= 0 {
      voices[Int(slot)].release(at: voices[Int(slot)].time(at: offset))
      slot = voices[Int(slot)].next
    }
  }

  /// Sets the height of the finger on the key, 0…1.
  @_noLocks mutating func setHeight(_ height: Float, bus: Int, key: UInt8) {
    guard bus >= 0, bus < busCount else { return }
    var slot = buses[bus].first
    while slot >= 0 {
      if voices[Int(slot)].key == key, voices[Int(slot)].isDown { voices[Int(slot)].setHeight(height) }
      slot = voices[Int(slot)].next
    }
  }

  /// Bends the notes of one key.
  @_noLocks mutating func setBend(_ semitones: Float, bus: Int, key: UInt8) {
    guard bus >= 0, bus < busCount else { return }
    var slot = buses[bus].first
    while slot >= 0 {
      if voices[Int(slot)].key == key, voices[Int(slot)].isDown { voices[Int(slot)].setBend(key: semitones) }
      slot = voices[Int(slot)].next
    }
  }

  /// Bends all notes of the bus, also those that come later.
  @_noLocks mutating func setBend(_ semitones: Float, bus: Int) {
    guard bus >= 0, bus < busCount else { return }
    buses[bus].bend = SynthMath.bounded(semitones, -96, 96)
    var slot = buses[bus].first
    while slot >= 0 {
      voices[Int(slot)].setBend(bus: semitones)
      slot = voices[Int(slot)].next
    }
  }

  /// Gives other settings of the instrument to its notes that sound on the bus.
  @_noLocks mutating func setPatch(_ settings: PatchSettings, instrument: UInt32, bus: Int) {
    guard bus >= 0, bus < busCount, active[bus] > 0 else { return }
    var slot = buses[bus].first
    while slot >= 0 {
      if voices[Int(slot)].instrument == instrument { voices[Int(slot)].set(settings) }
      slot = voices[Int(slot)].next
    }
  }

  @_noLocks mutating func setLevel(_ level: Float, bus: Int) {
    guard bus >= 0, bus < busCount else { return }
    var slot = buses[bus].first
    while slot >= 0 {
      voices[Int(slot)].setLevel(level)
      slot = voices[Int(slot)].next
    }
  }
}

/// The modes of one note: the last key plays the note, and gives it back to the key before.
extension SynthPool {
  @_noLocks mutating func hold(_ note: SynthStart, at offset: Int32) {
    let end = note.holdFrames > 0 ? blockFrame + Int64(offset) + Int64(note.holdFrames) : Int64.max
    // A press that the client does not sound ends the client's note of all held keys. A note of
    // known length is a loop's, of which the client knows nothing.
    if !note.isOwn, note.holdFrames == 0 { buses[note.bus].held.disown() }
    buses[note.bus].held.press(
      SynthHeldKeys.Key(note.key, isOwn: note.isOwn, pitch: note.pitch, end: end))
  }

  /// - Returns: whether the note that sounds already was given to the new key: then only its pitch
  ///   changes.
  @_noLocks mutating func goes(to note: SynthStart, at offset: Int32) -> Bool {
    let slot = Int(buses[note.bus].mono)
    guard slot >= 0, !voices[slot].isReleased, voices[slot].instrument == note.instrument else { return false }
    let time = voices[slot].time(at: offset)
    voices[slot].go(to: note.pitch, key: note.key, isOwn: note.isOwn, at: time)
    voices[slot].stem = note.stem
    voices[slot].setHeight(note.height)
    buses[note.bus].pitch = Double(note.pitch == note.pitch ? note.pitch : 60)
    return true
  }

  /// Releases the held keys whose time is over within the coming block.
  @_noLocks mutating func expire(bus: Int, count: Int) {
    let end = blockFrame + Int64(count)
    var i = 0
    while i < buses[bus].held.count {
      let key = buses[bus].held[i]
      if key.end < end {
        release(bus: bus, key: key.key, at: Int32(truncatingIfNeeded: Swift.max(0, key.end - blockFrame)))
        i = 0
      } else {
        i += 1
      }
    }
  }
}
