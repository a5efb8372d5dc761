import JamCore
import JamDevice
import JamRoom

/// Switches the click of the sound card, as `/metronome/speakers` says.
final class SpeakerClick: RoomOutlet {
  private let output: ALSAOutput

  init(_ output: ALSAOutput) { self.output = output }

  func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause) {
    if case .value(.metronomeSpeakers, .bool(let isOn)) = event { output.playsClick = isOn }
  }

  func room(_ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?, cause: Cause) {}
}
