internal import JamKit
internal import Synchronization

/// The note of the saved kits that no list has, because hosts took them back.
extension KitStore {
  /// The kits that were taken back. Thread: any.
  public var takenKits: [String] { held.withLock { $0.takenKits } }

  /// The places that so many saved kits take.
  func placesTaken(by saved: Int) -> Int { saved - takenKits.count }

  /// The kit is not here any more.
  func forgetTaken(_ kit: String) {
    let wasTaken = held.withLock { held in
      let place = held.takenKits.firstIndex(of: kit)
      if let place { held.takenKits.remove(at: place) }
      return place != nil
    }
    if wasTaken { writeTakenKits() }
  }

  private static let takenKitsFile = "taken-back"

  /// One id on each line.
  func writeTakenKits() {
    guard let savedKits else { return }
    let text = takenKits.map { "\($0)\n" }.joined()
    do throws(KitError) {
      try Files.write(Array(text.utf8), to: Files.joined(savedKits, KitStore.takenKitsFile))
    } catch {
      report(error)
    }
  }

  /// Forgets noted kits whose folders are gone: else a kit that gets such an id would be hidden.
  func sweepTakenKits() {
    guard let savedKits, let noted = KitStore.notedKits(in: savedKits), noted != takenKits else {
      return
    }
    writeTakenKits()
  }

  /// The kits that the last server noted, and that are still here.
  static func readTakenKits(in folder: String?, _ catalogue: KitCatalogue) -> [String] {
    guard let folder, let noted = notedKits(in: folder) else { return [] }
    return noted.filter { kit in
      // One that cannot be read today is still noted when it can be.
      Files.exists(Files.joined(folder, kit)) && catalogue.folder(of: kit)?.isIn(folder) ?? true
    }
  }

  /// - Returns: nil where there is no such note, as on most servers, or it cannot be read.
  private static func notedKits(in folder: String) -> [String]? {
    do throws(KitError) {
      let bytes = try Files.read(Files.joined(folder, takenKitsFile), limit: 1 << 20)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    } catch {
      return nil
    }
  }
}
