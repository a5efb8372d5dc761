package import JamCommand
import JamCore
import JamKit
import JamRoom
package import JamStore

/// The data folder of a server that does not run, opened for a command. Servers are kept out of the
/// folder as long as this lives.
package struct RestingFolder {
  package let folder: DataFolder
  package let catalogue: Catalogue
  private let kitStore: KitStore

  /// - Parameter hasCatalogue: refuses a folder without a catalogue; otherwise one is created.
  /// - Throws: `StartError` where the folder is missing, in use or damaged.
  package init(_ path: String, kitFolders: [String], hasCatalogue: Bool = false) throws(StartError) {
    guard Files.exists(path) else {
      throw StartError("\(path): no such folder; name the data folder of a server with --data DIR", .badData)
    }
    let file = DataFolder.catalogue(in: path)
    guard !hasCatalogue || Files.exists(file) else {
      throw StartError("\(path) is no data folder of a server: it has no \(FilePlace(file).name)", .badData)
    }
    folder = try DataFolder(path)
    kitStore = KitStore(
      catalogue: KitCatalogue(scanning: DataFolder.kitFolders(kitFolders, and: path)),
      sounds: DataFolder.sounds(in: path), savedKits: DataFolder.kits(in: path))
    do throws(DatabaseError) { catalogue = try Catalogue(file) } catch {
      throw StartError("\(file): \(error)", .badData)
    }
  }

  package var projects: ServerProjects { ServerProjects(catalogue, kitStore: kitStore, log: NoLog()) }

  package var libraryFiles: LibraryFiles { LibraryFiles(kitStore: kitStore) }

  /// The takes, repaired where a server ended while it recorded.
  /// - Parameter needsKits: whether takes will be played.
  /// - Throws: `StartError` where kits are needed and missing, or the first kit cannot be loaded.
  package func takes(needsKits: Bool = true) throws(StartError) -> ServerTakes {
    let first = kitStore.kits.first?.id
    guard first != nil || !needsKits else {
      throw StartError("no kits found: name their folder with --kits, or set BANDSHELL_KITS", .badData)
    }
    let kit: PlayableKit
    do throws(KitError) {
      if let first { kit = try kitStore.load(first) } else { kit = .silent }
    } catch {
      throw StartError("\(error)", .badData)
    }
    let takes = ServerTakes(
      in: DataFolder.takes(in: folder.path), catalogue: catalogue, kitStore: kitStore, firstKit: kit, keeping: .all,
      maintenance: MaintenanceThread(), log: NoLog())
    takes.repair()
    return takes
  }
}
