public import JamCore

/// The kept state of one room, in files of a folder of its own.
///
/// A file begins with the whole state, and continues with changes. When a file has grown long, a
/// new one is begun, and only then the old one is removed. Damage at the end of a file does not
/// harm the part before it.
/// Thread: any that may wait for the disk, but one at a time.
public final class Journal {
  /// The content of a journal that was read.
  public struct Found: Sendable {
    /// The room of the journal; nil where nothing was kept.
    public var room: String?
    /// The items by their names; empty where nothing was kept.
    public var items: [String: [KeptValue]] = [:]
    /// The number of bytes that could not be used: torn or overwritten. A change that is cut off,
    /// because a kill ended the process while it wrote, does not count.
    public var damagedBytes = 0
  }

  public enum OpenError: Error, Hashable, CustomStringConvertible {
    /// A newer program wrote the file. Nothing of it was changed.
    case newer(version: Int, file: String)
    case disk(DiskError)

    public var description: String {
      switch self {
      case .newer(let version, let file):
        """
        \(file) is of format \(version), and this program knows \(JournalFrame.version): \
        use the newer program, or another folder
        """
      case .disk(let error): "\(error)"
      }
    }
  }

  private let disk: any Disk
  private let room: String
  private var number: Int
  private var file: (any DiskFile)?
  /// Older files, which stay until the new file was synced.
  private var old: [String]
  /// The older files that are then set aside, not removed, because they are damaged in the middle.
  /// Somebody may find the lost part in their bytes.
  private let damaged: Set<String>
  private var bytes = 0
  private var wholeBytes = 0
  /// How many of the file's bytes survive a loss of power.
  private var syncedBytes = 0
  /// The file's name in the folder survives a loss of power.
  private var isNamed = false

  static let fewestBytes = 1 << 20
  /// The items of one part of the whole state. A damaged place at a file's beginning loses at most
  /// one part.
  private static let itemsOfPart = 64

  /// Reads the existing files. Nothing is written until `begin`.
  public static func open(_ disk: any Disk, room: String) throws(OpenError) -> (journal: Journal, found: Found) {
    let names: [String]
    let numbers: [Int]
    var readings: [(number: Int, reading: Reading)] = []
    do throws(DiskError) {
      names = try disk.names()
      numbers = names.compactMap { number(of: $0) }.sorted(by: >)
      for number in numbers {
        readings.append((number, Reading(try disk.read(name(number)))))
        if readings[readings.count - 1].reading.isWhole { break }
      }
    } catch {
      throw .disk(error)
    }
    for (number, reading) in readings {
      guard let version = reading.version, version > JournalFrame.version else { continue }
      throw .newer(version: version, file: name(number))
    }
    // The newest file that is whole. If there is none, the file with the most items.
    let best = readings.last { $0.reading.isWhole } ?? readings.max { $0.reading.items.count < $1.reading.items.count }
    let found = Found(
      room: best?.reading.room, items: best?.reading.items ?? [:],
      damagedBytes: readings.reduce(0) { $0 + $1.reading.damagedBytes })
    let old = names.filter { Journal.number(of: $0) != nil || $0.hasSuffix(draftSuffix) }
    let damaged = readings.filter { $0.reading.isToSetAside }.map { name($0.number) }
    return (Journal(disk, room: room, after: numbers.first ?? 0, old: old, damaged: Set(damaged)), found)
  }

  private init(_ disk: any Disk, room: String, after number: Int, old: [String], damaged: Set<String>) {
    self.disk = disk
    self.room = room
    self.number = number
    self.old = old
    self.damaged = damaged
  }

  /// Whether there is a file to append to.
  public var isOpen: Bool { file != nil }

  /// Whether a new file has to be begun: there is none, a write has failed, or the file has grown
  /// long.
  public var needsWhole: Bool { file == nil || bytes > max(Journal.fewestBytes, 4 * wholeBytes) }

  /// The bytes in the file.
  public var byteCount: Int { bytes }

  /// Begins a file with the whole state. From now on the state survives the end of the process.
  /// Older files are removed when a sync of the new file has ended.
  public func begin(_ items: [KeptItem]) throws(DiskError) {
    file = nil
    if number > 0, !old.contains(Journal.name(number)) { old.append(Journal.name(number)) }
    number += 1
    let (draft, name) = ("\(Journal.name(number))\(Journal.draftSuffix)", Journal.name(number))
    let new: any DiskFile
    do throws(DiskError) {
      new = try write(items, as: draft)
      try disk.rename(draft, to: name)
    } catch {
      // The unfinished file takes disk space that others may need.
      if (try? disk.remove(draft)) == nil { old.append(draft) }
      throw error
    }
    file = new
    wholeBytes = bytes
    (syncedBytes, isNamed) = (0, false)
  }

  /// Creates a file of that name, with the whole state.
  private func write(_ items: [KeptItem], as name: String) throws(DiskError) -> any DiskFile {
    let new = try disk.create(name)
    bytes = 0
    try write(.header(version: JournalFrame.version, room: room), to: new)
    var rest = items[...]
    repeat {
      let part = Array(rest.prefix(Journal.itemsOfPart))
      rest = rest.dropFirst(Journal.itemsOfPart)
      try write(.whole(part, isLast: rest.isEmpty), to: new)
    } while !rest.isEmpty
    return new
  }

  /// Writes a change. From now on the change survives the end of the process. A loss of power may
  /// still lose it until `sync`.
  public func append(_ change: KeptChange) throws(DiskError) {
    guard let file else { throw DiskError("write a journal that was not begun", code: 0) }
    // After a failed write an unknown part of the change is in the file, so nothing more is
    // appended to this file.
    self.file = nil
    try write(.change(change, isBehindSync: isNamed && syncedBytes == bytes), to: file)
    self.file = file
  }

  /// Makes the appended bytes survive a loss of power. Nothing else of the journal waits for the
  /// sync, and the journal may append meanwhile.
  ///
  /// Thread: `run` on any that may wait for the disk, one at a time; the rest as the journal.
  public struct Sync: Sendable {
    fileprivate let disk: any Disk
    fileprivate let file: any DiskFile
    fileprivate let number: Int
    fileprivate let bytes: Int
    /// The sync also makes the file's name survive, and then removes the files of `old`.
    fileprivate let namesFile: Bool
    fileprivate let old: [String]
    fileprivate let damaged: Set<String>

    /// - Returns: the older files that are gone now. The others are removed another time.
    public func run() throws(DiskError) -> [String] {
      try file.sync()
      if namesFile { try disk.syncFolder() }
      return old.filter { clear($0) }
    }

    private func clear(_ name: String) -> Bool {
      if damaged.contains(name) { return (try? disk.rename(name, to: "\(name)\(Journal.damagedSuffix)")) != nil }
      return (try? disk.remove(name)) != nil
    }
  }

  /// Whether a loss of power would lose a part of the file.
  public var hasUnsynced: Bool { file != nil && (syncedBytes < bytes || !isNamed) }

  /// The sync that makes all appended bytes survive a loss of power; nil where none is needed.
  public var sync: Sync? {
    guard hasUnsynced, let file else { return nil }
    return Sync(
      disk: disk, file: file, number: number, bytes: bytes, namesFile: !isNamed, old: old, damaged: damaged)
  }

  /// Whether nothing was appended since the sync was created.
  func isAllOf(_ sync: Sync) -> Bool {
    sync.number == number && sync.bytes == bytes && (isNamed || sync.namesFile)
  }

  /// Records the result of a sync.
  /// - Parameter result: after a failure the kernel may have dropped the bytes, so a new file has
  ///   to be begun.
  /// - Throws: the reason of the failure, unless another file was begun meanwhile.
  public func ended(_ sync: Sync, _ result: Result<[String], DiskError>) throws(DiskError) {
    if case .success(let gone) = result { old.removeAll { gone.contains($0) } }
    guard sync.number == number else { return }
    do throws(DiskError) {
      _ = try result.get()
      syncedBytes = sync.bytes
      isNamed = isNamed || sync.namesFile
    } catch {
      file = nil
      throw error
    }
  }

  private func write(_ frame: JournalFrame, to file: any DiskFile) throws(DiskError) {
    let encoded = frame.encoded()
    try file.append(encoded)
    bytes += encoded.count
  }

  // MARK: Names

  private static let suffix = ".journal"
  private static let draftSuffix = ".draft"
  private static let damagedSuffix = ".damaged"

  private static func name(_ number: Int) -> String { "\(number)\(suffix)" }

  private static func number(of name: String) -> Int? {
    guard name.hasSuffix(suffix), let number = Int(name.dropLast(suffix.count)), number > 0 else { return nil }
    return number
  }
}

extension Journal {
  /// The usable part of a file.
  private struct Reading {
    private(set) var version: Int?
    private(set) var room: String?
    private(set) var items: [String: [KeptValue]] = [:]
    private(set) var damagedBytes = 0
    /// All parts of the file's beginning were read. Some are missing where `isPatched` is true.
    private var hasBegun = false
    private var isPatched = false
    /// Damaged bytes among the changes were skipped.
    private var lacksChanges = false

    /// The whole state of the file's beginning was read.
    var isWhole: Bool { hasBegun && !isPatched }
    /// Somebody may find the lost part of the file by looking at its bytes.
    var isToSetAside: Bool { lacksChanges || !isWhole && damagedBytes > 0 }

    /// Reads as much of a file as can be trusted.
    ///
    /// Damage in the file's beginning is skipped, because its parts do not depend on each other.
    /// Damage among the changes is skipped only where a later frame says that everything before it
    /// was synced. The damage then happened after that, and only its own rows are lost. In other
    /// places the power failed before the end of the file was on the disk. The changes behind a
    /// hole may then depend on missing ones, so they are not used.
    init(_ bytes: [UInt8]) {
      let frames = Reading.frames(in: bytes)
      let lastSync = frames.lastIndex { $0.frame.isBehindSync } ?? 0
      var end = bytes.startIndex
      for (index, (place, frame, count)) in frames.enumerated() {
        let lost = place - end
        guard lost == 0 || !hasBegun || index <= lastSync else { break }
        if lost > 0 { if hasBegun { lacksChanges = true } else { isPatched = true } }
        // A frame that must not be at this place is skipped as damage is: the next frame counts its
        // bytes.
        guard take(frame) else { continue }
        damagedBytes += lost
        end = place + count
      }
      let rest = bytes[end...]
      let isCut = hasBegun && (frames.last?.place ?? 0) < end && JournalFrame.isCut(rest)
      if !isCut { damagedBytes += rest.count }
    }

    /// All undamaged frames, each with its place and its length. The bytes between them are
    /// skipped.
    private static func frames(in bytes: [UInt8]) -> [(place: Int, frame: JournalFrame, count: Int)] {
      var frames: [(place: Int, frame: JournalFrame, count: Int)] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        if let (frame, count) = JournalFrame.read(rest) {
          frames.append((rest.startIndex, frame, count))
          rest = rest.dropFirst(count)
        } else if let next = JournalFrame.next(in: rest.dropFirst()) {
          rest = rest[next...]
        } else {
          break
        }
      }
      return frames
    }

    /// - Returns: whether the frame may be at this place.
    private mutating func take(_ frame: JournalFrame) -> Bool {
      switch frame {
      case .header(let version, let room):
        guard self.version == nil else { return false }
        self.version = version
        self.room = room
        return version <= JournalFrame.version
      case .whole(let items, let isLast):
        guard version != nil || isPatched, !hasBegun else { return false }
        for item in items { self.items[item.name] = item.values }
        hasBegun = isLast
      case .change(let change, _):
        guard hasBegun || isPatched else { return false }
        // The last part of the beginning is lost, but the changes behind it are fine.
        hasBegun = true
        items.apply(change)
      }
      return true
    }
  }
}

extension [String: [KeptValue]] {
  /// Applies a change to the items.
  public mutating func apply(_ change: KeptChange) {
    if change.isWhole { removeAll() }
    for name in change.gone {
      self[name] = nil
      let under = "\(name)/"
      for key in keys where key.hasPrefix(under) { self[key] = nil }
    }
    for item in change.items { self[item.name] = item.values }
  }
}
