internal import JamCore
internal import JamRoom

/// Carries the desk's orders to the room thread.
///
/// Thread: any.
struct TapOrders: QueryOrders {
  let thread: RoomThread
  let taps: QueryTaps

  func find(_ room: PlayerName?, _ asker: QueryQuestion.Asker, for question: Int) -> Bool {
    thread.submit { [taps] in taps.find(room, asker, for: question) }
  }

  func follow(_ connection: StreamConnection) {
    thread.submit { [taps] in taps.follow(connection) }
  }

  func forget(_ connection: StreamConnection) {
    thread.submit { [taps] in taps.forget(connection) }
  }

  func hear(_ tap: Int, _ isHeard: Bool) { thread.submit { [taps] in taps.hear(tap, isHeard) } }

  func read(_ tap: Int) { thread.submit { [taps] in taps.read(tap) } }

  func close(_ tap: Int) -> Bool { thread.submit { [taps] in taps.close(tap) } }
}
