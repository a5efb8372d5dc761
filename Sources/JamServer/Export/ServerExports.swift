import Glibc
package import JamCore
import JamKit
import JamRealtime
import JamRoom
import Synchronization

/// The files that are made of takes and projects: one after the other, in the background, whether whoever asked still waits or not. What was
/// made lies in a folder until what it was made of changes.
///
/// Thread: any.
package final class ServerExports: Sendable {
  /// A file that somebody wants.
  package struct Order: Sendable {
    /// Behind the server's address, or the room's: `takes/2026-11-23-193012.stems.zip?by=pad`.
    package let address: String
    /// Where it will lie.
    package let path: String
    let room: String
    /// As whoever takes it along will find it.
    package let name: String
    package var job: ExportJob
    /// A file that is made for this, and thrown away; nil where there is none.
    package var scratch: String?
    /// Nobody is told of it.
    package var isQuiet = false
  }

  package typealias Answer = @Sendable (Result<String, ExportProblem>) -> Void

  private let workshop: ExportWorkshop
  private let background: BackgroundPool
  private let log: any ServerLog
  private let told = Mutex<(@Sendable (String, ExportState) -> Void)?>(nil)
  private let state = Mutex(State())

  private struct State {
    /// By the paths of their files.
    var making: [String: Making] = [:]
    var isOver = false
  }

  private struct Making {
    let order: Order
    var isQuiet: Bool
    var isCancelled = false
    var part = 0.0
    var waiting: [Answer] = []
    var toldAt = HostTime(nanoseconds: 0)
  }

  /// What a room may have waiting at once.
  private static let mostOfRoom = 16
  /// Between two words about the progress of one.
  private static let toldMilliseconds = 500.0

  init(_ workshop: ExportWorkshop, background: BackgroundPool, log: any ServerLog) {
    self.workshop = workshop
    self.background = background
    self.log = log
  }

  /// Calls `body` with the room, and what has become of a file for it.
  func whenTold(_ body: @escaping @Sendable (String, ExportState) -> Void) { told.withLock { $0 = body } }

  /// Nothing more is made; what is being made is given up.
  func close() { state.withLock { $0.isOver = true } }

  /// Has a file made, unless it is there.
  /// - Parameter then: is called once, on any thread, with its path.
  /// - Throws: `Refusal.takesBusy` where too much waits.
  package func request(_ order: Order, then call: @escaping Answer = { _ in }) throws(Refusal) {
    if access(order.path, R_OK) == 0 {
      drop(order)
      if !order.isQuiet { tell(order, .ready, 1) }
      return call(.success(order.path))
    }
    let isNew: Bool? = state.withLock { state in
      if state.making[order.path] != nil {
        state.making[order.path]?.waiting.append(call)
        if !order.isQuiet { state.making[order.path]?.isQuiet = false }
        return false
      }
      let others = state.making.values.count { $0.order.room == order.room }
      guard !state.isOver, others < ServerExports.mostOfRoom else { return nil }
      state.making[order.path] = Making(order: order, isQuiet: order.isQuiet, waiting: [call])
      return true
    }
    guard let isNew else {
      drop(order)
      throw .takesBusy
    }
    guard isNew else { return drop(order) }
    tellOf(order.path, .waiting)
    // Each room's stand in a line of their own: whoever asks for much waits for itself.
    let isTaken = background.submit(.making(for: order.room)) { [self] in make(order.path) }
    if !isTaken { end(order.path, .failure(.unwritable("the server has too much to do just now"))) }
  }

  /// Gives one up, by its address; also the one of an earlier name, where a take was renamed
  /// meanwhile.
  /// - Returns: false where no such file is being made.
  package func cancel(_ address: String, in room: String) -> Bool {
    state.withLock { state in
      let found = state.making.filter { $0.value.order.address == address && $0.value.order.room == room }
      for path in found.keys { state.making[path]?.isCancelled = true }
      return !found.isEmpty
    }
  }

  /// How far one is; nil where it is not being made.
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
      // Where it lies is for whoever runs the server.
      log.write(
        .journalFailed,
        ["room": .text(made.order.room), "reason": .text("\(made.order.address): \(problem.text)")])
      if !made.isQuiet { tell(made.order, .failed, made.part, problem) }
    }
    for call in made.waiting { call(result) }
  }

  private func drop(_ order: Order) { if let scratch = order.scratch { ServerExports.drop(scratch) } }
  package static func drop(_ scratch: String) { unlink(scratch) }

  /// Tells of one that is being made, now and then.
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
  /// For those who asked; where things lie on the server is not for them.
  package var told: String {
    switch self {
    case .cancelled, .noRoom, .nothingGoesRound: text
    case .unreadable, .unwritable: "it cannot be made; the server's log says why"
    }
  }
}
