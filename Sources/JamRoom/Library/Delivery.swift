internal import JamCore
internal import JamKit

/// The kits and sounds that a file brings and its music needs. All of them are checked, and all are
/// within the sender's shares, before anything is written.
///
/// Thread: one at a time, any that may wait.
public struct Delivery: Sendable {
  /// A sound that is not here yet.
  struct NewSound: Sendable {
    let hash: ContentHash
    let bytes: [UInt8]
  }

  /// A kit that is not here yet, with its id on this server.
  struct NewKit: Sendable {
    let id: String
    var kit: CarriedKit
  }

  /// The address or network that counts as one sender; nil is whoever runs the server, without
  /// limits.
  let sender: String?
  private let kitStore: KitStore
  private(set) var sounds: [NewSound] = []
  private(set) var kits: [NewKit] = []
  /// The sounds and kits that the music needs are kept by something that comes after them.
  let isPart: Bool
  /// The ids on this server of the kits that the file brings.
  public private(set) var ids: [String: String] = [:]
  private var nextSound = 0
  private var nextKit = 0
  private var decoded = 0.0

  /// Finds out what is new here, and whether the sender may bring that. Decodes no sound.
  /// - Parameters:
  ///   - sounds: FLAC files by the hashes of their contents.
  ///   - kits: the files of each kit by their paths; the outer key is the kit's id.
  ///   - isKit: the file is one kit, which keeps its id or is refused.
  ///   - sender: nil where no limit holds.
  public init(
    sounds: [String: [UInt8]], kits: [String: [String: [UInt8]]], isKit: Bool = false,
    from sender: String?,
    to kitStore: KitStore
  ) throws(DeliveryProblem) {
    self.sender = sender
    self.kitStore = kitStore
    isPart = !isKit
    do throws(KitError) {
      for (text, bytes) in sounds.sorted(by: { $0.key < $1.key }) { try add(bytes, as: text) }
    } catch {
      throw .kit(error)
    }
    for (id, files) in kits.sorted(by: { $0.key < $1.key }) {
      try add(files, as: id, others: kits, isKit: isKit)
    }
    do throws(KitError) {
      try kitStore.requirePlaces(forSounds: self.sounds.count, kits: self.kits.count)
    } catch {
      throw .kit(error)
    }
    try kitStore.requireShares(of: self)
  }

  private mutating func add(_ bytes: [UInt8], as text: String) throws(KitError) {
    guard let folder = kitStore.sounds else { throw KitError("own/\(text)", .nowhereToKeep) }
    guard let hash = ContentHash(text) else { throw KitError("own/\(text)", .noSuchSound) }
    try SoundFolder.requireContent(bytes, of: hash)
    if !folder.holds(hash, byteCount: bytes.count) {
      sounds.append(NewSound(hash: hash, bytes: bytes))
    }
  }

  private mutating func add(
    _ files: [String: [UInt8]], as wanted: String, others: [String: [String: [UInt8]]], isKit: Bool
  ) throws(DeliveryProblem) {
    let kit: CarriedKit
    do throws(KitError) {
      guard kitStore.savedKits != nil else { throw KitError(wanted, .nowhereToKeep) }
      kit = try CarriedKit(files, as: wanted)
    } catch {
      throw .kit(error)
    }
    var (id, number) = (wanted, 2)
    while kitStore.isUsed(id) || id != wanted && others[id] != nil
      || kits.contains(where: { $0.id == id })
    {
      // Music may play a kit that was taken back. A kit that comes alone needs another id then, so
      // that it can be chosen.
      if kitStore.has(kit, files, as: id), !isKit || !kitStore.takenKits.contains(id) {
        ids[wanted] = id
        return
      }
      guard !isKit else { throw .taken(wanted) }
      let ending = "-\(number)"
      id = wanted.prefix(Limits.standard.nameCharacters - ending.utf8.count) + ending
      number += 1
    }
    ids[wanted] = id
    kits.append(NewKit(id: id, kit: kit))
  }

  // MARK: Checking

  /// Every sound was decoded, and every kit fits into memory.
  public var isChecked: Bool { nextSound == sounds.count && nextKit == kits.count }

  /// Decodes one more sound. Its length counts for the sender.
  /// - Returns: its length in seconds.
  public mutating func checkNext() throws(DeliveryProblem) -> Double {
    try kitStore.requireDecoding(for: sender, after: decoded)
    let seconds: Double
    do throws(KitError) {
      if nextSound < sounds.count {
        let sound = sounds[nextSound]
        seconds = try SoundFolder.seconds(decoding: sound.bytes, of: sound.hash)
        nextSound += 1
      } else if nextKit < kits.count {
        seconds = try kits[nextKit].kit.checkNext()
        if kits[nextKit].kit.isChecked { nextKit += 1 }
      } else {
        seconds = 0
      }
    } catch {
      throw .kit(error)
    }
    decoded += seconds
    kitStore.spend(seconds, decodedFor: sender)
    return seconds
  }
}
