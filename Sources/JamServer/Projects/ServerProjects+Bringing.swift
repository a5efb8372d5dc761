import JamCore
import JamKit
import JamRoom
import JamStore

/// A project that was brought as a file.
package struct BroughtProject: Sendable {
  package let name: String
  /// The kits and sounds of the file that were left out, because its music names none of them.
  package let unneededKits: Int
  package let unneededSounds: Int
}

/// Projects that come as files, with the kits and sounds that their music names.
extension ServerProjects {
  /// A file that was read, and not kept yet.
  private struct ReadProject: Sendable {
    let name: String
    let file: ProjectFile
    let needs: ProjectNeeds
    let delivery: Delivery
  }

  /// Adds the project of a file under a free name. One file at a time is taken in, and its sounds
  /// are decoded between others' work.
  /// - Parameters:
  ///   - sender: the address or network whose shares of kits and sounds the file takes from.
  ///   - call: is called once, on any thread.
  /// - Thread: any.
  package func bring(
    _ bytes: [UInt8], named name: String, from sender: String,
    then call: @escaping @Sendable (Result<BroughtProject, FileProblem>) -> Void
  ) {
    kitStore.bring(
      from: sender, noTurn: FileProblem.noTurn, failed: { FileProblem($0, of: name) },
      then: { [self] (result: Result<(delivered: Delivered, rest: ReadProject), FileProblem>) in
        switch result {
        case .failure(let problem): call(.failure(problem))
        case .success(let (delivered, project)): put(project, delivered, then: call)
        }
      },
      reading: { [self] () throws(FileProblem) in
        let project = try read(bytes, named: name, from: sender)
        return (delivery: project.delivery, rest: project)
      })
  }

  private func put(
    _ project: ReadProject, _ delivered: Delivered,
    then call: @escaping @Sendable (Result<BroughtProject, FileProblem>) -> Void
  ) {
    let isTaken = inBackground { [self] in
      let result = Result { () throws(FileProblem) in try put(project, delivered.ids) }
      var isKept = false
      if case .success = result { isKept = true }
      kitStore.settle(delivered, isTaken: isKept) { call(result) }
    }
    guard !isTaken else { return }
    kitStore.settle(delivered, isTaken: false) { call(.failure(.noTurn)) }
  }

  /// The same at once and without limits: for the person who runs the server. Thread: any that may
  /// wait.
  package func bringNow(
    _ bytes: [UInt8], named name: String
  ) throws(FileProblem) -> BroughtProject {
    let project = try read(bytes, named: name, from: nil)
    let delivered: Delivered
    do throws(DeliveryProblem) { delivered = try kitStore.keepNow(project.delivery) } catch {
      throw FileProblem(error, of: name)
    }
    let result = Result { () throws(FileProblem) in try put(project, delivered.ids) }
    if case .success = result {
      kitStore.settleNow(delivered, isTaken: true)
    } else {
      kitStore.settleNow(delivered, isTaken: false)
    }
    return try result.get()
  }

  /// Reads a file, and finds out whether its kits and sounds may come. Writes and decodes nothing.
  private func read(_ bytes: [UInt8], named name: String, from sender: String?) throws(FileProblem)
    -> ReadProject
  {
    try requireFree(name)
    var needs: ProjectNeeds?
    let file: ProjectFile
    do throws(ProjectFile.Problem) {
      file = try ProjectFile(bytes, named: name) { items in
        let found = ProjectNeeds(items)
        needs = found
        return CarriedNames(sounds: found.allOwnSounds, kits: found.allKits)
      }
    } catch {
      throw .unusable("\(error)")
    }
    guard let needs, needs.problem == nil else {
      throw .unusable("\(name) is no project that this server can read: \(needs?.problem ?? "")")
    }
    let kits = needs.kits.filter { file.kits[$0] == nil && !kitStore.hasKit($0) }
    let sounds = needs.ownSounds.filter { file.sounds[$0] == nil && !kitStore.hasSound($0) }
    let missing =
      kits.sorted().map { "the kit \($0)" } + sounds.sorted().map { "the sound own/\($0)" }
    guard missing.isEmpty else {
      throw .unusable("\(name) lacks \(missing.prefix(3).joined(separator: ", "))")
    }
    let delivery: Delivery
    do throws(DeliveryProblem) {
      delivery = try Delivery(sounds: file.sounds, kits: file.kits, from: sender, to: kitStore)
    } catch {
      throw FileProblem(error, of: name)
    }
    return ReadProject(name: name, file: file, needs: needs, delivery: delivery)
  }

  private func requireFree(_ name: String) throws(FileProblem) {
    do throws(Refusal) {
      guard ShownName.isValid(name) else { throw Refusal.badProjectName }
      guard try asked(name, { try $0.project(named: name) }) == nil else {
        throw Refusal.projectNameTaken(name)
      }
    } catch {
      throw .refused(error)
    }
  }

  /// - Parameter ids: the ids that the file's kits have here.
  private func put(_ project: ReadProject, _ ids: [String: String]) throws(FileProblem)
    -> BroughtProject
  {
    // Somebody may have taken the name while the sounds were decoded.
    try requireFree(project.name)
    let needs = project.needs
    let facts = Catalogue.Facts(
      measures: needs.measures, tempo: needs.bpm, signature: needs.signatureText,
      players: needs.players,
      kits: Set(needs.allKits.map { ids[$0] ?? $0 }).sorted(), sounds: needs.allOwnSounds.sorted())
    let items = ServerProjects.renamed(ids.filter { $0.key != $0.value }, in: project.file.items)
    do throws(Refusal) {
      try asked(project.name) {
        try $0.put(project.name, facts, MusicBytes.encoded(items), at: ServerProjects.now)
      }
    } catch {
      throw .refused(error)
    }
    let unneeded = project.file.unneeded
    return BroughtProject(
      name: project.name, unneededKits: unneeded.kits.count, unneededSounds: unneeded.sounds.count)
  }

  /// Renames kits in the items of a project: this server has other kits with their ids.
  private static func renamed(_ ids: [String: String], in items: [KeptItem]) -> [KeptItem] {
    guard !ids.isEmpty else { return items }
    return items.map { item in
      guard item.name.hasSuffix("/music") else { return item }
      var item = item
      item.values = item.values.map { value in
        guard case .text(let text) = value else { return value }
        if let new = ids[text] { return .text(new) }
        guard let slash = text.lastIndex(of: "/"), let new = ids[String(text[..<slash])],
          let pad = Int(text[slash...].dropFirst()), Pad(pad) != nil
        else { return value }
        return .text("\(new)/\(pad)")
      }
      return item
    }
  }

  /// Removes what a killed server wrote of a file whose project was not kept.
  static func undoDelivery(_ catalogue: Catalogue, _ kitStore: KitStore) {
    let kits = try? Set(catalogue.projects().flatMap(\.facts.kits))
    kitStore.undoDelivery(wantedSounds: try? catalogue.wantedSounds(), wantedKits: kits)
  }
}

extension ServerProjects.FileProblem {
  /// Another file is being read in.
  fileprivate static let noTurn = Self.busy(KitStore.noTurn, seconds: KitStore.secondsOfATurn)

  /// - Parameter name: the name that the project gets.
  fileprivate init(_ problem: DeliveryProblem, of name: String) {
    self =
      switch LibraryFiles.Problem(problem, of: name) {
      case .noSpace(let text): .noSpace(text)
      case .tooMuch(let text, let seconds): .tooMuch(text, seconds: seconds)
      case .busy(let text, let seconds): .busy(text, seconds: seconds)
      case .notThere, .taken, .unusable, .nothingKept: .unusable(problem.words(name))
      }
  }
}
