internal import JamCore

/// The room's searches, and blocks of other rooms.
extension Room {
  /// - Parameter origin: the connection that asked: it alone is answered.
  func carryOut(_ order: SearchOrder, for origin: Origin) {
    guard let library else {
      return change(for: origin) { state, _ in
        state.searchAnswered(order, .refused(.libraryUnreadable))
      }
    }
    library.search(order, in: name) { answer in
      self.submit { $0.change(for: origin) { state, _ in state.searchAnswered(order, answer) } }
    }
  }

  func carryOut(_ order: CarryOrder) {
    guard let library else {
      return change { state, frame in
        state.blockCarried(order, .failure(.blockNotShared("\(order.block)")), at: frame)
      }
    }
    library.block(order.block, for: order.saver) { answer in
      self.submit { $0.change { state, frame in state.blockCarried(order, answer, at: frame) } }
    }
  }
}
