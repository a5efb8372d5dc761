public import JamCore

/// The folder of a room's blocks: one JSON file for each block.
///
/// Thread: any that may wait.
public struct BlockFolder: Sendable {
  public let path: String

  /// - Parameters:
  ///   - parent: the folder is created with the first block that is kept.
  ///   - room: any text.
  public init(in parent: String, room: String) {
    path = Files.joined(parent, BlockFolder.name(of: room))
  }

  /// The folder name for a room. A room's own name may hold any characters.
  public static func name(of room: String) -> String { "\(PadName.slug(room))-\(mark(room))" }

  /// A hash that keeps names apart when their file names would look alike: names of any script, and
  /// of several owners.
  private static func mark(_ text: String) -> Substring {
    "\(Array(text.utf8).withUnsafeBytes { ContentHash($0) })".prefix(12)
  }

  /// Twice the size of the largest block that is saved.
  public static let byteLimit = 16 << 20

  /// The blocks that can be read, sorted by file name, and the problems of the others.
  public func read() -> (blocks: [Block], problems: [KitError]) {
    var blocks: [Block] = []
    var problems: [KitError] = []
    for name in (Files.names(in: path) ?? []).sorted() where name.hasSuffix(".json") {
      let file = Files.joined(path, name)
      do throws(KitError) {
        var reader = BlockReader(file)
        if let block = try reader.read(Files.read(file, limit: BlockFolder.byteLimit)) { blocks.append(block) }
        problems += reader.problems
      } catch {
        problems.append(error)
      }
    }
    return (blocks.sorted { $0.name < $1.name }, problems)
  }

  /// The sounds that the hits of all rooms' blocks in `parent` name. Blocks that cannot be read are
  /// left out.
  public static func samples(in parent: String) -> Set<SampleID> {
    var samples: Set<SampleID> = []
    for room in Files.names(in: parent) ?? [] {
      for block in BlockFolder(path: Files.joined(parent, room)).read().blocks {
        for case .voicing(let voicing) in block.hits.map(\.sound) { samples.insert(voicing.sample) }
      }
    }
    return samples
  }

  private init(path: String) { self.path = path }

  /// Keeps a block. A block of the same name and owner is replaced.
  /// - Throws: `KitError` where the file cannot be written, as on a full disk. No part of a file is
  ///   left behind then.
  public func keep(_ block: Block) throws(KitError) {
    if let slash = path.lastIndex(of: "/") { try Files.makeFolder(String(path[..<slash])) }
    try Files.makeFolder(path)
    try Files.write(Array(block.json.utf8), to: file(of: block))
  }

  /// The block of that name and owner.
  /// - Throws: where there is no such block, or its file cannot be read.
  public func block(named name: String, of owner: PlayerName) throws(KitError) -> Block {
    let file = file(of: Block(name: name, owner: owner, length: .zero, hits: []))
    return try Block(reading: Files.read(file, limit: BlockFolder.byteLimit), of: file)
  }

  /// Removes half-written files, of all rooms in `parent`, that a killed server left behind.
  public static func sweepDrafts(in parent: String) {
    for room in Files.names(in: parent) ?? [] { Drafts.sweep(Files.joined(parent, room)) }
  }

  public func remove(_ block: Block) { Files.remove(file(of: block)) }

  /// The name of the file that a block is kept in.
  public func fileName(of block: Block) -> String {
    let mark = BlockFolder.mark("\(block.owner?.text ?? "")/\(block.name)")
    return "\(PadName.slug(block.name))-\(mark).json"
  }

  private func file(of block: Block) -> String { Files.joined(path, fileName(of: block)) }
}

extension Block {
  static let format = 1

  /// Reads a block from the bytes of its file.
  /// - Parameter file: the name that errors carry.
  /// - Throws: the first problem that is found.
  public init(reading bytes: [UInt8], of file: String) throws(KitError) {
    var reader = BlockReader(file)
    guard let block = try reader.read(bytes) else {
      throw reader.problems.first ?? KitError(file, .unreadable(cause: "it is no block"))
    }
    self = block
  }

  /// The text of the block's file, one line for each hit.
  public var json: String {
    var lines = ["\"format\": \(Block.format)", "\"name\": \(name.quotedJSON)"]
    if let owner { lines.append("\"owner\": \(owner.text.quotedJSON)") }
    if isShared { lines.append("\"shared\": true") }
    if let bpm { lines.append("\"bpm\": \(legible(Double(bpm)))") }
    lines.append("\"beats\": \(legible(length.value))")
    lines.append("\"hits\": [\n\(hits.map { "    { \($0.json) }" }.joined(separator: ",\n"))\n  ]")
    return "{\n" + lines.map { "  " + $0 }.joined(separator: ",\n") + "\n}\n"
  }
}

extension BlockHit {
  fileprivate var json: String {
    var fields = ["\"beat\": \(legible(position.value))", "\"velocity\": \(legible(velocity.value))"]
    if let length { fields.append("\"length\": \(legible(length.value))") }
    if isStep { fields.append("\"step\": true") }
    if !moves.isEmpty {
      let moves = moves.map { "{ \"beat\": \(legible($0.at.value)), \"\($0.kind)\": \(legible($0.value)) }" }
      fields.append("\"moves\": [\(moves.joined(separator: ", "))]")
    }
    switch sound {
    case .category(let category, let number):
      fields.append("\"category\": \(category.quotedJSON)")
      if number != 1 { fields.append("\"number\": \(number)") }
    case .voicing(let voicing):
      fields.append(voicing.pad.note.map { "\"key\": \($0)" } ?? "\"pad\": \(voicing.pad.number)")
      fields.append("\"sound\": \("\(voicing.sample)".quotedJSON)")
      fields += voicing.settings.json(beyond: PadSettings())
    }
    return fields.joined(separator: ", ")
  }
}

/// Reads one block's file.
private struct BlockReader {
  let file: String
  private(set) var problems: [KitError] = []

  init(_ file: String) { self.file = file }

  /// - Returns: nil where something is wrong with the file; `problems` tells what.
  mutating func read(_ bytes: [UInt8]) throws(KitError) -> Block? {
    guard case .object(let fields) = try JSONValue(reading: bytes, of: file) else {
      throw KitError(file, .wrongType(expected: "an object { … }", found: "something else"))
    }
    var reader = FieldReader(fields, file: file)
    _ = reader.integer("format", in: Block.format...Block.format)
    let name = reader.text("name", atMost: Limits.standard.nameCharacters, needed: true) ?? ""
    if !ShownName.isValid(name) {
      reader.report("name", .outOfRange(found: "\"\(name)\"", expected: "1–32 characters without slashes"))
    }
    let owner = reader.text("owner", atMost: Limits.standard.nameCharacters).flatMap { PlayerName($0) }
    let isShared = reader.flag("shared") ?? false
    let bpm = reader.number("bpm", in: Tempo.range)
    let beats = reader.number("beats", in: BlockReader.lengths)
    if beats == nil { reader.report("beats", .missing(what: "its length in quarter notes")) }
    var hits: [BlockHit] = []
    for (_, var hitReader) in reader.objects("hits") {
      if let hit = BlockReader.hit(&hitReader, before: beats ?? 0) { hits.append(hit) }
      problems += hitReader.problems
    }
    let (moves, most) = (hits.moveCount, Limits.standard.movesPerBlock)
    if moves > most { reader.report("hits", .outOfRange(found: "\(moves) moves", expected: "\(most) at most")) }
    problems += reader.problems
    guard problems.isEmpty else { return nil }
    var block = Block(name: name, owner: owner, length: Beats(nearest: beats ?? 0), hits: hits)
    block.hits.sort { $0.position < $1.position }
    block.isShared = isShared
    block.bpm = bpm.map { Float($0) }
    return block
  }

  private static func pad(_ reader: inout FieldReader) -> Pad? {
    if let key = reader.integer("key", in: 0...127) { return Pad(key: key) }
    return reader.integer("pad", in: 1...Pad.count).flatMap { Pad($0) }
  }

  /// In quarter notes: the range covers every length that a room saves.
  private static let lengths = 0.000_001...Limits.standard.blockLength.value

  private static func hit(_ reader: inout FieldReader, before end: Double) -> BlockHit? {
    let beat = reader.number("beat", in: 0...lengths.upperBound)
    let velocity = reader.number("velocity", in: 0...1).flatMap { Velocity(Float($0)) }
    let length = reader.number("length", in: 0...lengths.upperBound)
    let isStep = reader.flag("step") ?? false
    let moves = moves(&reader)
    if let beat, beat >= end { reader.report("beat", .outOfRange(found: legible(beat), expected: "below its beats")) }
    if velocity == nil && reader.problems.isEmpty { reader.report("velocity", .missing(what: "0…1, above 0")) }
    var sound: BlockSound?
    if let category = reader.choice("category", of: PadCategory.self) {
      sound = .category(category.rawValue, number: reader.integer("number", in: 1...Pad.count) ?? 1)
    } else if let pad = pad(&reader) {
      let settings = PadSettings(reading: &reader, defaults: PadSettings())
      // The text is empty where the hit was on an empty pad.
      let text = reader.text("sound", atMost: Limits.standard.textBytes)
      if let text, let sample = SampleID(text), !sample.isPatch || pad.isKey {
        sound = .voicing(Voicing(pad: pad, sample: sample, settings: settings))
      } else if let text {
        reader.report(
          "sound", .outOfRange(found: "\"\(text)\"", expected: "a kit's pad, as starter/3, own/…, or a key's patch/…"))
      } else if reader.problems.isEmpty {
        reader.report(
          "sound", .missing(what: "a text of \(Limits.standard.textBytes) characters at most"))
      }
    } else if reader.problems.isEmpty {
      reader.report("category", .missing(what: "a category, or a pad and a sound"))
    }
    guard reader.problems.isEmpty, let beat, let velocity, let sound else { return nil }
    return BlockHit(
      position: Beats(nearest: beat), velocity: velocity, length: length.map { Beats(nearest: $0) }, sound: sound,
      isStep: isStep, moves: moves)
  }

  /// The moves of the hand during a note. Each has its beat, counted from the note's beginning, and
  /// a height or a bend.
  private static func moves(_ reader: inout FieldReader) -> [NoteMove] {
    var moves: [NoteMove] = []
    for (_, var moveReader) in reader.objects("moves") {
      let beat = moveReader.number("beat", in: 0...lengths.upperBound)
      for kind in NoteMove.Kind.allCases {
        let range = NoteMove.range(of: kind)
        let found = moveReader.number(kind.rawValue, in: Double(range.lowerBound)...Double(range.upperBound))
        guard let found, let beat else { continue }
        moves.append(NoteMove(at: Beats(nearest: beat), kind, Float(found)))
      }
      for problem in moveReader.problems { reader.report(problem) }
    }
    moves.sort { $0.at < $1.at }
    if moves.count > NoteMove.most {
      reader.report("moves", .outOfRange(found: "\(moves.count)", expected: "\(NoteMove.most) at most"))
    }
    return moves
  }
}
