public import JamCore
internal import JamKit
internal import JamRealtime

/// Blocks that players keep, and the sounds of their hits.
extension KitStore {
  // MARK: On the disk

  /// Reads the room's blocks in the background and calls back. Unreadable files are told and stay.
  func blocks(of room: PlayerName, then call: @escaping @Sendable ([Block]) -> Void) {
    guard let folder = blockFolder(of: room) else { return }
    background.submit(.keeping("blocks of \(room)")) { [report] in
      let (blocks, problems) = folder.read()
      // One line, however many they are.
      if let first = problems.first {
        report(problems.count == 1 ? first : KitError(folder.path, .unreadableFiles(problems.count, first: "\(first)")))
      }
      call(blocks)
    }
  }

  /// Keeps a block in the background; calls back from there where that fails.
  func keep(_ block: Block, of room: PlayerName, failed: @escaping @Sendable (KitError) -> Void) {
    // A server that keeps nothing says so by itself.
    guard let folder = blockFolder(of: room) else { return }
    // Of many edits of a block the last is written.
    let isTaken = background.submit(.keeping("blocks of \(room)"), replacing: folder.fileName(of: block)) {
      do throws(KitError) {
        try folder.keep(block)
      } catch {
        // The player knows the block's name, not the server's folders.
        failed(KitError(block.name, error.reason))
      }
    }
    if !isTaken { failed(KitError(block.name, .busy)) }
  }

  func remove(_ block: Block, of room: PlayerName) {
    guard let folder = blockFolder(of: room) else { return }
    background.submit(.keeping("blocks of \(room)"), replacing: folder.fileName(of: block)) { folder.remove(block) }
  }

  /// Calls back in the background once all blocks of the room are kept.
  /// - Returns: false where too much waits already; nothing is called then.
  func whenBlocksAreKept(of room: PlayerName, _ call: @escaping @Sendable () -> Void) -> Bool {
    background.submit(.keeping("blocks of \(room)"), call)
  }

  /// Whether blocks outlive the process.
  public var keepsBlocks: Bool { blockFolders != nil }

  /// Reads a kept block in the background and calls back from there, with nil where there is none.
  /// - Parameter asker: who counts as one where much is asked for.
  /// - Returns: false where too much waits already; nothing is called then.
  public func block(_ id: BlockID, for asker: String, then call: @escaping @Sendable (Block?) -> Void) -> Bool {
    guard let folder = blockFolder(of: id.room) else {
      call(nil)
      return true
    }
    return background.submit(.reading(for: asker)) { [background] in
      // Behind all writes of that room that wait.
      let isTaken = background.submit(.keeping("blocks of \(id.room)")) {
        call(try? folder.block(named: id.name, of: id.owner))
      }
      if !isTaken { call(nil) }
    }
  }

  private func blockFolder(of room: PlayerName) -> BlockFolder? {
    blockFolders.map { BlockFolder(in: $0, room: room.text) }
  }

  // MARK: Sounds

  /// The sounds that an order wants, and why some of them cannot be had. Thread: any that may wait.
  func sounds(for order: SoundsOrder) -> (sounds: [VoicedSound: PlayablePad], reason: Refusal?) {
    var sounds: [VoicedSound: PlayablePad] = [:]
    var reason: Refusal?
    for wanted in order.wanted {
      do throws(KitError) {
        sounds[wanted] = try sound(wanted)
      } catch {
        reason = .hitsSilent(error.told)
      }
    }
    return (sounds, reason)
  }

  /// The same in the background; calls back from there.
  func sounds(
    for order: SoundsOrder, in room: PlayerName,
    then call: @escaping @Sendable ([VoicedSound: PlayablePad], Refusal?) -> Void
  ) {
    let isTaken = background.submit(.reading(for: "\(room)/\(order.name)")) { [self] in
      let (sounds, reason) = sounds(for: order)
      call(sounds, reason)
    }
    if !isTaken { call([:], .hitsSilent(KitError("sounds", .busy).description)) }
  }

  private func sound(_ wanted: VoicedSound) throws(KitError) -> PlayablePad {
    let plain: PlayablePad
    switch wanted.sample {
    case .pad(let pad, let id):
      guard let playable = try load(id).plain(pad) else {
        throw KitError(id, field: "pad \(pad.number)", .missing(what: "a sound"))
      }
      plain = playable
    case .own(let hash): plain = PlayablePad(try own(hash).sound)
    case .patch(let patch): plain = PlayablePad(patch)
    case .nothing: throw KitError("a hit", .missing(what: "a sound"))
    }
    guard wanted.stretch != 1 else { return plain }
    return stretched(plain, by: wanted.stretch, wanted.quality) ?? plain
  }
}
