import JamCore
import JamRealtime
import JamRoom
import JamServer
import JamWeb
import JamWire

/// The library of one room, for the web server.
struct RoomLibrary: WebLibrary {
  let library: ServerLibrary
  let room: Room

  func search(
    _ words: String, by player: String?, from sender: String,
    then call: @escaping @Sendable (Result<[SearchItem], LibraryProblem>) -> Void
  ) {
    let order = SearchOrder(words: words, player: player.flatMap { PlayerName($0) }, token: "", saver: sender)
    library.search(order, in: room.name) { answer in
      switch answer {
      case .items(let items): call(.success(items))
      case .refused(let refusal): call(.failure(RoomLibrary.problem(refusal)))
      }
    }
  }

  // MARK: Files

  private var files: LibraryFiles { LibraryFiles(kitStore: library.kitStore) }

  /// Runs work in the background. Files are read and written one after the other.
  private func inBackground<Answer: Sendable>(
    _ call: @escaping @Sendable (Result<Answer, LibraryProblem>) -> Void, _ work: @escaping @Sendable () -> Void
  ) {
    let isTaken = library.kitStore.background.submit(BackgroundPool.Line("keeping", of: "library files"), work)
    if !isTaken { call(.failure(RoomLibrary.busy)) }
  }

  func kitFile(of id: String, then call: @escaping @Sendable (Result<LibraryDownload, LibraryProblem>) -> Void) {
    inBackground(call) {
      do throws(LibraryFiles.Problem) {
        let name = "\(FileName.portable(id)).kit.zip"
        call(.success(LibraryDownload(name: name, bytes: try files.file(ofKit: id))))
      } catch {
        call(.failure(RoomLibrary.problem(error)))
      }
    }
  }

  func bringKit(
    _ file: [UInt8], as id: String, from sender: String,
    then call: @escaping @Sendable (Result<String, LibraryProblem>) -> Void
  ) {
    let (files, kitStore) = (files, library.kitStore)
    files.bring(named: id, from: sender) { result in
      switch result {
      case .failure(let problem): call(.failure(RoomLibrary.problem(problem)))
      case .success(let kit): kitStore.settle(kit.delivered, isTaken: true) { call(.success(id)) }
      }
    } reading: { () throws(LibraryFiles.Problem) in
      (try files.read(kit: file, as: id, from: sender), ())
    }
  }

  func blockFile(
    of id: String, for owner: BlockAsker?,
    then call: @escaping @Sendable (Result<LibraryDownload, LibraryProblem>) -> Void
  ) {
    var player: PlayerName?
    if let owner {
      guard let name = PlayerName(owner.player), case .admitted = room.cueAccess.admits(name, token: owner.token) else {
        return call(.failure(RoomLibrary.notYours))
      }
      player = name
    }
    let found: @Sendable (Block?) -> Void = { block in
      guard let block else {
        return call(
          .failure(
            LibraryProblem(
              .notThere, "there is no block \(id) to be taken along: /search finds them", code: .noSuchBlock)))
      }
      inBackground(call) {
        do throws(LibraryFiles.Problem) {
          let name = "\(FileName.portable(block.name)).block.zip"
          call(.success(LibraryDownload(name: name, bytes: try files.file(of: block))))
        } catch {
          call(.failure(RoomLibrary.problem(error)))
        }
      }
    }
    guard let elsewhere = BlockID(id), elsewhere.room != room.name else {
      return room.block(id, for: player, then: found)
    }
    library.block(elsewhere, for: "files") { result in
      if case .success(let block) = result { found(block) } else { found(nil) }
    }
  }

  func bringBlock(
    _ file: [UInt8], named name: String, for owner: BlockAsker?, from sender: String,
    then call: @escaping @Sendable (Result<String, LibraryProblem>) -> Void
  ) {
    var player: (player: PlayerName, token: String)?
    if let owner {
      // The token is checked before the file is read, so that nothing is kept for people who may
      // not bring it.
      guard let name = PlayerName(owner.player), case .admitted = room.cueAccess.admits(name, token: owner.token) else {
        return call(.failure(RoomLibrary.notYours))
      }
      player = (name, owner.token)
    }
    let (files, kitStore) = (files, library.kitStore)
    files.bring(named: name, from: sender) { [player] result in
      switch result {
      case .failure(let problem): call(.failure(RoomLibrary.problem(problem)))
      case .success((let delivered, let read)):
        room.bring(read.block(delivered.ids), for: player, from: sender) { result in
          switch result {
          case .success(let id): kitStore.settle(delivered, isTaken: true) { answer(id, call) }
          case .failure(.notYours):
            kitStore.settle(delivered, isTaken: false) { call(.failure(RoomLibrary.notYours)) }
          case .failure(.refused(let refusal)):
            let problem = RoomLibrary.problem(refusal)
            kitStore.settle(delivered, isTaken: false) { call(.failure(problem)) }
          }
        }
      }
    } reading: { () throws(LibraryFiles.Problem) in
      try files.read(block: file, named: name, from: sender).parts
    }
  }

  /// Answers when the block's file is on the disk. A block that the disk did not take can be
  /// played, but is gone when the server ends.
  private func answer(_ id: BlockID, _ call: @escaping @Sendable (Result<String, LibraryProblem>) -> Void) {
    guard library.kitStore.keepsBlocks else { return call(.success("\(id)")) }
    let isTaken = library.kitStore.block(id, for: "files") { kept in
      guard kept == nil else { return call(.success("\(id)")) }
      let refusal = Refusal.blockNotKept("\(id.name) cannot be written; whoever runs the server looks for free space")
      call(.failure(LibraryProblem(.noSpace, refusal)))
    }
    if !isTaken { call(.failure(RoomLibrary.busy)) }
  }

  private static let busy = LibraryProblem(.busy, "the server has much to write just now: try again in a moment")
  private static let notYours = LibraryProblem(.notYours, .wrongToken)

  private static func problem(_ problem: LibraryFiles.Problem) -> LibraryProblem {
    switch problem {
    case .notThere(let text): LibraryProblem(.notThere, text)
    case .taken(let text): LibraryProblem(.taken, text)
    case .unusable(let text): LibraryProblem(.unusable, text)
    case .noSpace(let text): LibraryProblem(.noSpace, text)
    case .nothingKept: LibraryProblem(.unusable, .kitsNotKept)
    case .tooMuch(let text, let seconds):
      LibraryProblem(.tooMuch, .savedTooMuch(text), seconds: seconds)
    case .busy(let text, let seconds): LibraryProblem(.busy, text, seconds: seconds)
    }
  }

  static func problem(_ refusal: Refusal) -> LibraryProblem {
    let kind: LibraryProblem.Kind =
      switch refusal {
      case .searchTooLong, .badSearchFilter: .malformed
      case .searchesTooFast, .blocksSavedTooFast: .tooMuch
      case .blockNameTaken, .readyMadeName: .taken
      case .blocksFull, .allBlocksFull: .noSpace
      case .locked, .listener, .madeListener, .atTheDoor: .locked
      default: .busy
      }
    return LibraryProblem(kind, refusal)
  }
}
