internal import JamCore
internal import JamEngine

/// Passes that are given up before their end.
extension RoomState {
  /// A pass or what waits for one is given up.
  /// - Returns: false where there is neither.
  mutating func giveUpPass(of id: PlayerID, _ effects: inout [Effect]) -> Bool {
    guard roster[id].loop.pass != nil || roster[id].loop.waiting != nil else { return false }
    roster[id].loop.pass = nil
    roster[id].loop.waiting = nil
    roster[id].loop.captured.removeAll()
    endCountIn(of: id, at: schedule.sent, &effects)
    if roster[id].loop.isEmpty { roster[id].loop.isPlaying = false }
    tellLoop(of: id, &effects)
    planLoop(of: id)
    return true
  }

  /// As above, by `/undo`: what was hit in the pass is the layer that `/redo` brings.
  mutating func takeBackPass(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) -> Bool {
    if let pass = roster[id].loop.pass {
      let edits = roster[id].history.made
      roster[id].loop.releaseCaptured(at: clock.view.beat(at: frame))
      finish(pass, of: id, at: pass.end)
      // What arrives late for it is given up with it, and what is hit from now on is no part of it.
      roster[id].loop.closed.removeLast()
      if roster[id].history.made > edits {
        let playing = playing(of: id)
        switch roster[id].history.takeBack(playing) {
        case .layer(let number, let before, _): roster[id].loop[number] = before
        case .loop(let before, _): roster[id].loop.layers = before.layers
        default: break
        }
      }
      // `giveUpPass` does the rest.
      roster[id].loop.pass = pass
    }
    return giveUpPass(of: id, &effects)
  }

  /// The player leaves during a pass: what it has hit in it is a layer, as where the transport stops.
  mutating func leavePass(of id: PlayerID, at frame: Frames, _ effects: inout [Effect]) {
    guard let pass = roster[id].loop.pass else { return }
    roster[id].loop.releaseCaptured(at: clock.view.beat(at: frame))
    finish(pass, of: id, at: pass.end)
    roster[id].loop.captured.removeAll()
    settleAwaited(of: id, &effects)
    tellLoop(of: id, &effects)
    planLoop(of: id)
  }

  /// An overdub goes on in whose pass under way nothing was hit yet, while its player has changed something since it began: that is what
  /// `/undo` means.
  /// - Parameter taken: the edit that was just taken back.
  func isEmptyOverdub(of id: PlayerID, taking taken: Edit? = nil) -> Bool {
    let (loop, edits) = (roster[id].loop, roster[id].history.done.count + (taken == nil ? 0 : 1))
    guard let pass = loop.pass, pass.isOverdub, edits > pass.edits else { return false }
    let begin = pass.start - RoomState.earlyBeats
    return !loop.captured.contains { $0.beat >= begin }
      && !queue.waiting.contains { $0.player == id && $0.place.recorded >= begin }
  }
}

extension Loop {
  /// The overdub ends; what waits for a bar line still does.
  mutating func endEmptyPass() {
    pass = nil
    if waiting == nil { captured.removeAll() }
  }

  /// What is held ends at `beat`.
  fileprivate mutating func releaseCaptured(at beat: Beats) {
    for index in captured.indices
    where captured[index].start.isGated && captured[index].released == nil && captured[index].sounds <= beat {
      captured[index].release(at: beat, heard: nil)
    }
  }
}
