public import JamCore

/// All that is kept of one room, in files of a folder of its own.
///
/// A file begins with everything that is kept, and goes on with what changed. A new one is begun where a file has grown long, and the old
/// one is removed only after that. Whatever the end of a file has become, what stands before holds.
/// Thread: one at a time, which may wait for the disk.
public final class Journal {
  /// What was found.
  public struct Found: Sendable {
    /// Whose journal it is; nil where nothing was kept.
    public var room: String?
    /// By their names; empty where nothing was kept.
    public var items: [String: [KeptValue]] = [:]
    /// Bytes that do not hold: torn or overwritten. A change that the process was killed in the midst
    /// of writing is no damage.
    public var damagedBytes = 0
  }

  public enum OpenError: Error, Hashable, CustomStringConvertible {
    /// A later program wrote it. Nothing of it was touched.
    case newer(version: Int, file: String)
    case disk(DiskError)

    public var description: String {
      switch self {
      case .newer(let version, let file):
        "\(file) is of format \(version), and this program knows \(JournalFrame.version): use the newer program, or another folder"
      case .disk(let error): "\(error)"
      }
    }
  }

  private let disk: any Disk
  private let room: String
  private var number: Int
  private var file: (any DiskFile)?
  /// Older ones, until the new one lasts.
  private var old: [String]
  /// Those among them that are set aside then, for they are damaged in the midst: what was lost may be found in them.
  private let damaged: Set<String>
  private var bytes = 0
  private var wholeBytes = 0
  /// So many of the file's bytes are on the disk for good.
  private var syncedBytes = 0
  /// The folder has the file's name for good.
  private var isNamed = false

  static let fewestBytes = 1 << 20
  /// So much of what is kept is lost at most with one place of a file's beginning.
  private static let itemsOfPart = 64

  /// Reads what there is. Nothing is written until `begin`.
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
    // The newest that is whole; where none is, what can be had of the one that has most.
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

  /// Whether a file is to be begun: there is none, something went wrong with it, or it has grown long.
  public var needsWhole: Bool { file == nil || bytes > max(Journal.fewestBytes, 4 * wholeBytes) }

  /// Bytes in the file.
  public var byteCount: Int { bytes }

  /// Begins a file with everything that is kept: it outlives the process from now on. Older files
  /// go once a sync of it has ended.
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
      // It takes room that others may need.
      if (try? disk.remove(draft)) == nil { old.append(draft) }
      throw error
    }
    file = new
    wholeBytes = bytes
    (syncedBytes, isNamed) = (0, false)
  }

  /// A file of that name, with all that is kept.
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

  /// Writes what changed: whoever reads the folder from now on finds it, though a loss of power may take it until `sync`.
  public func append(_ change: KeptChange) throws(DiskError) {
    guard let file else { throw DiskError("write a journal that was not begun", code: 0) }
    // Whatever was written of it, nothing is written behind it.
    self.file = nil
    try write(.change(change, isBehindSync: isNamed && syncedBytes == bytes), to: file)
    self.file = file
  }

  /// What makes last what was appended. Nothing else of the journal waits for it, and others may
  /// append meanwhile.
  ///
  /// Thread: `run` any that may wait for the disk, one at a time; the rest as the journal.
  public struct Sync: Sendable {
    fileprivate let disk: any Disk
    fileprivate let file: any DiskFile
    fileprivate let number: Int
    fileprivate let bytes: Int
    /// The folder is to have the file's name for good, and then these go.
    fileprivate let namesFile: Bool
    fileprivate let old: [String]
    fileprivate let damaged: Set<String>

    /// - Returns: older files that are gone now; what is left over is removed another time.
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

  /// Whether something of the file would not outlive a loss of power.
  public var hasUnsynced: Bool { file != nil && (syncedBytes < bytes || !isNamed) }

  /// What is to be run to make all last that was appended up to now; nil where it does.
  public var sync: Sync? {
    guard hasUnsynced, let file else { return nil }
    return Sync(
      disk: disk, file: file, number: number, bytes: bytes, namesFile: !isNamed, old: old, damaged: damaged)
  }

  /// Whether nothing was appended since the sync was asked for.
  func isAllOf(_ sync: Sync) -> Bool {
    sync.number == number && sync.bytes == bytes && (isNamed || sync.namesFile)
  }

  /// The sync was run.
  /// - Parameter result: where it failed, the kernel may have dropped what was to be synced: a new
  ///   file must begin.
  /// - Throws: why it failed, unless another file has begun since.
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
  /// A file, as far as it holds.
  private struct Reading {
    private(set) var version: Int?
    private(set) var room: String?
    private(set) var items: [String: [KeptValue]] = [:]
    private(set) var damagedBytes = 0
    /// All parts of what the file begins with were read; some were left out before.
    private var hasBegun = false
    private var isPatched = false
    /// What was passed over lies among the changes.
    private var lacksChanges = false

    /// Everything that was kept as the file began is there.
    var isWhole: Bool { hasBegun && !isPatched }
    /// What was lost of it may be found by looking at its bytes.
    var isToSetAside: Bool { lacksChanges || !isWhole && damagedBytes > 0 }

    /// Damage in what a file begins with is passed over, for the parts do not rest on each other. Among the changes it is passed over
    /// where a later frame says that the disk had all before it for good: then it came later, and costs its own rows alone. Elsewhere
    /// power was lost while the end was on its way to the disk, and what lies behind a hole may rest on what is missing.
    init(_ bytes: [UInt8]) {
      let frames = Reading.frames(in: bytes)
      let lastSync = frames.lastIndex { $0.frame.isBehindSync } ?? 0
      var end = bytes.startIndex
      for (index, (place, frame, count)) in frames.enumerated() {
        let lost = place - end
        guard lost == 0 || !hasBegun || index <= lastSync else { break }
        if lost > 0 { if hasBegun { lacksChanges = true } else { isPatched = true } }
        // What may not stand there is passed over with the next, as damage is.
        guard take(frame) else { continue }
        damagedBytes += lost
        end = place + count
      }
      let rest = bytes[end...]
      let isCut = hasBegun && frames.allSatisfy { $0.place < end } && JournalFrame.isCut(rest)
      if !isCut { damagedBytes += rest.count }
    }

    /// All frames that hold, each with its place and its length, whatever lies between them.
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

    /// - Returns: whether the frame may stand there.
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
        // Its last part is lost: what follows is in order.
        hasBegun = true
        items.apply(change)
      }
      return true
    }
  }
}

extension [String: [KeptValue]] {
  /// Items by their names, after `change`.
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
