package import JamCommand
package import JamCore
import JamKit
package import JamRoom
package import JamStore

/// Opens the stores of a server: its kits, its catalogue, its library. Damage goes to the log, and
/// the server plays without the damaged store where it can.
///
/// Thread: one, at the start. Waits for the disk.
package enum ServerStores {
  /// The kits of a server, with the first one that can be played.
  /// - Parameters:
  ///   - folders: the folders of kits that were named.
  ///   - dataFolder: where the sounds, kits and blocks of players are kept; nil keeps none.
  /// - Throws: `StartError` where no kit can be played.
  package static func kits(
    in folders: [String], and dataFolder: DataFolder?, log: any ServerLog
  ) throws(StartError) -> (store: KitStore, first: PlayableKit) {
    let places = folders.joined(separator: ", ")
    guard !folders.isEmpty else {
      throw StartError("no folder of kits was found: name one with --kits DIR", .badData)
    }
    let data = dataFolder?.path
    if let warning = dataFolder?.warning { log.write(.serverWarning, ["reason": .text(warning)]) }
    let catalogue = KitCatalogue(scanning: DataFolder.kitFolders(folders, and: data))
    for problem in catalogue.problems { log.write(.kitProblem, ["reason": "\(problem)"]) }
    let kitStore = KitStore(
      catalogue: catalogue, sounds: data.map(DataFolder.sounds), savedKits: data.map(DataFolder.kits),
      blocks: data.map(DataFolder.blocks), report: { log.write(.kitProblem, ["reason": "\($0)"]) })
    kitStore.sweepDrafts()
    kitStore.checkKeptSounds()
    for kit in kitStore.kits {
      do throws(KitError) {
        return (kitStore, try kitStore.load(kit.id))
      } catch {
        log.write(.kitProblem, ["reason": "\(error)"])
      }
    }
    throw StartError("there is no kit that can be played in \(places): try `bandshell kits check`", .badData)
  }

  /// The catalogue; nil where it cannot be opened. The server plays without it.
  package static func catalogue(in folder: DataFolder, log: any ServerLog) -> Catalogue? {
    let path = folder.path
    let file = DataFolder.catalogue(in: path)
    do throws(DatabaseError) {
      do throws(DatabaseError) {
        return try Catalogue(file)
      } catch .damaged(let reason) where DataFolder.setCatalogueAside(in: path) {
        log.write(
          .serverWarning,
          [
            "reason": .text(
              """
              \(file) is damaged (\(reason)): it was set aside as \(file).damaged, with its projects; takes are found \
              again by their scores
              """
            )
          ])
        return try Catalogue(file)
      }
    } catch {
      log.write(.serverWarning, ["reason": .text("projects and takes are neither kept nor found: \(file): \(error)")])
      return nil
    }
  }

  /// Where there is no catalogue, the library uses one in memory. Searching works, but uses are
  /// forgotten when the server ends.
  package static func library(
    of catalogue: Catalogue?, _ kitStore: KitStore, _ maintenance: MaintenanceThread, log: any ServerLog
  ) -> ServerLibrary? {
    do throws(DatabaseError) {
      var known = catalogue
      if known == nil { known = try Catalogue(inMemory: ()) }
      guard let known else { return nil }
      let library = ServerLibrary(known, kitStore: kitStore, log: log)
      maintenance.watch { [weak library] in library?.look() }
      return library
    } catch {
      log.write(.serverWarning, ["reason": .text("nothing of the library is found: \(error)")])
      return nil
    }
  }
}
