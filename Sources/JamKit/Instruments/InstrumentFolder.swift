public import JamCore

/// A folder with an `instrument.json`, beside those of kits. Its name is the instrument's id.
public struct InstrumentFolder: Hashable, Sendable {
  public let path: String

  static let fileName = "instrument.json"
  private static let byteLimit = 64 << 10
  private static let format = 1

  public init(_ path: String) { self.path = path }

  public var id: String { KitFolder(path).id }

  var holdsInstrument: Bool { Files.exists(Files.joined(path, InstrumentFolder.fileName)) }

  /// `path` itself if it holds an `instrument.json`, else the folders in it that do, by name.
  public static func folders(in path: String) -> [InstrumentFolder] {
    let itself = InstrumentFolder(path)
    if itself.holdsInstrument { return [itself] }
    let names = (Files.isFolder(path) ? Files.names(in: path) : nil) ?? []
    return names.sorted().map { InstrumentFolder(Files.joined(path, $0)) }.filter(\.holdsInstrument)
  }

  /// Reads the file.
  /// - Returns: nil where anything is wrong with it, and all of that.
  /// - Thread: any; not real-time safe.
  public func read() -> (instrument: Instrument?, problems: [KitError]) {
    let file = Files.joined(path, InstrumentFolder.fileName)
    do throws(KitError) {
      let bytes = try Files.read(file, limit: InstrumentFolder.byteLimit)
      guard case .object(let fields) = try JSONValue(reading: bytes, of: file) else {
        return (nil, [KitError(file, .wrongType(expected: "an object { … }", found: "something else"))])
      }
      var reader = FieldReader(fields, file: file)
      let instrument = instrument(&reader)
      var problems = reader.problems + reader.strangers
      if !KitFolder.isID(id) { problems.insert(KitError(path, .badID), at: 0) }
      if case .object(let fields)? = reader.value("patch") {
        var patchReader = FieldReader(fields, file: file, prefix: "patch, ")
        var instrument = instrument
        instrument.patch = InstrumentFolder.patch(&patchReader)
        problems += patchReader.problems + patchReader.strangers
        return (problems.isEmpty ? instrument : nil, problems)
      }
      return (problems.isEmpty ? instrument : nil, problems)
    } catch {
      return (nil, [error])
    }
  }

  private func instrument(_ reader: inout FieldReader) -> Instrument {
    if reader.value("format") == nil {
      reader.report("format", .missing(what: "\"format\": \(InstrumentFolder.format)"))
    }
    _ = reader.integer("format", in: InstrumentFolder.format...InstrumentFolder.format)
    let nameLimit = Limits.standard.nameCharacters
    let name = reader.text("name", atMost: nameLimit, needed: true) ?? id
    let instrument = Instrument(
      id: id, name: name, category: reader.text("category", atMost: nameLimit) ?? "",
      author: reader.text("author", atMost: nameLimit) ?? "", license: reader.text("license", atMost: nameLimit) ?? "",
      credits: reader.text("credits", atMost: 1_000) ?? "", order: reader.number("order", in: -1_000...1_000) ?? 0)
    if reader.value("patch") == nil {
      reader.report("patch", .missing(what: "its settings, as { \"osc1/shape\": \"saw\" }"))
    } else {
      _ = reader.object("patch")
    }
    return instrument
  }

  private static func patch(_ reader: inout FieldReader) -> PatchSettings {
    var patch = PatchSettings()
    for setting in PatchSetting.allCases {
      guard let value = reader.value(of: setting.row.path, as: setting.row.kind) else { continue }
      patch[setting] = value
    }
    return patch
  }
}
