internal import JamCore

extension PadEdit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(sample)
    writer.put(settings)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    sample = try reader.take()
    settings = try reader.take()
  }
}

extension Patch: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(description) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let text = try reader.take(String.self)
    guard let patch = Patch(text) else { throw .unexpected(.text(text)) }
    self = patch
  }
}

extension KitEdit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(kit)
    writer.put(pads)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    kit = try reader.take()
    pads = try reader.take()
    guard pads.count == Pad.count else { throw .unexpected(.integer(Int64(pads.count))) }
  }
}

extension LoopEdit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(layers)
    writer.put(length)
    writer.put(bars)
    writer.put(origin)
    writer.put(isPlaying)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    layers = try reader.take()
    length = try reader.take()
    bars = try reader.take()
    origin = try reader.take(Beats.self) - reader.sounds.barLine
    isPlaying = try reader.take()
  }
}

extension Checkpoint: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(kit)
    writer.put(loop)
    writer.put(stepCount)
    writer.put(stepCounts)
    writer.put(lanes)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    kit = try reader.take()
    loop = try reader.take()
    stepCount = try reader.take()
    stepCounts = try reader.take()
    lanes = try reader.take()
    guard stepCounts.count == Pad.count, lanes.count == Limits.standard.lanesPerPlayer else {
      throw .unexpected(.integer(Int64(lanes.count)))
    }
  }
}

extension HitChange: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(layer)
    writer.put(shell)
    writer.put(track)
    writer.put(removed.map { KeptHit($0) })
    writer.put(added.map { KeptHit($0) })
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (layer, shell, track) = (try reader.take(Int.self), try reader.take(Layer.self), try reader.take(Track.self))
    self.init(
      layer: layer, of: shell, track, removed: try reader.takeHits(), added: try reader.takeHits())
  }
}

extension LaneChange: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(number)
    writer.put(before)
    writer.put(after)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    number = try reader.take()
    before = try reader.take()
    after = try reader.take()
    guard (1...Limits.standard.lanesPerPlayer).contains(number) else { throw .unexpected(.integer(Int64(number))) }
  }
}

extension RoomEdit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(number)
    writer.put(setting)
    writer.put(before)
    writer.put(after)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    number = try reader.take()
    setting = try reader.take()
    before = try reader.take()
    after = try reader.take()
  }
}

extension Edit: Kept {
  func keep(in writer: inout KeptWriter) {
    switch self {
    case .pad(let pad, let before, let after, let moved):
      writer.put("pad")
      writer.put(pad)
      writer.put(before)
      writer.put(after)
      writer.put(moved)
    case .kit(let before, let after):
      writer.put("kit")
      writer.put(before)
      writer.put(after)
    case .layer(let number, let before, let after):
      writer.put("layer")
      writer.put(number)
      writer.put(before)
      writer.put(after)
    case .hits(let changes, let isStopped):
      writer.put("hits")
      writer.put(changes)
      writer.put(isStopped)
    case .stepCount(let pad, let before, let after):
      writer.put("steps")
      writer.put(pad)
      writer.put(before)
      writer.put(after)
    case .lanes(let changes):
      writer.put("lanes")
      writer.put(changes)
    case .loop(let before, let after):
      writer.put("loop")
      writer.put(before)
      writer.put(after)
    case .all(let before, let after):
      writer.put("all")
      writer.put(before)
      writer.put(after)
    case .patch(let before, let after, let moved):
      writer.put("patch")
      writer.put(before)
      writer.put(after)
      writer.put(moved)
    case .setting(let setting, let before, let after):
      writer.put("setting")
      writer.put(setting)
      writer.put(before)
      writer.put(after)
    case .room(let edit):
      writer.put("room")
      writer.put(edit)
    case .together(let edits):
      writer.put("together")
      writer.put(edits)
    }
  }

  init(from reader: inout KeptReader) throws(KeptError) {
    let word = try reader.take(String.self)
    switch word {
    case "pad": self = .pad(try reader.take(), try reader.take(), try reader.take(), moved: try reader.take())
    case "kit": self = .kit(try reader.take(), try reader.take())
    case "layer":
      let number = try reader.take(Int.self)
      guard (1...1_024).contains(number) else { throw .unexpected(.integer(Int64(number))) }
      self = .layer(number, try reader.take(), try reader.take())
    case "hits": self = .hits(try reader.take(), isStopped: try reader.take())
    case "steps": self = .stepCount(try reader.take(), try reader.take(), try reader.take())
    case "lanes": self = .lanes(try reader.take())
    case "loop": self = .loop(try reader.take(), try reader.take())
    case "all": self = .all(try reader.take(), try reader.take())
    case "patch": self = .patch(try reader.take(), try reader.take(), moved: try reader.take())
    case "setting": self = .setting(try reader.take(), try reader.take(), try reader.take())
    case "room": self = .room(try reader.take())
    case "together":
      // None of them is a group itself: kept edits are as deep when read as when written.
      guard let edit = Edit(try reader.take([Edit].self).flatMap(\.parts)) else { throw .unexpected(.text(word)) }
      self = edit
    default: throw .unexpected(.text(word))
    }
  }
}
