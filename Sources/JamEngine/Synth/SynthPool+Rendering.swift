internal import JamCore

extension SynthPool {
  /// Adds `count` frames of every note of the bus to `left` and `right`. Notes that are over give
  /// their slots back.
  /// - Parameter count: a multiple of 4, at most 120.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, count: Int
  ) {
    render(bus: bus, left, right, count, nil, nil)
  }

  /// The same, to the bit, and also adds each note to its stem.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>, count: Int,
    and stems: UnsafeMutablePointer<Stems>
  ) {
    render(bus: bus, left, right, count, stems, nil)
  }

  /// The same, to the bit, and also adds the notes that their player's client sounds itself to
  /// `own`.
  @_noLocks mutating func render(
    bus: Int, toLeft left: UnsafeMutablePointer<Float>, toRight right: UnsafeMutablePointer<Float>,
    count: Int, and own: UnsafeMutablePointer<OwnVoices>
  ) {
    render(bus: bus, left, right, count, nil, own)
  }

  @_noLocks @inline(__always) private mutating func render(
    bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int,
    _ stems: UnsafeMutablePointer<Stems>?, _ own: UnsafeMutablePointer<OwnVoices>?
  ) {
    if buses[bus].held.count > 0 { expire(bus: bus, count: count) }
    var slot = Int(buses[bus].first)
    while slot >= 0 {
      // As many as the channels hold, oldest first.
      var (notes, used, isFiltered) = (0, 0, false)
      while slot >= 0 {
        let width = voices[slot].isStereo ? 2 : 1
        guard used &+ width <= SynthMemory.channelCount else { break }
        var note = SynthMemory.Note()
        note.slot = slot
        note.left = used
        note.right = used &+ width &- 1
        note.isOver = voices[slot].render(
          SynthVoice.Memory(memory, left: note.left, right: note.right, note: notes), count: count, pitch: pitch, tables
        )
        if voices[slot].isFiltered { isFiltered = true }
        memory.notes[notes] = note
        notes &+= 1
        used &+= width
        slot = Int(voices[slot].next)
      }
      if isFiltered { filter(notes, used, count) }
      mix(notes, of: bus, left, right, count, stems, own)
    }
  }

  @_noLocks private mutating func filter(_ notes: Int, _ used: Int, _ count: Int) {
    let lanes = memory.lanes
    var i = 0
    while i < notes {
      let note = memory.notes[i]
      voices[note.slot].prepare(lanes + note.left, lanes + note.right)
      i &+= 1
    }
    i = used
    while i < SynthMemory.channelCount {
      lanes[i] = SynthFilter.Lane.plain
      i &+= 1
    }
    SynthFilter.process(
      lanes, isWide: used > 4, channels: memory.channels, cutoffs: memory.cutoffs, count: count)
    i = 0
    while i < notes {
      let note = memory.notes[i]
      voices[note.slot].keep(lanes + note.left, lanes + note.right)
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private mutating func mix(
    _ notes: Int, of bus: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int, _ stems: UnsafeMutablePointer<Stems>?, _ own: UnsafeMutablePointer<OwnVoices>?
  ) {
    var i = 0
    while i < notes {
      let note = memory.notes[i]
      if let stems {
        // Each note alone in its own memory. The sum with the others has the same bits.
        stems.pointee.clearVoice(count)
        add(note, i, stems.pointee.voiceLeft, stems.pointee.voiceRight, count)
        stems.pointee.addVoice(of: bus, to: voices[note.slot].stem, busLeft: left, busRight: right, frames: count)
      } else {
        add(note, i, left, right, count)
      }
      if let own, !voices[note.slot].own.isShut {
        own.pointee.clearVoice(count)
        add(note, i, own.pointee.voiceLeft, own.pointee.voiceRight, count)
        own.pointee.addNote(voices[note.slot].own.next(count), frames: count)
      }
      if note.isOver { end(note.slot) }
      i &+= 1
    }
  }

  @_noLocks @inline(__always) private func add(
    _ note: SynthMemory.Note, _ index: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    let pan = voices[note.slot].gain
    let gains = memory.gains + index &* SynthFilter.stride
    let first = memory.channels + note.left &* SynthFilter.stride
    let second = memory.channels + note.right &* SynthFilter.stride
    let (panLeft, panRight) = (SIMD4<Float>(repeating: pan.left), SIMD4<Float>(repeating: pan.right))
    var i = 0
    while i < count {
      let gain = VoiceKernels.load(gains + i)
      VoiceKernels.add(VoiceKernels.load(first + i) * gain * panLeft, to: left + i)
      VoiceKernels.add(VoiceKernels.load(second + i) * gain * panRight, to: right + i)
      i &+= 4
    }
  }
}
