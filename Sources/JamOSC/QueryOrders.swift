internal import JamCore

/// The orders of the desk to the room thread.
///
/// Thread: any; each is carried out in its order, a moment later.
protocol QueryOrders: Sendable {
  /// - Returns: false where the room thread has too much to do.
  func find(_ room: PlayerName?, _ asker: QueryQuestion.Asker, for question: Int) -> Bool
  func follow(_ connection: StreamConnection)
  func forget(_ connection: StreamConnection)
  func hear(_ tap: Int, _ isHeard: Bool)
  func read(_ tap: Int)
  /// - Returns: false where the room thread has too much to do.
  func close(_ tap: Int) -> Bool
}
