import JamCore

/// A kit's files that somebody brings, in memory. All of them are checked, one sound at a time,
/// before any is written.
///
/// Thread: one at a time, any that may wait.
public struct CarriedKit: Sendable {
  public let id: String
  /// The kit's `kit.json` and the sounds that this names, by their paths. Other files that came
  /// along are left out.
  public let files: [String: [UInt8]]
  private var sounds: KitSounds
  /// The sounds that have to be decoded still, as `kit.json` names them.
  private var left: ArraySlice<String>
  private var known: Set<ContentHash> = []

  /// Decodes no sound.
  /// - Parameter id: the kit's id for errors, and on this server if it is free.
  /// - Throws: `KitError` where the files are no kit, or lack a sound.
  public init(_ files: [String: [UInt8]], as id: String) throws(KitError) {
    guard KitFolder.isID(id) else { throw KitError(id, .badID) }
    self.id = id
    self.files = try KitFolder.bundle(of: files, named: id)
    let file = Files.joined(id, KitDescription.fileName)
    let description = KitDescription(
      id: id, reading: self.files[KitDescription.fileName] ?? [], of: file)
    if let problem = description.problems.first { throw problem }
    sounds = KitSounds(
      place: SoundSource(carrying: self.files, as: id), store: SoundStore(), limits: .standard)
    left = description.pads.compactMap { $0 }.flatMap(\.layers).flatMap(\.files)[...]
  }

  /// Every sound was decoded, and all of them fit into memory.
  public var isChecked: Bool { left.isEmpty }

  /// Decodes one more sound. After the last one the memory of all of them is freed.
  /// - Returns: the length of what was decoded, in seconds; 0 for a sound that was there before.
  public mutating func checkNext() throws(KitError) -> Double {
    guard let file = left.popFirst() else { return 0 }
    let memory: SampleMemory
    do throws(KitError) { memory = try sounds.load(file) } catch {
      throw KitError(Files.joined(id, file), error.reason)
    }
    let seconds = known.insert(memory.hash).inserted ? memory.view.duration.seconds : 0
    if left.isEmpty {
      sounds = KitSounds(
        place: SoundSource(carrying: [:], as: id), store: SoundStore(), limits: .standard)
    }
    return seconds
  }
}
