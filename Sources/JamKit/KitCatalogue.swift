public import JamCore

/// The kits that were found, in a fixed order.
///
/// Made by reading each folder's `kit.json` and nothing else, so that a server starts quickly. A
/// kit that is broken is left out and listed in `problems`; the others work.
public struct KitCatalogue: Sendable {
  /// In the order of the folders that were searched; within each folder by `order`, then id. A
  /// kit's duration is zero until it is loaded.
  public private(set) var kits: [Kit] = []
  /// The instruments in the same folders, by `order`, then id. If two have one id, the first that
  /// was found counts.
  public private(set) var instruments: [Instrument] = []
  /// One for each kit or instrument that was left out.
  public private(set) var problems: [KitError] = []

  private var folders: [KitFolder] = []
  /// The folders of instruments that have sounds.
  private var sampledFolders: [String: InstrumentFolder] = [:]
  private var indexes: [String: Int] = [:]
  private var gone: Set<String> = []

  public init() {}

  /// Scans `paths`: each is a folder of kit folders, or a kit folder itself.
  ///
  /// Where two kits have the same id, the first counts.
  /// - Thread: any; reads files, not real-time safe.
  public init(scanning paths: [String], packs: PackPlaces = .standard) {
    problems = packs.problems
    for path in paths { scan(path, packs) }
    for folder in paths.flatMap({ InstrumentFolder.folders(in: $0, packs: packs) }) { add(folder) }
    instruments.sort { ($0.order, $0.id) < ($1.order, $1.id) }
  }

  private mutating func add(_ folder: InstrumentFolder) {
    let description = folder.describe()
    guard let instrument = description.instrument else { return problems += description.problems.prefix(1) }
    guard !instruments.contains(where: { $0.id == instrument.id }) else {
      problems.append(KitError(folder.path, .duplicate(what: "instrument \(instrument.id)")))
      return
    }
    if instrument.isSampled {
      // Kits and instruments share their ids, because a hit names its sound by the folder and a
      // number in both cases.
      guard indexes[instrument.id] == nil else {
        return problems.append(KitError(folder.path, .duplicate(what: "kit \(instrument.id)")))
      }
      if let problem = folder.source(of: description).problem(with: description.sounds) {
        return problems.append(problem)
      }
      sampledFolders[instrument.id] = folder
    }
    instruments.append(instrument)
  }

  /// The folder of an instrument that has sounds.
  public func sampledFolder(of id: String) -> InstrumentFolder? { sampledFolders[id] }

  public func index(of id: String) -> Int? { indexes[id] }
  public func kit(_ id: String) -> Kit? { indexes[id].map { kits[$0] } }

  /// The folder of the kit; nil also where the kit was removed.
  public func folder(of id: String) -> KitFolder? { gone.contains(id) ? nil : indexes[id].map { folders[$0] } }

  /// Forgets the kit's folder. Its id and its place in the list stay taken.
  mutating func remove(_ id: String) { if indexes[id] != nil { gone.insert(id) } }

  /// Adds one more kit, behind the others.
  /// - Returns: nil where its id is taken or it is broken.
  mutating func add(_ folder: KitFolder) -> Kit? {
    let known = kits.count
    var lacking: [String: [String]] = [:]
    add(folder, folder.readDescription(), lacking: &lacking)
    return kits.count > known ? kits[known] : nil
  }

  private mutating func scan(_ path: String, _ packs: PackPlaces) {
    do {
      let found = try KitFolder.folders(in: path, packs: packs).map { (folder: $0, description: $0.readDescription()) }
      let ordered = found.sorted { ($0.description.order, $0.folder.id) < ($1.description.order, $1.folder.id) }
      var lacking: [String: [String]] = [:]
      for kit in ordered { add(kit.folder, kit.description, lacking: &lacking) }
      // One line for each package, however many kits wait for it.
      for (package, kits) in lacking.sorted(by: { $0.key < $1.key }) {
        problems.append(KitError(path, .packMissing(package: package, kits: kits)))
      }
    } catch {
      problems.append(error)
    }
  }

  /// - Parameter lacking: takes the ids of kits whose package is not installed, by its name.
  private mutating func add(
    _ folder: KitFolder, _ description: KitDescription, lacking: inout [String: [String]]
  ) {
    guard let kit = description.kit else {
      problems += description.problems.prefix(1)
      return
    }
    guard indexes[kit.id] == nil, sampledFolders[kit.id] == nil else {
      problems.append(KitError(folder.path, .duplicate(what: "kit \(kit.id)")))
      return
    }
    if let problem = SoundSource(folder, description.pack).problem(with: description) {
      if case .packMissing(let package, _) = problem.reason {
        lacking[package, default: []].append(kit.id)
      } else {
        problems.append(problem)
      }
      return
    }
    indexes[kit.id] = kits.count
    kits.append(kit)
    folders.append(folder)
  }
}
