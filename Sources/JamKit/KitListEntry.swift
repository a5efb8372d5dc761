package import JamCore

/// One kit in the list of `bandshell kits list`.
package struct KitListEntry {
  package let kit: Kit
  /// The path of its folder.
  package let folder: String
  /// Of all sounds together, each counted once; nil where the kit cannot be loaded.
  package private(set) var duration: Frames?
  package private(set) var byteCount: Int?

  /// The kits of a catalogue, in its order. A kit that cannot be loaded is listed nevertheless,
  /// because a server lists it, too.
  /// - Parameter report: takes the reasons why kits cannot be loaded.
  package static func all(in catalogue: KitCatalogue, report: (KitError) -> Void) -> [KitListEntry] {
    let loader = KitLoader(catalogue: catalogue)
    return catalogue.kits.map { kit in
      var entry = KitListEntry(kit: kit, folder: catalogue.folder(of: kit.id)?.path ?? "")
      do throws(KitError) {
        let loaded = try loader.load(kit.id)
        entry.byteCount = loaded.byteCount
        entry.duration = loaded.duration
      } catch {
        report(error)
      }
      return entry
    }
  }

  package var pads: Int { kit.pads.count { $0 != nil } }
  package var seconds: Double? { duration.map { Double($0.count) / Double(Frames.perSecond) } }

  /// One JSON object (RFC 8259). Values of a kit that could not be loaded are null.
  package var json: String {
    let texts = [
      ("id", kit.id), ("name", kit.name), ("category", kit.category), ("description", kit.description),
      ("folder", folder),
    ].map { "\"\($0)\":\($1.quotedJSON)" }
    let numbers = [
      "\"pads\":\(pads)", "\"seconds\":\(seconds.map { "\($0)" } ?? "null")",
      "\"bytes\":\(byteCount.map { "\($0)" } ?? "null")",
    ]
    return "{\((texts + numbers).joined(separator: ","))}"
  }
}
