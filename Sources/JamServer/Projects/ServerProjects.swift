import Glibc
package import JamCore
import JamKit
import JamRealtime
package import JamRoom
package import JamStore
import JamWire
import Synchronization

/// The server's projects: answers what rooms ask of the catalogue, and makes the files that carry
/// projects from server to server.
///
/// Thread: any; the work is done in the background, one thing after the other.
package final class ServerProjects: ProjectStore {
  let catalogue: Catalogue
  let kitStore: KitStore
  private let log: any ServerLog
  private let state: Mutex<State>
  /// Called when a room's project was deleted, or is played in another room.
  private let gone = Mutex<(@Sendable (PlayerName, GoneProject) -> Void)?>(nil)

  private struct State {
    /// The room in which each project is played. The key is the project's folded name.
    var rooms: [String: PlayerName] = [:]
    var quota = SavingQuota(atOnce: 64, seconds: ServerProjects.secondsPerProject)
  }

  private static let secondsPerProject = 10.0

  package init(_ catalogue: Catalogue, kitStore: KitStore, log: any ServerLog) {
    self.catalogue = catalogue
    self.kitStore = kitStore
    self.log = log
    state = Mutex(State())
    // Where the catalogue cannot be read, every sound counts as wanted, so that none is deleted.
    ServerProjects.undoDelivery(catalogue, kitStore)
    kitStore.keepSounds { hash in (try? catalogue.wantedSounds())?.contains(hash) ?? true }
  }

  /// Sets the function that is called with a room and the news that its project is gone.
  package func whenGone(_ body: @escaping @Sendable (PlayerName, GoneProject) -> Void) { gone.withLock { $0 = body } }

  package func inBackground(_ subject: String? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    kitStore.background.submit(BackgroundPool.Line("keeping", of: "projects"), replacing: subject, work)
  }

  static var now: Int64 { Int64(time(nil)) }

  /// Whether `saver` may save one more project now. A quota limits how fast anybody saves.
  package func maySave(by saver: String) -> Bool {
    state.withLock { $0.quota.take(by: saver, at: Double(ServerProjects.now)) }
  }

  package static let tooFast = Refusal.projectsSavedTooFast(secondsPerProject: Int(secondsPerProject))

  // MARK: Requests of rooms

  package func carryOut(
    _ order: ProjectOrder, of image: ProjectImage, in room: PlayerName,
    then call: @escaping @Sendable (ProjectAnswer) -> Void
  ) {
    if order.command.isSaving, !maySave(by: order.saver) { return call(.refused(ServerProjects.tooFast)) }
    let isTaken = inBackground { [self] in
      do throws(Refusal) {
        call(try answer(order, image, in: room))
      } catch {
        call(.refused(error))
      }
    }
    if !isTaken { call(.refused(.projectBusy)) }
  }

  private func answer(
    _ order: ProjectOrder, _ image: ProjectImage, in room: PlayerName
  ) throws(Refusal) -> ProjectAnswer {
    let playing = order.playing
    switch order.command {
    case .list: return .items(try items())
    case .listVersions(let name): return .versions(try asked(name) { try $0.versions(of: name) })
    case .new(let name, let measures):
      guard try asked(name, { try $0.project(named: name) }) == nil else {
        throw .projectNameTaken(name)
      }
      try leave(playing, image, in: room)
      let measures = measures ?? playing.measures
      try put(name, image.head(measures: measures), image, isEmpty: true, measures: measures)
      claim(name, for: room)
      return .opened(OpenProject(name: name, measures: measures), KeptProject(measures: measures), .begun)
    case .open(let name, let version): return try open(name, version, playing, image, in: room)
    case .save(let label):
      let name = try playing.name.isEmpty ? freeName(like: room.text) : playing.name
      let items = image.items
      let number = try asked(name) {
        try $0.save(
          name, ServerProjects.facts(of: image), MusicBytes.encoded(items), label: label, at: ServerProjects.now)
      }
      claim(name, for: room)
      return .playing(OpenProject(name: name, measures: playing.measures, version: number, label: label), .saved)
    case .copy(let name): return try copy(playing, to: name, image, in: room)
    case .rename(let name):
      guard !playing.name.isEmpty else { return try copy(playing, to: name, image, in: room, as: .renamed) }
      try asked(name) { try $0.rename(playing.name, to: name) }
      claim(name, for: room)
      var project = playing
      project.name = name
      return .playing(project, .renamed)
    case .delete(let wanted):
      // The name as the catalogue spells it, which may differ from the request in case.
      let name = try asked(wanted) { try $0.project(named: wanted) }?.name ?? wanted
      try asked(name) { try $0.delete(name) }
      let room = state.withLock { $0.rooms.removeValue(forKey: name.lowercased()) }
      if let room { gone.withLock { $0 }?(room, GoneProject(name: name, deed: .deleted, player: order.name)) }
      return .deleted(name)
    }
  }

  private func open(
    _ name: String, _ version: Int?, _ playing: OpenProject, _ image: ProjectImage, in room: PlayerName
  ) throws(Refusal) -> ProjectAnswer {
    if let other = state.withLock({ $0.rooms[name.lowercased()] }), other != room {
      throw .projectOpenIn(name, room: other)
    }
    // Opening the project that is played, without a version, means the version that was saved last.
    let isSame = name.lowercased() == playing.name.lowercased()
    let last = isSame ? try asked(name) { try $0.versions(of: name) }.first?.number : nil
    let wanted = version ?? last
    let found = try asked(name) { try $0.content(of: name, version: wanted) }
    guard let found else { throw .noSuchProjectVersion(name, version ?? 0) }
    let items: [KeptItem]
    do throws(MusicBytes.Problem) {
      items = try MusicBytes.items(in: found.bytes)
    } catch {
      throw .projectUnreadable(name, reason: "\(error)")
    }
    try leave(playing, image, in: room)
    if isSame { try keepUnsaved(playing.name, image) }
    let project = KeptProject(items, from: kitStore)
    for problem in project.problems.prefix(8) { log.write(.kitProblem, ["reason": .text("\(found.name): \(problem)")]) }
    claim(found.name, for: room)
    return .opened(
      OpenProject(name: found.name, measures: project.measures, version: wanted ?? 0, label: found.label), project,
      .opened)
  }

  /// Before a project goes back to a version, its unsaved changes are saved as a version, too.
  private func keepUnsaved(_ name: String, _ image: ProjectImage) throws(Refusal) {
    let bytes = MusicBytes.encoded(image.items)
    let last = try asked(name) { try $0.versions(of: name) }.first?.number
    let saved = try last.map { number throws(Refusal) in try asked(name) { try $0.content(of: name, version: number) } }
    guard saved??.bytes != bytes else { return }
    _ = try asked(name) { catalogue in
      try catalogue.save(name, ServerProjects.facts(of: image), bytes, label: "", at: ServerProjects.now)
    }
  }

  private func copy(
    _ playing: OpenProject, to name: String, _ image: ProjectImage, in room: PlayerName,
    as deed: ProjectDeed = .copied
  ) throws(Refusal) -> ProjectAnswer {
    guard try asked(name, { try $0.project(named: name) }) == nil else {
      throw .projectNameTaken(name)
    }
    if !playing.name.isEmpty { try leave(playing, image, in: room) }
    try put(name, image.items, image)
    claim(name, for: room)
    return .playing(OpenProject(name: name, measures: playing.measures), deed)
  }

  /// Saves the room's project before the room plays something else. A project without a name gets a
  /// free one.
  private func leave(_ playing: OpenProject, _ image: ProjectImage, in room: PlayerName) throws(Refusal) {
    guard playing.name.isEmpty else {
      // Somebody may have deleted the project: then it is not saved again. Where the catalogue's
      // file was lost, it is.
      guard state.withLock({ $0.rooms[playing.name.lowercased()] }) == room else { return }
      let known = try asked(playing.name) { try $0.project(named: playing.name) }
      return try put(known?.name ?? playing.name, image.items, image)
    }
    guard !image.isEmpty else { return }
    try put(try freeName(like: room.text), image.items, image)
  }

  private func put(
    _ name: String, _ items: [KeptItem], _ image: ProjectImage, isEmpty: Bool = false, measures: Int? = nil
  ) throws(Refusal) {
    var facts = ServerProjects.facts(of: image)
    if isEmpty { (facts.players, facts.kits, facts.sounds) = ([], [], []) }
    if let measures { facts.measures = measures }
    try asked(name) {
      try $0.put(name, facts, MusicBytes.encoded(items), at: ServerProjects.now)
    }
  }

  private func freeName(like wanted: String) throws(Refusal) -> String {
    try asked(wanted) { try $0.freeName(like: wanted) }
  }

  package func items() throws(Refusal) -> [ProjectItem] {
    let rooms = state.withLock { $0.rooms }
    return try asked("") { try $0.projects() }.map { project in
      ProjectItem(
        name: project.name, measures: project.facts.measures, bpm: Float(project.facts.tempo),
        signature: project.facts.signature, players: project.facts.players, versions: project.versions,
        changed: project.changed, room: rooms[project.name.lowercased()]?.text ?? "")
    }
  }

  private func claim(_ name: String, for room: PlayerName) {
    state.withLock { state in
      state.rooms = state.rooms.filter { $0.value != room }
      if !name.isEmpty { state.rooms[name.lowercased()] = room }
    }
  }

  package func keep(_ image: ProjectImage, as project: OpenProject, in room: PlayerName) {
    _ = inBackground("room \(room)") { [self] in
      guard state.withLock({ $0.rooms[project.name.lowercased()] }) == room else { return }
      do throws(Refusal) {
        try leave(project, image, in: room)
      } catch {
        log.write(.journalFailed, ["room": LogValue(room), "reason": .text("project \(project.name): \(error.words)")])
      }
    }
  }

  package func plays(_ project: OpenProject, in room: PlayerName) {
    // In the background, this comes after everything that the room has asked for already.
    _ = inBackground { [self] in
      let other = state.withLock { $0.rooms[project.name.lowercased()] }
      guard let other, other != room, !project.name.isEmpty else { return claim(project.name, for: room) }
      gone.withLock { $0 }?(room, GoneProject(name: project.name, deed: .elsewhere))
    }
  }

  private static func facts(of image: ProjectImage) -> Catalogue.Facts {
    Catalogue.Facts(
      measures: image.measures, tempo: image.tempo,
      signature: "\(image.signature.beatsPerBar)/\(image.signature.beatUnit)", players: image.players.map(\.text),
      kits: image.kits.sorted(), sounds: image.ownSounds.sorted())
  }

  func asked<Answer>(
    _ name: String, _ body: (Catalogue) throws -> Answer
  ) throws(Refusal) -> Answer {
    do {
      return try body(catalogue)
    } catch Catalogue.Problem.noSuchProject {
      throw .noSuchProject(name)
    } catch Catalogue.Problem.nameTaken {
      throw .projectNameTaken(name)
    } catch Catalogue.Problem.tooMany(let most) {
      throw .projectsFull(most: most)
    } catch {
      log.write(.journalFailed, ["reason": .text("projects: \(error)")])
      // Players do not learn the file's path. Only the operator may see it, in the server's log.
      throw .projectNotSaved(
        reason: error as? Catalogue.Problem == .database(.full)
          ? "the disk is full" : "the server's disk takes nothing just now")
    }
  }

  // MARK: Files

  package enum FileProblem: Error {
    case noSuchProject
    case refused(Refusal)
    case unusable(String)
    /// The file is good, but the server's disk or one of its folders takes no more.
    case noSpace(String)
    /// The sender has brought much lately, and may try again in so many seconds.
    case tooMuch(String, seconds: Int)
    /// Other work comes first: try again in so many seconds.
    case busy(String, seconds: Int)
  }

  /// All projects, the latest first. Thread: any that may wait.
  package func listed() throws(FileProblem) -> [ProjectItem] {
    do throws(Refusal) {
      return try items()
    } catch {
      throw .refused(error)
    }
  }

  /// The problem as a sentence for people.
  package static func words(_ problem: FileProblem, _ name: String) -> String {
    switch problem {
    case .noSuchProject: Refusal.noSuchProject(name).words
    case .refused(let refusal): refusal.words
    case .unusable(let text), .noSpace(let text), .tooMuch(let text, _), .busy(let text, _): text
    }
  }

  /// A project as a file that somebody can take to another server. Thread: any that may wait.
  package func file(of name: String, version: Int?) throws(FileProblem) -> (name: String, bytes: [UInt8]) {
    let found: Catalogue.Content?
    let project: Catalogue.Project?
    do throws(Refusal) {
      found = try asked(name) { try $0.content(of: name, version: version) }
      project = try asked(name) { try $0.project(named: name) }
    } catch {
      if case .noSuchProject = error { throw .noSuchProject }
      throw .refused(error)
    }
    guard let project else { throw .noSuchProject }
    guard let found else { throw .refused(.noSuchProjectVersion(project.name, version ?? 0)) }
    do {
      let items = try MusicBytes.items(in: found.bytes)
      let needs = ProjectNeeds(items)
      var file = ProjectFile(name: found.name, facts: project.facts, items: items, sounds: [:], kits: [:])
      // An old version may need other sounds and kits than the project needs now.
      for sound in needs.ownSounds { file.sounds[sound] = try kitStore.soundFile(sound) }
      for kit in needs.kits {
        if let files = try kitStore.savedKitFiles(kit) { file.kits[kit] = files }
      }
      guard file.byteCount <= ProjectFile.mostBytes else {
        throw FileProblem.unusable(
          "\(found.name) has more than \(ProjectFile.mostBytes >> 20) MiB of sounds: take fewer")
      }
      return (found.name, try file.encoded())
    } catch let problem as FileProblem {
      throw problem
    } catch let error as KitError {
      throw FileProblem.unusable("\(found.name) cannot be taken along: \(error.told)")
    } catch {
      throw FileProblem.unusable("\(found.name) cannot be taken along: \(error)")
    }
  }
}

extension ProjectCommand {
  /// Whether the command writes something to the catalogue, and so counts against the quota.
  fileprivate var isSaving: Bool {
    switch self {
    case .new, .save, .copy, .rename: true
    default: false
    }
  }
}
