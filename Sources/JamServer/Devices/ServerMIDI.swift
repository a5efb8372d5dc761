import JamCore
package import JamDevice
import JamRealtime
package import JamRoom
import Synchronization

/// The clock of the machine's MIDI sequencer, as a player of `main`. Players and the log get its
/// messages, and locks hold for it, as for any player.
///
/// The player joins with the first message. The sequencer belongs to the machine itself, so the
/// player is a host.
package final class ServerMIDI: Sendable {
  private static let name = PlayerName("midi")!

  private let input = MIDIInput()
  private let room: Room
  private let token = Secrets.text(length: 26)

  package init(room: Room) { self.room = room }

  /// - Parameter source: the client to listen to at once; nil waits until somebody connects one.
  package func start(from source: String?) throws(DeviceError) {
    try input.start(from: source) { [room, token] message, time in
      room.thread.submit {
        room.assumeIsolated { room in
          let arrival = room.anchor.frame(at: time)
          let player =
            room.player(token: token)
            ?? (try? room.join(
              ServerMIDI.name, token: token, isGuest: false, isHost: true, at: arrival, origin: .none))
          // Where the room is full, the clock is ignored.
          guard let player else { return }
          room.receive(.midiClock(message), from: player, at: Moment(arrival: arrival), origin: .none)
        }
      }
    }
  }

  package func stop() { input.stop() }
}
