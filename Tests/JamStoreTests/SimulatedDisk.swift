import Glibc
import JamCore
import Synchronization

@testable import JamStore

/// A folder on a disk that does what disks do: what was not synced may be lost, torn, zero or in another order after the power went.
///
/// Thread: one at a time.
final class SimulatedDisk: Disk {
  final class Node: Sendable {
    struct Content { var bytes: [UInt8] = [], synced = 0 }
    let content = Mutex(Content())
  }

  private enum NameDeed: Sendable {
    case put(String, Node)
    case remove(String)
    case rename(String, String)
  }

  private struct State {
    var names: [String: Node] = [:]
    /// As the disk has them for good, and what was done since.
    var lasting: [String: Node] = [:]
    var deeds: [NameDeed] = []
    var dice: Dice
    /// Operations until the power goes; nil is never.
    var left: Int?
    /// In a hundred operations.
    var faults = 0
    /// Bytes that fit; nil is any number.
    var space: Int?
    /// A sync says that it has ended, and nothing lasts by it.
    var isLying = false
    /// The disk has lied since the folder was last synced.
    var hasLied = false
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - operations: so many until the power goes.
  ///   - faults: of a hundred appends and syncs so many fail.
  init(seed: Int, operations: Int? = nil, faults: Int = 0) {
    state = Mutex(State(dice: Dice(seed: seed), left: operations, faults: faults))
  }

  /// Bytes that fit from now on.
  func setSpace(_ bytes: Int?) { state.withLock { $0.space = bytes } }

  /// While the disk lies, its syncs succeed and make nothing last. A loss of power then loses
  /// everything since the last honest sync, and the folder is as it was then.
  func setLying(_ isLying: Bool) {
    state.withLock { state in
      state.isLying = isLying
      state.hasLied = state.hasLied || isLying
    }
  }

  var isOff: Bool { state.withLock { $0.left == 0 } }

  /// The bytes of all files.
  var used: Int { state.withLock { $0.names.values.reduce(0) { $0 + $1.content.withLock { $0.bytes.count } } } }

  func bytes(of name: String) -> [UInt8]? { state.withLock { $0.names[name] }?.content.withLock { $0.bytes } }

  func put(_ bytes: [UInt8], as name: String) {
    let node = Node()
    node.content.withLock { $0 = Node.Content(bytes: bytes, synced: bytes.count) }
    state.withLock { state in
      state.names[name] = node
      state.lasting[name] = node
    }
  }

  /// What is there once the machine is on again.
  /// - Parameter keepsAll: the process alone was killed.
  func restarted(keepsAll: Bool) -> SimulatedDisk {
    state.withLock { state in
      let disk = SimulatedDisk(seed: state.dice.below(1 << 30))
      var names = state.lasting
      if keepsAll {
        names = state.names
      } else if !state.hasLied {
        // Any of what was done to names since, in its order.
        for deed in state.deeds where state.dice.below(2) == 0 {
          switch deed {
          case .put(let name, let node): names[name] = node
          case .remove(let name): names[name] = nil
          case .rename(let name, let new):
            guard let node = names[name] else { continue }
            names[name] = nil
            names[new] = node
          }
        }
      }
      // In the order of the names, so that the same numbers give the same disk in every process.
      for (name, node) in names.sorted(by: { $0.key < $1.key }) {
        let content = node.content.withLock { $0 }
        var bytes = content.bytes
        if !keepsAll {
          let rest = bytes.count - content.synced
          let kept = rest > 0 ? state.dice.below(rest + 1) : 0
          bytes = Array(bytes.prefix(content.synced + kept))
          switch state.dice.below(4) {
          case 0: bytes += [UInt8](repeating: 0, count: rest - kept)
          // A page in the midst of what was not synced was not written, although one behind it was.
          case 1 where kept > 8:
            for index in 0..<state.dice.below(kept) { bytes[content.synced + index] = 0 }
          default: break
          }
        }
        disk.put(bytes, as: name)
      }
      return disk
    }
  }

  /// One operation more.
  private func step(_ deed: String, mayFail: Bool = false) throws(DiskError) {
    let code = state.withLock { state -> Int32 in
      if let left = state.left {
        guard left > 0 else { return ENODEV }
        state.left = left - 1
        if left == 1 { return ENODEV }
      }
      return mayFail && state.dice.below(100) < state.faults ? EIO : 0
    }
    if code != 0 { throw DiskError(deed, code: code) }
  }

  func names() throws(DiskError) -> [String] { state.withLock { Array($0.names.keys) } }

  func read(_ name: String) throws(DiskError) -> [UInt8] {
    guard let bytes = bytes(of: name) else { throw DiskError("read \(name)", code: ENOENT) }
    return bytes
  }

  func create(_ name: String) throws(DiskError) -> any DiskFile {
    try step("make \(name)", mayFail: true)
    let node = Node()
    state.withLock { state in
      state.names[name] = node
      state.deeds.append(.put(name, node))
    }
    return File(self, node)
  }

  func rename(_ name: String, to new: String) throws(DiskError) {
    try step("rename \(name)", mayFail: true)
    state.withLock { state in
      state.names[new] = state.names[name]
      state.names[name] = nil
      state.deeds.append(.rename(name, new))
    }
  }

  func remove(_ name: String) throws(DiskError) {
    try step("remove \(name)", mayFail: true)
    state.withLock { state in
      state.names[name] = nil
      state.deeds.append(.remove(name))
    }
  }

  func syncFolder() throws(DiskError) {
    try step("sync the folder", mayFail: true)
    state.withLock { state in
      guard !state.isLying else { return }
      state.hasLied = false
      state.lasting = state.names
      state.deeds = []
    }
  }

  private final class File: DiskFile {
    private let disk: SimulatedDisk
    private let node: Node

    init(_ disk: SimulatedDisk, _ node: Node) {
      self.disk = disk
      self.node = node
    }

    func append(_ bytes: [UInt8]) throws(DiskError) {
      let (space, part) = disk.state.withLock { ($0.space, $0.dice.below(bytes.count + 1)) }
      let fits = space.map { max(0, $0 - disk.used) } ?? bytes.count
      do throws(DiskError) {
        try disk.step("write", mayFail: true)
        guard fits >= bytes.count else { throw DiskError("write", code: ENOSPC) }
      } catch {
        // Some of it is written all the same.
        node.content.withLock { $0.bytes += bytes.prefix(min(part, fits)) }
        throw error
      }
      node.content.withLock { $0.bytes += bytes }
    }

    /// Where it fails, what was to be synced is lost with the next loss of power, whatever is synced later.
    func sync() throws(DiskError) {
      try disk.step("sync", mayFail: true)
      guard !disk.state.withLock({ $0.isLying }) else { return }
      node.content.withLock { $0.synced = $0.bytes.count }
    }
  }
}

extension Journal {
  /// Waits for the disk until what was appended lasts.
  func makeLast() throws {
    guard let sync else { return }
    try ended(sync, Result { () throws(DiskError) in try sync.run() })
  }
}

extension JournalBook {
  /// Runs the syncs that are due, as the writer's other thread does.
  mutating func makeLast(at now: HostTime) throws {
    for (room, sync) in startSyncs(at: now) {
      _ = ended(room, sync, Result { () throws(DiskError) in try sync.run() }, at: now)
    }
  }
}
