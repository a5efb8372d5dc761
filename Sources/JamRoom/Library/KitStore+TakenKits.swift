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

  private static let fileName = "taken-back"

  /// One id on each line.
  func writeTakenKits() {
    guard let savedKits else { return }
    let text = takenKits.map { "\($0)\n" }.joined()
    do throws(KitError) {
      try Files.write(Array(text.utf8), to: Files.joined(savedKits, KitStore.fileName))
    } catch {
      report(error)
    }
  }

  /// The kits that the last server noted, and that are still here.
  static func readTakenKits(in folder: String?, _ catalogue: KitCatalogue) -> [String] {
    guard let folder else { return [] }
    do throws(KitError) {
      let bytes = try Files.read(Files.joined(folder, fileName), limit: 1 << 20)
      let ids = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      return ids.filter { id in catalogue.folder(of: id)?.isIn(folder) ?? false }
    } catch {
      // Most servers never took back anything, and have no such file.
      return []
    }
  }
}
