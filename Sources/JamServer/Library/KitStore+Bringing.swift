import JamRoom

/// The way in of every file that people bring over the network: a project's, a block's or a kit's.
extension KitStore {
  /// Takes in what `read` finds in a file when it is the sender's turn. Its sounds are decoded
  /// between others' work.
  /// - Parameters:
  ///   - noTurn: the refusal of a file whose sender has to wait for a turn.
  ///   - failed: the refusal of a file whose kits and sounds are not kept.
  ///   - call: is called once, on any thread. After a success `settle` has to follow.
  ///   - read: gives the delivery, and what the caller wants back with it.
  /// - Thread: any.
  func bring<Rest: Sendable, Problem: Error>(
    from sender: String, noTurn: Problem, failed: @escaping @Sendable (DeliveryProblem) -> Problem,
    then call: @escaping @Sendable (Result<(delivered: Delivered, rest: Rest), Problem>) -> Void,
    reading read: @escaping @Sendable () throws(Problem) -> (delivery: Delivery, rest: Rest)
  ) {
    let isTaken = takeTurn(for: sender) { [self] turn in
      guard let turn else { return call(.failure(noTurn)) }
      do throws(Problem) {
        let (delivery, rest) = try read()
        keep(delivery, turn) { result in
          call(result.map { (delivered: $0, rest: rest) }.mapError(failed))
        }
      } catch {
        turn.leave()
        call(.failure(error))
      }
    }
    if !isTaken { call(.failure(noTurn)) }
  }

  /// The seconds after which a file may be brought again, where one of the sender's waits already.
  static let secondsOfATurn = 5

  /// The refusal of a file whose sender has to wait for a turn.
  static let noTurn = "other files are being read in: bring it again in \(secondsOfATurn) s"
}
