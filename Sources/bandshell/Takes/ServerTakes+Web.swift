import JamCore
import JamKit
import JamRealtime
import JamRoom
import JamStore
import JamWeb
import JamWire

/// What the web server sees of a room's takes.
struct RoomTakes: WebTakes {
  let takes: ServerTakes
  let room: PlayerName

  func list(then call: @escaping @Sendable ([TakeItem]) -> Void) {
    let isTaken = takes.inBackground { call((try? takes.items(of: room, withPeaks: true)) ?? []) }
    if !isTaken { call([]) }
  }

  func file(
    of id: String, kind: String, then call: @escaping @Sendable (Result<TakeDownload, ProjectProblem>) -> Void
  ) {
    guard let kind = ServerTakes.Kind(rawValue: kind) else {
      let kinds = ServerTakes.Kind.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
      return call(.failure(ProjectProblem(.notThere, "a take is no .\(kind): ask for \(kinds)")))
    }
    // A stranger's stands in a line of its own: whoever asks for much waits for itself.
    let line = BackgroundPool.Line.making(for: "\(room)/\(id)")
    let isTaken = takes.kitStore.background.submit(line) {
      do throws(Refusal) {
        let take = try takes.take(id, in: room)
        guard take.length != nil else { throw Refusal.takeNotOver(id) }
        let path = try takes.path(of: take, kind)
        let name = take.name.isEmpty ? take.id : take.name
        call(
          .success(TakeDownload(path: path, name: "\(name).\(kind.rawValue)", mediaType: RoomTakes.mediaType(kind))))
      } catch {
        let problem: ProjectProblem.Kind =
          switch error {
          case .noSuchTake: .notThere
          case .takeNotOver: .taken
          default: .noSpace
          }
        call(.failure(ProjectProblem(problem, error.words)))
      }
    }
    if !isTaken { call(.failure(ProjectProblem(.busy, Refusal.takesBusy.words))) }
  }

  private static func mediaType(_ kind: ServerTakes.Kind) -> String {
    switch kind {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .opus: "audio/ogg"
    case .midi: "audio/midi"
    case .score: "application/octet-stream"
    }
  }
}

extension ServerTakes {
  /// Where a take's file is, made now where it is not there yet. Thread: any that may wait.
  fileprivate func path(of take: Catalogue.Take, _ kind: Kind) throws(Refusal) -> String {
    do throws(TakeReplay.Problem) {
      return try file(of: take, kind)
    } catch {
      log.write(.journalFailed, ["room": .text(take.room), "reason": .text("take \(take.id): \(error.text)")])
      throw .takeNotKept(reason: "its sound cannot be made; the server's log says why")
    }
  }
}
