internal import JamCore
internal import JamEngine

/// Silence: a player hears no beat, and may begin one.
extension RoomState {
  /// A player whose last hit is older than this does not play.
  private static let silence = Frames.seconds(4)

  /// Bar 1 begins now, whether or not the transport runs.
  mutating func restart(by id: PlayerID, at moment: Moment) {
    let frame = notBeforeSent(effectFrame(moment))
    if clock.isPlaying { stopTransport(by: id, at: frame, isToRun: true) }
    play(by: id, at: moment)
  }

  /// Whether the player hears no beat: the transport stands, or nothing goes round, clicks or is to
  /// begin, and nobody else plays.
  func isSilent(for id: PlayerID, at frame: Frames) -> Bool {
    guard clock.isPlaying else { return true }
    guard !hasClick else { return false }
    // The transport is then not the player's to start anew.
    guard roster.isUnlocked(.tempo, id), clock.outside.source == nil, queue.take == nil,
      clock.buildUps.current == nil, library.scenes.waiting == nil, session.opening == nil
    else { return false }
    return roster.occupied.allSatisfy { isSilent($0, for: id, at: frame) }
  }

  private func isSilent(_ other: PlayerID, for id: PlayerID, at frame: Frames) -> Bool {
    let (looper, hands) = (loopers[other], hands[other])
    guard !looper.loop.goesRound, looper.lanes.allSatisfy({ $0.playing == nil }),
      !hands.progression.isOn, hands.playing.next == nil, looper.focus == nil,
      !hands.pads.contains(where: { $0.isLooping })
    else { return false }
    guard other != id else { return true }
    // A far player's hits sound a loop later. A wait for a tap is no sound.
    guard !looper.loop.isBusy || looper.loop.waitsForTap, !queue.waiting.contains(where: { $0.player == other }) else {
      return false
    }
    return looper.played.last.map { $0 < frame - RoomState.silence } ?? true
  }
}
