internal import JamCore
internal import JamEngine
internal import JamKit

/// Each once in its row, and by its number from then on.
extension Voicing: Kept {
  func keep(in writer: inout KeptWriter) {
    if let number = writer.number(of: self) { return writer.put(number) }
    writer.put(-1)
    writer.put(pad)
    writer.put(sample)
    writer.put(settings)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let number = try reader.take(Int.self)
    if reader.voicings.indices.contains(number) {
      self = reader.voicings[number]
    } else if number == -1 {
      self.init(pad: try reader.take(), sample: try reader.take(), settings: try reader.take())
      reader.note(self)
    } else {
      throw .unexpected(.integer(Int64(number)))
    }
  }
}

extension KeptWriter {
  /// Nothing where there are none, as older programs wrote.
  mutating func put(_ moves: [NoteMove]) {
    guard !moves.isEmpty else { return }
    let words = moves.map { "\($0.kind) \($0.at.microBeats) \($0.value)" }
    put(.text(KeptReader.movesMark + words.joined(separator: " ")))
  }
}

extension KeptReader {
  fileprivate static let movesMark = "moves "

  mutating func takeMoves() throws(KeptError) -> [NoteMove] {
    guard case .text(let text) = peek, text.hasPrefix(KeptReader.movesMark) else { return [] }
    _ = try take() as KeptValue
    let words = text.dropFirst(KeptReader.movesMark.count).split(separator: " ")
    let moves = stride(from: 0, to: words.count - 2, by: 3).compactMap { place -> NoteMove? in
      guard let kind = NoteMove.Kind(rawValue: String(words[place])), let at = Int64(words[place + 1]),
        let value = Float(words[place + 2])
      else { return nil }
      return NoteMove(at: Beats(microBeats: at), kind, value)
    }
    guard moves.count * 3 == words.count, moves.arePossible else { throw .unexpected(.text(text)) }
    return moves
  }
}

extension BlockHit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(position)
    writer.put(velocity)
    writer.put(length)
    writer.put(isStep)
    writer.put(moves)
    switch sound {
    case .category(let category, let number):
      writer.put(category)
      writer.put(number)
    case .voicing(let voicing):
      writer.put("")
      writer.put(voicing)
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (position, velocity) = (try reader.take(Beats.self), try reader.take(Velocity.self))
    let (length, isStep) = (try reader.take(Beats?.self), try reader.take(Bool.self))
    let moves = try reader.takeMoves()
    let category = try reader.take(String.self)
    let sound =
      category.isEmpty ? BlockSound.voicing(try reader.take()) : .category(category, number: try reader.take())
    self.init(position: position, velocity: velocity, length: length, sound: sound, isStep: isStep, moves: moves)
  }
}

extension Block: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(name)
    writer.put(theme)
    writer.put(owner)
    writer.put(isShared)
    writer.put(length)
    writer.put(hits)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (name, theme) = (try reader.take(String.self), try reader.take(String.self))
    let (owner, isShared) = (try reader.take(PlayerName?.self), try reader.take(Bool.self))
    self.init(name: name, theme: theme, owner: owner, length: try reader.take(), hits: try reader.take())
    self.isShared = isShared
  }
}

// MARK: Hits of loops

/// A hit of a layer, without the memory that it reads.
struct KeptHit: Kept {
  var position: Beats
  var length: Beats?
  var sequence: Int
  var velocity: Velocity
  var isStep: Bool
  /// The mark of its sound among the pad's: see `PlayableSound.mark`.
  var mark: Int64
  var moves: [NoteMove]
  var voicing: Voicing

  init(_ hit: LoopHit) {
    position = hit.position
    length = hit.length
    sequence = Int(hit.sequence)
    velocity = hit.velocity
    isStep = hit.isStep
    mark = hit.sound.mark
    moves = hit.moves
    voicing = hit.voicing
  }

  func keep(in writer: inout KeptWriter) {
    writer.put(position)
    writer.put(length)
    writer.put(sequence)
    writer.put(velocity)
    writer.put(isStep)
    writer.put(mark)
    writer.put(moves)
    writer.put(voicing)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    position = try reader.take()
    length = try reader.take()
    sequence = try reader.take()
    velocity = try reader.take()
    isStep = try reader.take()
    mark = try reader.take()
    moves = try reader.takeMoves()
    voicing = try reader.take()
  }
}

extension KeptReader {
  /// Without those whose sounds are not to be had.
  mutating func takeHits() throws(KeptError) -> [LoopHit] {
    let hits = try take([KeptHit].self)
    return hits.compactMap { sounds.hit($0) }
  }
}

extension Track: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(length)
    writer.put(steps)
    writer.put(swings)
    writer.put(hits.map { KeptHit($0) })
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let length = try reader.take(Beats.self)
    let (steps, swings) = (try reader.take(Pad?.self), try reader.take(Bool.self))
    self.init(hits: try reader.takeHits(), length: length, steps: steps, swings: swings)
  }
}

extension Layer: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(isSteps)
    writer.put(isMuted)
    writer.put(gain)
    writer.put(begin)
    writer.put(pass)
    writer.put(tracks)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (isSteps, isMuted, gain) = (try reader.take(Bool.self), try reader.take(Bool.self), try reader.take(Float.self))
    let begin = try reader.take(Beats.self) - reader.sounds.barLine
    let pass = try reader.take(Int.self)
    self.init(
      tracks: try reader.take(), isSteps: isSteps, isMuted: isMuted, gain: gain, begin: begin, pass: pass)
  }

  /// Whether both are kept as the same: how far a layer has played is not.
  func isKeptAs(_ other: Layer) -> Bool {
    isSteps == other.isSteps && isMuted == other.isMuted && gain == other.gain && begin == other.begin
      && pass == other.pass && tracks.count == other.tracks.count
      && tracks.indices.allSatisfy {
        tracks[$0].length == other.tracks[$0].length && tracks[$0].steps == other.tracks[$0].steps
          && tracks[$0].swings == other.tracks[$0].swings && tracks[$0].hits == other.tracks[$0].hits
      }
  }
}

/// A layer's number, and its other player.
extension KeptLoan: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(number)
    switch loan {
    case .borrowed(let name, let layer, let pass):
      writer.put("borrowed")
      writer.put(name)
      writer.put(layer)
      writer.put(pass)
    case .lent(let name, let wasMuted):
      writer.put("lent")
      writer.put(name)
      writer.put(wasMuted)
    }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    let (number, word) = (try reader.takeLayerNumber(), try reader.take(String.self))
    switch word {
    case "borrowed":
      let name = try reader.take(PlayerName.self)
      let (layer, pass) = (try reader.takeLayerNumber(), try reader.take(Int.self))
      self.init(number: number, loan: .borrowed(from: name, layer: layer, pass: pass))
    case "lent":
      let name = try reader.take(PlayerName.self)
      self.init(number: number, loan: .lent(to: name, wasMuted: try reader.take(Bool.self)))
    default: throw .unexpected(.text(word))
    }
  }
}

extension KeptReader {
  /// From 1.
  fileprivate mutating func takeLayerNumber() throws(KeptError) -> Int {
    let number = try take(Int.self)
    guard (1...1_024).contains(number) else { throw .unexpected(.integer(Int64(number))) }
    return number
  }
}

// MARK: Lanes

extension LaneSlot: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(id)
    writer.put(block)
    writer.put(hits.map { KeptHit($0) })
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    self.init(id: try reader.take(), block: try reader.take(), hits: try reader.takeHits())
  }

  func isKeptAs(_ other: LaneSlot) -> Bool { id == other.id && block == other.block && hits == other.hits }
}

extension LaneEdit: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(slots)
    writer.put(playing)
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    slots = try reader.take()
    playing = try reader.take()
    guard slots.count == Limits.standard.slotsPerLane else { throw .unexpected(.integer(Int64(slots.count))) }
  }
}
