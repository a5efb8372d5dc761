internal import JamCommand

/// Measures live rooms with many loops, whose players are told everything, and read it.
struct DenseRooms {
  var seconds = 8.0
  /// The layers of each player at which a room is measured; empty takes those of the room.
  var layers: [Int] = []

  /// The percentage of late commands above which an idle room tells that the machine is busy.
  private static let mostIdleLate = 0.5
  private static let mostTries = 3

  /// - Returns: the rows of the room, for each number of layers.
  func measure(_ room: DenseRoom) throws -> [BenchRow] {
    let stage = try DenseStage(room)
    var rows: [BenchRow] = []
    for layers in Set(layers.isEmpty ? room.layers : layers).sorted() {
      Console.line("  \(room.rawValue): recording \(layers) layers of \(room.players) players")
      try stage.record(upTo: layers)
      rows += try quietSpan(of: stage).rows(room, layers: layers)
    }
    return rows
  }

  /// Measures again while the idle room is late: then the machine is too busy with other work.
  ///
  /// - Returns: the measurement with the least lateness of the idle room.
  private func quietSpan(of stage: DenseStage) throws(ChildProcess.Failure) -> DenseSpan {
    var best: DenseSpan?
    for _ in 0..<DenseRooms.mostTries {
      Console.line("  \(stage.room.rawValue): measuring for \(BenchReport.number(seconds)) s")
      let span = try stage.measure(seconds)
      guard span.hasIdleHits else {
        throw ChildProcess.Failure(description: "the idle room has no hits")
      }
      if let best, best.idleLate <= span.idleLate { continue }
      best = span
      if span.idleLate <= DenseRooms.mostIdleLate { break }
      Console.line(
        "  the idle room was late with \(BenchReport.number(span.idleLate)) %: this machine is busy"
      )
    }
    guard let best else { preconditionFailure("a measurement is tried at least once") }
    return best
  }
}
