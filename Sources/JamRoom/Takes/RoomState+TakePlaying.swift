internal import JamCore

/// Replays a take's notes: hits of the players' own pads, in time, which no loop takes down.
extension RoomState {
  mutating func beginTake(_ notes: TakeNotes, at beat: Beats, by id: PlayerID) {
    queue.take = PlayedTake(notes, from: beat, by: id)
    outbox.append(.tell(.takePlaying(notes.take), .everybody))
  }

  mutating func endTake() {
    guard queue.take != nil else { return }
    queue.take = nil
    outbox.append(.tell(.takePlaying(""), .everybody))
  }

  /// Sends what is due at `now`.
  mutating func takeOn(at now: Frames) {
    guard clock.isPlaying, var playing = queue.take, let due = playing.deadline(clock.view), due <= now else { return }
    while let (note, frame) = playing.take(until: now, clock.view) {
      // A stalled thread does not catch up on missed hits in a burst.
      guard frame >= now, let id = hand(of: note, in: playing) else { continue }
      if hands[id][note.pad].isLooping {
        endLoop(note.pad, note.velocity, by: id, at: frame)
      } else {
        sound(note.pad, note.velocity, by: id, at: frame, isLive: false, isPlayed: false)
        if note.pad.isKey {
          // Nobody's hand will let go of it.
          let end = clock.view.frame(at: playing.begin + note.beat + (note.length ?? Track.step))
          queue.wait(WaitingRelease(player: id, pad: note.pad, start: frame, frame: max(frame + Frames(1), end)))
        }
      }
    }
    queue.take = playing
    if playing.note == nil { endTake() }
  }

  /// The player with the name now, else the one who asked for the take.
  private func hand(of note: TakeNotes.Note, in playing: PlayedTake) -> PlayerID? {
    roster.player(named: note.player) ?? self[playing.player]?.id
  }
}
