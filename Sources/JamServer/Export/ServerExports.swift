import Glibc
package import JamCore
import JamKit
import JamRealtime
import JamRoom
import Synchronization

/// Makes the files of takes and projects, one after the other, in the background. A file is
/// finished even where nobody waits for it any more. It stays in a folder until the music that it
/// was made of changes.
///
/// Thread: any.
package final class ServerExports: Sendable {
  /// A file that somebody wants.
  package struct Order: Sendable {
    /// The address behind that of the server or the room:
    /// `takes/2026-11-23-193012.stems.zip?by=pad`.
    package let address: String
    /// The path of the finished file.
    package let path: String
    let room: String
    /// The name of the file for the person who downloads it.
    package let name: String
    package var job: ExportJob
    /// A temporary file that the export reads, deleted afterwards; nil where there is none.
    package var scratch: String?
    /// Players get no news of this export.
    package var isQuiet = false
    /// The address or network that counts as one asker; empty is the server itself.
    package var asker = ""
  }

  package typealias Answer = @Sendable (Result<String, ExportProblem>) -> Void

  private let workshop: ExportWorkshop
  private let background: BackgroundPool
  private let log: any ServerLog
  private let told = Mutex<(@Sendable (String, ExportState) -> Void)?>(nil)
  private let state = Mutex(State())

  private struct State {
    /// The exports that wait or are being made, by the paths of their files.
    var making: [String: Making] = [:]
    var isOver = false

    func requirePlace(for order: Order) throws(Refusal) {
      guard !order.asker.isEmpty else {
        let others = making.values.count { $0.order.asker.isEmpty && $0.order.room == order.room }
        guard others < ServerExports.mostOfRoom else { throw .takesBusy }
        return
      }
      let others = making.values.filter { !$0.order.asker.isEmpty }
      let own = others.count { $0.order.asker == order.asker }
      guard own < ServerExports.mostOfAsker else {
        throw .tooManyExports(most: ServerExports.mostOfAsker)
      }
      guard others.count < ServerExports.mostOfAll else { throw .takesBusy }
    }
  }

  private struct Making {
    let order: Order
    var isQuiet: Bool
    var isCancelled = false
    var part = 0.0
    var waiting: [Answer] = []
    var toldAt = HostTime(nanoseconds: 0)
  }

  /// The most exports that one asker may have waiting or in the making at once, in all rooms.
  package static let mostOfAsker = 4
  /// The most exports of all askers together. Each is a few bytes in memory, and a project's music
  /// on the disk.
  private static let mostOfAll = 256
  /// The most exports that the server itself may have waiting for one room.
  private static let mostOfRoom = 16
  /// The time between two reports of an export's progress.
  private static let toldMilliseconds = 500.0

  init(_ workshop: ExportWorkshop, background: BackgroundPool, log: any ServerLog) {
    self.workshop = workshop
    self.background = background
    self.log = log
  }

  /// Sets the function that gets news of files, with the room that they are for.
  func whenTold(_ body: @escaping @Sendable (String, ExportState) -> Void) { told.withLock { $0 = body } }

  /// Makes nothing more, and cancels the export that is being made.
  func close() { state.withLock { $0.isOver = true } }

  /// Makes a file, unless it exists already.
  /// - Parameter then: called once, on any thread, with the file's path.
  /// - Throws: `Refusal.tooManyExports` where the asker has enough of them, `.takesBusy` where all
  ///   askers have.
  package func request(_ order: Order, then call: @escaping Answer = { _ in }) throws(Refusal) {
    if access(order.path, R_OK) == 0 {
      drop(order)
      if !order.isQuiet { tell(order, .ready, 1) }
      return call(.success(order.path))
    }
    let isNew: Bool
    do throws(Refusal) {
      isNew = try state.withLock { state throws(Refusal) in
        if state.making[order.path] != nil {
          state.making[order.path]?.waiting.append(call)
          if !order.isQuiet { state.making[order.path]?.isQuiet = false }
          return false
        }
        guard !state.isOver else { throw .takesBusy }
        try state.requirePlace(for: order)
        state.making[order.path] = Making(order: order, isQuiet: order.isQuiet, waiting: [call])
        return true
      }
    } catch {
      drop(order)
      throw error
    }
    guard isNew else { return drop(order) }
    tellOf(order.path, .waiting)
    // Each asker has a line in the background, and the lines take turns. So an asker who wants much
    // delays only its own exports.
    let line = order.asker.isEmpty ? "room \(order.room)" : order.asker
    let isTaken = background.submit(.making(for: line)) { [self] in make(order.path) }
    if !isTaken { end(order.path, .failure(.unwritable("the server has too much to do just now"))) }
  }

  /// Cancels an export by its address. The address may contain the name that a take had when the
  /// export was ordered.
  /// - Returns: false where no such file is being made.
  package func cancel(_ address: String, in room: String) -> Bool {
    state.withLock { state in
      let found = state.making.filter { $0.value.order.address == address && $0.value.order.room == room }
      for path in found.keys { state.making[path]?.isCancelled = true }
      return !found.isEmpty
    }
  }

  /// Whether the file is there, so that nothing has to be made.
  package func isReady(_ order: Order) -> Bool { access(order.path, R_OK) == 0 }

  /// The part of the file that is done, 0…1; nil where it is not being made.
  package func part(of path: String) -> Double? { state.withLock { $0.making[path]?.part } }

  private func make(_ path: String) {
    guard let order = state.withLock({ $0.making[path]?.order }) else { return }
    guard !isCancelled(path) else { return end(path, .failure(.cancelled)) }
    tellOf(path, .making)
    do throws(ExportProblem) {
      try workshop.make(
        order.job, isCancelled: { [self] in isCancelled(path) },
        progress: { [self] part in
          state.withLock { $0.making[path]?.part = part }
          tellOf(path, .making)
        })
      end(path, .success(path))
    } catch {
      ExportMaker.sweep(path)
      end(path, .failure(error))
    }
  }

  private func isCancelled(_ path: String) -> Bool {
    state.withLock { $0.isOver || $0.making[path]?.isCancelled != false }
  }

  private func end(_ path: String, _ result: Result<String, ExportProblem>) {
    guard let made = state.withLock({ $0.making.removeValue(forKey: path) }) else { return }
    drop(made.order)
    switch result {
    case .success: if !made.isQuiet { tell(made.order, .ready, 1) }
    case .failure(.cancelled): if !made.isQuiet { tell(made.order, .cancelled, made.part) }
    case .failure(.nothingGoesRound): if !made.isQuiet { tell(made.order, .failed, made.part, .nothingGoesRound) }
    case .failure(let problem):
      // Players do not learn the file's path. The reason goes to the log, for the operator.
      log.write(
        .journalFailed,
        ["room": .text(made.order.room), "reason": .text("\(made.order.address): \(problem.text)")])
      if !made.isQuiet { tell(made.order, .failed, made.part, problem) }
    }
    for call in made.waiting { call(result) }
  }

  private func drop(_ order: Order) { if let scratch = order.scratch { ServerExports.drop(scratch) } }
  package static func drop(_ scratch: String) { unlink(scratch) }

  /// Reports the progress of an export, but not too often.
  private func tellOf(_ path: String, _ stage: ExportState.Stage) {
    let now = HostTime.now
    let made: Making? = state.withLock { state in
      guard let made = state.making[path], !made.isQuiet, made.toldAt <= now else { return nil }
      if stage == .making {
        state.making[path]?.toldAt = now.advanced(byMilliseconds: ServerExports.toldMilliseconds)
      }
      return made
    }
    if let made { tell(made.order, stage, made.part) }
  }

  private func tell(_ order: Order, _ stage: ExportState.Stage, _ part: Double, _ problem: ExportProblem? = nil) {
    told.withLock { $0 }?(
      order.room, ExportState(address: order.address, stage: stage, part: Float(part), reason: problem?.told ?? ""))
  }
}

extension ExportProblem {
  /// The reason for players. They do not learn paths of the server, so the log has the details.
  package var told: String {
    switch self {
    case .cancelled, .noRoom, .nothingGoesRound: text
    case .unreadable, .unwritable: "it cannot be made; the server's log says why"
    }
  }
}
