import Glibc
import JamCore
import JamKit
import JamStore

/// Deletes takes: old ones, those that need too much disk, and those that somebody deletes.
extension ServerTakes {
  private static let mostTakes = 10_000

  func forgetOld() {
    guard let takes = try? catalogue.takes() else { return }
    let now = ServerTakes.now
    var old = takes.filter { take in
      let end = item(take).forgotten
      return end > 0 && end <= now
    }
    // This limit holds under any rule, because strangers may make very many takes.
    let rest = takes.dropFirst(ServerTakes.mostTakes)
    old += rest.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    for take in old { forget(take) }
    sweepProjects()
    guard let most = rule.bytes else { return }
    var others = takes.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    // Sounds are deleted first, because the server can make them again when somebody asks for them.
    if size() > most { sweepMade(keeping: []) }
    while size() > most, let oldest = others.popLast() { forget(oldest) }
  }

  private func size() -> Int64 {
    [folder, made].reduce(0) { sum, folder in
      let names = (try? FolderDisk(folder).names()) ?? []
      return names.reduce(sum) { sum, name in
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 ? sum + Int64(status.st_size) : sum
      }
    }
  }

  /// Deletes a take. The last take of a recording deletes the recording's score as well.
  func forget(_ take: Catalogue.Take) {
    do throws(Catalogue.Problem) { try catalogue.deleteTake(take.id) } catch {
      _ = failed(error)
      return
    }
    sweepMade(of: take.id)
    if let others = try? catalogue.takes(of: take.room), !others.contains(where: { $0.recording == take.recording }) {
      unlink(score(take.recording))
    }
    if let room = PlayerName(take.room) { tell(.gone(take.id), to: room) }
  }

  /// Deletes files that the last server was still making when it ended.
  func sweepUnfinished() {
    for name in (try? FolderDisk(made).names()) ?? [] {
      for ending in ServerTakes.unfinished where name.hasSuffix(ending) {
        ExportMaker.sweep("\(made)/\(name.dropLast(ending.count))")
        unlink("\(made)/\(name)")
      }
    }
  }

  /// Deletes files of projects' loops that were made more than a day ago.
  private func sweepProjects() {
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix(ServerTakes.projectPrefix) {
      var status = stat()
      guard stat("\(made)/\(name)", &status) == 0, ServerTakes.now - Int64(status.st_mtim.tv_sec) > 86_400 else {
        continue
      }
      unlink("\(made)/\(name)")
    }
  }

  /// Deletes the files of a take that has a new name. Files that do not contain the name stay.
  func sweepNamed(of id: String) {
    let others = [".facts", ".part", ".parts", ".untagged"]
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix("\(id).") {
      if !others.contains(where: { name.hasSuffix($0) }) { unlink("\(made)/\(name)") }
    }
  }

  /// Deletes all files that were made, unless they were made of the same `sources`. A file that was
  /// made while a kit or a sound was missing is wrong once the kit or the sound is there.
  /// - Parameter sources: the kits and sounds that files are made of, as a text. The text is kept
  ///   in a note beside the files. Files are made again when somebody asks for them.
  package func sweepMade(unlessOf sources: String) {
    let note = "\(made)/\(ServerTakes.sourcesNote)"
    let bytes = Array(sources.utf8)
    if let known = try? Files.read(note, limit: 1 << 22), known == bytes { return }
    for name in (try? FolderDisk(made).names()) ?? [] where !ServerTakes.unfinished.contains(where: name.hasSuffix) {
      unlink("\(made)/\(name)")
    }
    makeRoom()
    try? Files.write(bytes, to: note)
  }

  /// Endings of files that are being made now, and of the scratch files that they are made of.
  private static let unfinished = [".part", ".parts", ".scratch", ".untagged"]
  private static let sourcesNote = "made-of"

  private func sweepMade(of id: String) {
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix("\(id).") { unlink("\(made)/\(name)") }
  }

  private func sweepMade(keeping ids: Set<String>) {
    let ids = ids.union([ServerTakes.sourcesNote])
    for name in (try? FolderDisk(made).names()) ?? [] where !ids.contains(String(name.prefix { $0 != "." })) {
      unlink("\(made)/\(name)")
    }
  }
}
