import JamCore
import JamKit
import JamRealtime
import JamRoom
import JamServer
import JamStore
import JamWeb
import JamWire

/// The takes of one room, for the web server.
struct RoomTakes: WebTakes {
  let takes: ServerTakes
  let room: PlayerName

  func list(then call: @escaping @Sendable (Result<[TakeItem], ProjectProblem>) -> Void) {
    inBackground(call) { () throws(Refusal) in call(.success(try takes.items(of: room, withPeaks: true))) }
  }

  func file(
    _ wanted: WantedFile, isWaiting: Bool,
    then call: @escaping @Sendable (Result<TakeFileAnswer, ProjectProblem>) -> Void
  ) {
    inBackground(call) { () throws(Refusal) in
      var (order, kind) = try order(wanted)
      order.asker = wanted.asker
      guard wanted.mayBegin || takes.exports.isReady(order) else {
        if let scratch = order.scratch { ServerExports.drop(scratch) }
        return call(.failure(RoomTakes.askedElsewhere))
      }
      // A client that waits gets the answer, so the room gets no news of this export.
      order.isQuiet = isWaiting
      let download = TakeDownload(path: order.path, name: order.name, mediaType: kind.mediaType)
      guard isWaiting else {
        try takes.exports.request(order)
        let part = takes.exports.part(of: order.path)
        return call(.success(part.map { .making(part: $0) } ?? .file(download)))
      }
      try takes.exports.request(order) { result in
        switch result {
        case .success: call(.success(.file(download)))
        case .failure(.nothingGoesRound): call(.failure(ProjectProblem(.unusable, Refusal.nothingGoesRound)))
        case .failure(let problem):
          call(.failure(ProjectProblem(problem == .cancelled ? .taken : .noSpace, problem.told)))
        }
      }
    }
  }

  func cancel(_ wanted: WantedFile, then call: @escaping @Sendable (Result<Void, ProjectProblem>) -> Void) {
    inBackground(call) { () throws(Refusal) in
      let (order, _) = try order(wanted)
      if let scratch = order.scratch { ServerExports.drop(scratch) }
      guard takes.exports.cancel(order.address, in: room.text) else { throw .noSuchExport(order.address) }
      call(.success(()))
    }
  }

  private static let askedElsewhere = ProjectProblem(
    .notYours,
    "a page of another site asked for this, and it is not made yet: open the address by itself")

  private func order(_ wanted: WantedFile) throws(Refusal) -> (ServerExports.Order, ExportKind) {
    let kind: ExportKind
    do throws(ExportKind.Problem) { kind = try ExportKind(wanted.form, wanted.options) } catch { throw error.refusal }
    switch wanted.source {
    case .take(let id): return (try takes.order(of: id, kind, in: room), kind)
    case .project(let name): return (try takes.order(ofProject: name, kind, in: room), kind)
    }
  }

  private func inBackground<Answer>(
    _ call: @escaping @Sendable (Result<Answer, ProjectProblem>) -> Void,
    _ work: @escaping @Sendable () throws(Refusal) -> Void
  ) {
    let isTaken = takes.inBackground {
      do throws(Refusal) {
        try work()
      } catch {
        call(.failure(ProjectProblem(RoomTakes.problem(error), error)))
      }
    }
    if !isTaken { call(.failure(ProjectProblem(.busy, Refusal.takesBusy))) }
  }

  private static func problem(_ refusal: Refusal) -> ProjectProblem.Kind {
    switch refusal {
    case .noSuchTake, .noSuchForm, .loopsHaveNoScore, .noSuchProject, .noSuchExport: .notThere
    case .takeNotOver: .taken
    case .takesBusy: .busy
    case .tooManyExports: .tooMuch
    case .badExportOption, .takeTooShort: .unusable
    default: .noSpace
    }
  }
}
