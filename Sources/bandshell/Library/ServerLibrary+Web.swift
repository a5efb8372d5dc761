import JamCore
import JamRoom
import JamWeb
import JamWire

/// What the web server sees of the library, in one room.
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

  static func problem(_ refusal: Refusal) -> LibraryProblem {
    let kind: LibraryProblem.Kind =
      switch refusal {
      case .searchTooLong, .badSearchFilter: .malformed
      case .searchesTooFast: .tooMuch
      default: .busy
      }
    return LibraryProblem(kind, refusal.words)
  }
}
