internal import JamCore
internal import JamKit

/// A Hydrogen drum kit, packed or unpacked: the first sixteen instruments that have sounds, on pads 1–16.
/// - Source: Hydrogen 1.2, `src/core/Basics/Drumkit.cpp`, `Instrument.cpp` and `InstrumentLayer.cpp`.
struct HydrogenImport {
  static let fileName = "drumkit.xml"

  let path: String
  let limits: Limits

  func read() throws(KitError) -> ImportedKit {
    var files = try source()
    let document = Files.joined(path, Self.fileName)
    let root = try XMLReader.read(files.read(Self.fileName), of: document)
    guard root.name == "drumkit_info" else {
      throw KitError(document, .notXML(cause: "it starts with <\(root.name)> instead of <drumkit_info>"))
    }
    var kit = ImportedKit(name: root.text("name") ?? KitFolder(path).id)
    kit.credits = credits(root, name: kit.name)
    var groups = ChokeGroups()
    for (index, element) in (root["instrumentList"]?.children ?? []).enumerated() where element.name == "instrument" {
      let instrument = HydrogenInstrument(element, number: index + 1)
      guard kit.pads.count < Pad.count else {
        if !instrument.layers.isEmpty { kit.leftOut.append(instrument.name) }
        continue
      }
      if let pad = instrument.pad(&files, &groups, &kit) { kit.add(pad) }
    }
    guard !kit.pads.isEmpty else { throw KitError(path, .nothingToImport(.hydrogen, unread: kit.problems)) }
    return kit
  }

  private func source() throws(KitError) -> ImportFiles {
    if Files.isFolder(path) { return ImportFiles(folder: path, limits: limits) }
    let files = try Archive.files(of: path, limits: limits)
    // The outermost one, where there are several.
    let documents = files.keys.filter { $0 == Self.fileName || $0.hasSuffix("/" + Self.fileName) }
    guard let document = documents.min(by: { ($0.count, $0) < ($1.count, $1) }) else {
      throw KitError(path, .nothingToImport(.hydrogen, unread: []))
    }
    let root = document.dropLast(Self.fileName.count + (document.contains("/") ? 1 : 0))
    return ImportFiles(archive: path, files, root: String(root), limits: limits)
  }

  private func credits(_ root: XMLElement, name: String) -> String {
    var parts = ["Imported from the Hydrogen kit \(name)."]
    if let author = root.text("author") { parts.append("By \(author).") }
    if let licence = root.text("license") ?? root.text("licence") { parts.append("Licence: \(licence)") }
    return parts.joined(separator: " ")
  }
}
