internal import JamCore

/// The memory that a deserted room lets go of.
extension Room {
  /// A player who comes back within it finds everything at hand.
  private static let restAfter = Frames.seconds(30)

  /// Lets go, once, of what only waits for somebody to come back: it can be read again.
  func rest(at now: Frames) {
    guard isDeserted else { return emptySince = nil }
    guard let since = emptySince else { return emptySince = now }
    guard !isResting(since: since), now >= since + Room.restAfter else { return }
    restedSince = since
    change { state, _ in state.letGoOfKeptSounds() }
    history.compact()
    kitStore.rest()
  }

  private func isResting(since moment: Frames) -> Bool { restedSince == moment }
}
