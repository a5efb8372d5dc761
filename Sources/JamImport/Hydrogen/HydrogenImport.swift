internal import JamCore
internal import JamKit

/// A Hydrogen drum kit, packed or unpacked: sixteen instruments that have sounds on pads 1–16, the
/// others in further kits.
/// - Source: Hydrogen 1.2, `src/core/Basics/Drumkit.cpp`, `Instrument.cpp` and
///   `InstrumentLayer.cpp`.
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
    let volumes = volumes(root)
    let instruments = (root["instrumentList"]?.children ?? []).enumerated().filter { $1.name == "instrument" }.map {
      HydrogenInstrument($1, number: $0 + 1, volumes: volumes) { files.holds($0) }
    }.filter { !$0.layers.isEmpty }
    let order = CategorySpread.order(instruments.map { PadCategory(guessedFrom: $0.name) })
    let chosen = instruments.count > Pad.count ? order : Array(instruments.indices)
    var places: [(place: Int, pad: ImportedPad)] = []
    var leftOut: [Int] = []
    for place in chosen {
      guard kit.pads.count < Pad.count * ImportedKit.most else {
        leftOut.append(place)
        continue
      }
      let before = kit.pads.count
      if let pad = instruments[place].pad(&files, &groups, &kit) { kit.add(pad) }
      if kit.pads.count > before { places.append((place, kit.pads[before])) }
    }
    kit.take(places)
    kit.leftOut = leftOut.sorted().map { instruments[$0].name }
    kit.chokeHats()
    kit.notes += files.notes
    guard !kit.pads.isEmpty else { throw kit.nothing(.hydrogen, in: path) }
    return kit
  }

  private func source() throws(KitError) -> ImportFiles {
    if Files.isFolder(path) { return ImportFiles(folder: path, limits: limits) }
    let files = try Archive.files(of: path, limits: limits)
    // The outermost one, where there are several.
    let documents = files.keys.filter { KitFolder.parts(of: $0).last?.lowercased() == Self.fileName }
    guard let document = documents.min(by: { ($0.count, $0) < ($1.count, $1) }) else {
      throw KitError(path, .nothingToImport(.hydrogen, unread: []))
    }
    let root = document.dropLast(Self.fileName.count + (document.contains("/") ? 1 : 0))
    return ImportFiles(archive: path, files, root: String(root), limits: limits)
  }

  /// The kit's volume of each of its components, by number.
  private func volumes(_ root: XMLElement) -> [String: Double] {
    var volumes: [String: Double] = [:]
    for component in root["componentList"]?.children ?? [] where component.name == "drumkitComponent" {
      if let id = component.text("id"), let volume = component.number("volume") { volumes[id] = volume }
    }
    return volumes
  }

  private func credits(_ root: XMLElement, name: String) -> String {
    var parts = ["Imported from the Hydrogen kit \(name)."]
    if let author = root.text("author") { parts.append("By \(author).") }
    if let licence = root.text("license") ?? root.text("licence") { parts.append("Licence: \(licence)") }
    return parts.joined(separator: " ")
  }
}
