import JamCore
import JamDevice
import JamRealtime
import JamRoom
import Synchronization

/// The clock that the machine's MIDI sequencer hears, as a player of `main`: told, logged and locked as anybody's.
///
/// The player is there from the first message on; the sequencer is the machine's own, so it is a host.
final class ServerMIDI: Sendable {
  private static let name = PlayerName("midi")!

  private let input = MIDIInput()
  private let room: Room
  private let token = Secrets.text(length: 26)

  init(room: Room) { self.room = room }

  /// - Parameter source: whom to hear from at once; nil waits to be connected.
  func start(from source: String?) throws(DeviceError) {
    try input.start(from: source) { [room, token] message, time in
      room.thread.submit {
        room.assumeIsolated { room in
          let arrival = room.anchor.frame(at: time)
          let player =
            room.player(token: token)
            ?? (try? room.join(
              ServerMIDI.name, token: token, isGuest: false, isHost: true, at: arrival, origin: .none))
          // A full room has no place for it.
          guard let player else { return }
          room.receive(.midiClock(message), from: player, at: Moment(arrival: arrival), origin: .none)
        }
      }
    }
  }

  func stop() { input.stop() }
}
