import Glibc
import JamCore
import JamKit
import JamStore

/// Takes that are let go of: by age, by room on the disk, or by whoever deletes them.
extension ServerTakes {
  private static let mostTakes = 10_000

  func forgetOld() {
    guard let takes = try? catalogue.takes() else { return }
    let now = ServerTakes.now
    var old = takes.filter { take in
      let end = item(take).forgotten
      return end > 0 && end <= now
    }
    // Whatever the rule is: strangers may make very many.
    let rest = takes.dropFirst(ServerTakes.mostTakes)
    old += rest.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    for take in old { forget(take) }
    sweepProjects()
    guard let most = rule.bytes else { return }
    var others = takes.filter { take in !take.isStarred && take.length != nil && !old.contains { $0.id == take.id } }
    // Sounds are made again when somebody asks for them: they go first.
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

  /// A take is none any more; its recording goes with the last.
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

  /// What was being made as the last server ended.
  func sweepUnfinished() {
    for name in (try? FolderDisk(made).names()) ?? [] {
      for ending in ServerTakes.unfinished where name.hasSuffix(ending) {
        ExportMaker.sweep("\(made)/\(name.dropLast(ending.count))")
        unlink("\(made)/\(name)")
      }
    }
  }

  /// Files of projects' loops that were made more than a day ago.
  private func sweepProjects() {
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix(ServerTakes.projectPrefix) {
      var status = stat()
      guard stat("\(made)/\(name)", &status) == 0, ServerTakes.now - Int64(status.st_mtim.tv_sec) > 86_400 else {
        continue
      }
      unlink("\(made)/\(name)")
    }
  }

  /// The take has another name: what was made under the one before is of no use. What holds no name
  /// stays.
  func sweepNamed(of id: String) {
    let others = [".opus", ".flac", ".facts", ".part", ".parts"]
    for name in (try? FolderDisk(made).names()) ?? [] where name.hasPrefix("\(id).") {
      if !others.contains(where: { name.hasSuffix($0) }) { unlink("\(made)/\(name)") }
    }
  }

  /// Files that were made without a kit or a sound are not what they should be once it is there.
  /// - Parameter sources: what files are made of, as a text; where it is another than before, all of
  ///   them are made anew when they are asked for.
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

  /// The ends of what is being made, and of what it is made of.
  private static let unfinished = [".part", ".parts", ".scratch"]
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
