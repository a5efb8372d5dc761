import Glibc
import JamCore

/// A folder with a `kit.json` and sound files. Its name is the kit's id.
public struct KitFolder: Hashable, Sendable {
  public let path: String
  /// The folders of the packages that hold sounds for kits.
  let packs: PackPlaces

  public init(_ path: String, packs: PackPlaces = .standard) {
    self.path = path
    self.packs = packs
  }

  /// The last part of the folder's path, also where the path is `.` or ends with a slash.
  public var id: String {
    let name = path.split(separator: "/").last ?? ""
    if !name.isEmpty, name != ".", name != ".." { return String(name) }
    return Files.realPath(path)?.split(separator: "/").last.map(String.init) ?? ""
  }

  /// The folder's absolute path without links; nil where there is no such folder.
  public var realPath: String? { Files.realPath(path) }

  /// Whether `id` consists of lower-case letters, digits and hyphens, 1–32 of them.
  public static func isID(_ id: String) -> Bool {
    (1...Limits.standard.nameCharacters).contains(id.utf8.count)
      && id.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
  }

  /// `path` itself if it holds a `kit.json`, else the folders in it that do, sorted by name. A path
  /// to a `kit.json` means its folder.
  public static func folders(
    in path: String, packs: PackPlaces = .standard
  ) throws(KitError) -> [KitFolder] {
    let itself = KitFolder(path, packs: packs)
    if itself.holdsKit { return [itself] }
    guard Files.exists(path) else { throw KitError(path, .noSuchFolder) }
    guard Files.isFolder(path) else {
      guard path.split(separator: "/").last?.lowercased() == KitDescription.fileName else {
        throw KitError(path, .notAFolder)
      }
      return [KitFolder(Files.parent(of: path), packs: packs)]
    }
    guard let names = Files.names(in: path) else { throw KitError(path, .unreadable(cause: Files.lastError())) }
    return names.sorted().map { KitFolder(Files.joined(path, $0), packs: packs) }.filter(\.holdsKit)
  }

  /// The folders in a folder of kits that hold neither a kit nor an instrument; empty where `path`
  /// is a kit itself.
  /// - Returns: one problem for each folder.
  public static func strangers(in path: String) -> [KitError] {
    guard !KitFolder(path).holdsKit else { return [] }
    let folders = (Files.names(in: path) ?? []).sorted().map { Files.joined(path, $0) }.filter(Files.isFolder)
    return folders.filter { !KitFolder($0).holdsKit && !InstrumentFolder($0).holdsInstrument }.map {
      KitError($0, .noKit)
    }
  }

  /// Whether the folder is a direct child of `parent`.
  public func isIn(_ parent: String) -> Bool {
    guard let home = Files.realPath(parent), let own = realPath else { return false }
    return Files.parent(of: own) == home
  }

  /// Deletes the kit: completely, or not at all.
  public func delete() throws(KitError) {
    let draft = try DraftFolder(for: path)
    do throws(KitError) { try Files.move(path, to: draft.path) } catch {
      Files.removeFolder(draft.path)
      throw error
    }
    Files.removeFolder(draft.path)
  }

  private var holdsKit: Bool { holds(KitDescription.fileName) }

  /// Reads `kit.json`, and no sound. The problems are in the description.
  /// - Thread: any; not real-time safe.
  public func readDescription() -> KitDescription {
    let file = Files.joined(path, spelled(KitDescription.fileName))
    var description: KitDescription
    do {
      description = KitDescription(id: id, reading: try Files.read(file, limit: KitDescription.byteLimit), of: file)
    } catch {
      description = KitDescription(id: id)
      description.problems.append(error)
    }
    if !Self.isID(id) { description.problems.insert(KitError(path, .badID), at: 0) }
    return description
  }

  /// The reason to refuse a sound file's path before anything is opened; nil where there is none.
  package static func objection(to path: String) -> KitError.Reason? {
    let parts = path.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
    return path.hasPrefix("/") || path.hasPrefix("\\") || parts.contains("..") ? .leavesFolder(path: path) : nil
  }

  /// The bytes of a file in this folder. The folder's own spelling counts (`spelled`). Links that
  /// lead out of the folder are refused.
  package func read(_ file: String, limit: Int) throws(KitError) -> [UInt8] {
    let whole = Files.joined(path, file)
    if let reason = Self.objection(to: file) { throw KitError(whole, reason) }
    guard let home = Files.realPath(path) else { throw KitError(path, .noSuchFolder) }
    // `spelled` looks for another spelling only where no file has this exact name.
    guard let target = Files.realPath(whole) ?? Files.realPath(Files.joined(path, spelled(file))) else {
      throw KitError(whole, .noSuchFile)
    }
    guard target.hasPrefix(home == "/" ? home : home + "/") else { throw KitError(whole, .leavesFolder(path: file)) }
    return try Files.read(target, named: whole, limit: limit)
  }
}
