import JamCore
import Synchronization

/// The names of the sounds in a folder: `names.json` beside them, written completely or not at all.
///
/// Thread: any that may wait.
public final class SoundNames: Sendable {
  private struct State {
    /// The latest is the last.
    var sounds: [KeptSound] = []
    /// The file cannot be read. It is set aside before a new file takes its place.
    var isDamaged = false
  }

  private let folder: SoundFolder
  private let file: String
  private let state: Mutex<State>
  /// Held while the file is written, so that of two changes at once, the later file has both. The
  /// state is not held then: a room that opens reads names, and must not wait for the disk.
  private let writing = Mutex(())
  /// The problems of the file. Entries without a problem are used.
  public let problems: [KitError]

  static let fileName = "names.json"
  private static let format = 1
  private static let byteLimit = 16 << 20
  /// If one content has more names, the oldest name is forgotten.
  static let mostNames = 8
  private static let nameCharacters = 64

  /// Reads the names of those sounds that are in `folder`.
  public init(of folder: SoundFolder) {
    self.folder = folder
    file = Files.joined(folder.path, Self.fileName)
    let read = Self.read(file)
    let there = Set(Files.names(in: folder.path) ?? [])
    state = Mutex(
      State(sounds: read.sounds.filter { there.contains(SoundFolder.fileName(of: $0.hash)) }, isDamaged: read.isDamaged)
    )
    problems = read.problems
  }

  /// The names in one room, the latest last.
  public func sounds(of room: String) -> [KeptSound] { all.filter { $0.room == room } }

  /// All of them, without those that were taken back.
  public var all: [KeptSound] { state.withLock { $0.sounds.filter { !$0.isTaken } } }

  /// The number of sounds whose names were all taken back.
  public var takenCount: Int {
    state.withLock { state in
      let taken = Set(state.sounds.filter(\.isTaken).map(\.hash))
      return taken.isEmpty
        ? 0 : taken.subtracting(state.sounds.filter { !$0.isTaken }.map(\.hash)).count
    }
  }

  /// Whether the sound has a name in any room, one that was taken back included.
  public func isNamed(_ hash: ContentHash) -> Bool {
    state.withLock { $0.sounds.contains { $0.hash == hash } }
  }

  /// Keeps one more name. A sound may have several names.
  /// - Throws: `KitError` where the file cannot be written. The name then holds until the server
  ///   ends.
  public func add(_ sound: KeptSound) throws(KitError) {
    let failure = writing.withLock { _ -> KitError? in
      let changed = state.withLock { state -> State? in
        guard state.sounds.last != sound else { return nil }
        state.sounds.removeAll { $0.hash == sound.hash && $0.name == sound.name && $0.room == sound.room }
        state.sounds.append(sound)
        if state.sounds.count(where: { $0.hash == sound.hash }) > Self.mostNames,
          let oldest = state.sounds.firstIndex(where: { $0.hash == sound.hash })
        {
          state.sounds.remove(at: oldest)
        }
        return state
      }
      guard let changed else { return nil }
      do throws(KitError) {
        if changed.isDamaged { try Files.move(file, to: file + ".damaged") }
        state.withLock { $0.isDamaged = false }
        try write(changed.sounds)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  /// Forgets a name.
  /// - Returns: whether the sound has another name, in any room.
  public func remove(_ hash: ContentHash, name: String, room: String) throws(KitError) -> Bool {
    let result = writing.withLock { _ -> Result<Bool, KitError> in
      let (changed, isNamed) = state.withLock { state -> ([KeptSound]?, Bool) in
        let before = state.sounds.count
        state.sounds.removeAll { $0.hash == hash && $0.name == name && $0.room == room }
        let isNamed = state.sounds.contains { $0.hash == hash }
        return (state.sounds.count < before && !state.isDamaged ? state.sounds : nil, isNamed)
      }
      return Result { () throws(KitError) in
        if let changed { try write(changed) }
        return isNamed
      }
    }
    return try result.get()
  }

  /// Takes a name from the lists, or puts it back behind all others.
  ///
  /// Beyond `mostTaken` names that are taken back, the oldest are forgotten.
  /// - Returns: the sounds that have no name any more.
  public func setTaken(
    _ hash: ContentHash, name: String, room: String, _ isTaken: Bool
  ) throws(KitError) -> [ContentHash] {
    let result = writing.withLock { _ -> Result<[ContentHash], KitError> in
      let (changed, unnamed) = state.withLock { state -> ([KeptSound]?, [ContentHash]) in
        guard
          let place = state.sounds.firstIndex(where: {
            $0.hash == hash && $0.name == name && $0.room == room && $0.isTaken != isTaken
          })
        else { return (nil, []) }
        var sound = state.sounds.remove(at: place)
        sound.isTaken = isTaken
        state.sounds.append(sound)
        let taken = state.sounds.filter(\.isTaken)
        let oldest = Set(taken.dropLast(Self.mostTaken))
        state.sounds.removeAll { oldest.contains($0) }
        let named = Set(state.sounds.map(\.hash))
        let unnamed = Set(oldest.map(\.hash)).subtracting(named)
        return (state.isDamaged ? nil : state.sounds, Array(unnamed))
      }
      return Result { () throws(KitError) in
        if let changed { try write(changed) }
        return unnamed
      }
    }
    return try result.get()
  }

  /// The limit of names that were taken back.
  static let mostTaken = 512

  /// Call it while `writing` is held.
  private func write(_ sounds: [KeptSound]) throws(KitError) {
    try Files.write(Array(Self.json(sounds).utf8), to: file)
  }

  private static func json(_ sounds: [KeptSound]) -> String {
    let lines = sounds.map { sound in
      "    { \"sound\": \"\(sound.hash)\", \"name\": \(sound.name.quotedJSON), "
        + "\"category\": \(sound.category.rawValue.quotedJSON), \"room\": \(sound.room.quotedJSON)"
        + (sound.author.isEmpty ? "" : ", \"author\": \(sound.author.quotedJSON)")
        + (sound.isTaken ? ", \"takenBack\": true }" : " }")
    }
    return "{\n  \"format\": \(format),\n  \"sounds\": [\n\(lines.joined(separator: ",\n"))\n  ]\n}\n"
  }

  private static func read(_ file: String) -> (sounds: [KeptSound], problems: [KitError], isDamaged: Bool) {
    let document: JSONValue
    do throws(KitError) {
      document = try JSONValue(reading: Files.read(file, limit: byteLimit), of: file)
    } catch {
      if case .noSuchFile = error.reason { return ([], [], false) }
      return ([], [KitError(file, .namesDamaged(cause: "\(error.reason.text)"))], true)
    }
    guard case .object(let fields) = document else {
      return ([], [KitError(file, .namesDamaged(cause: "is \(document.kind), not an object"))], true)
    }
    var reader = FieldReader(fields, file: file)
    _ = reader.integer("format", in: format...format)
    var sounds: [KeptSound] = []
    for (_, var item) in reader.objects("sounds") {
      if let sound = sound(&item) { sounds.append(sound) }
      for problem in item.problems { reader.report(problem) }
    }
    return (sounds, reader.problems, !reader.problems.isEmpty)
  }

  private static func sound(_ reader: inout FieldReader) -> KeptSound? {
    let text = reader.text("sound", atMost: 64, needed: true)
    let name = reader.text("name", atMost: nameCharacters, needed: true)
    let category = reader.choice("category", of: PadCategory.self) ?? .other
    let room = reader.text("room", atMost: nameCharacters, needed: true)
    let author = reader.text("author", atMost: nameCharacters) ?? ""
    let isTaken = reader.flag("takenBack") ?? false
    guard let text, let name, let room else { return nil }
    guard let hash = ContentHash(text) else {
      reader.report("sound", .outOfRange(found: "“\(text)”", expected: "64 hexadecimal digits in lower case"))
      return nil
    }
    var sound = KeptSound(hash, name: name, category: category, room: room, author: author)
    sound.isTaken = isTaken
    return sound
  }
}
