package import JamCore
package import JamDevice
package import JamRoom

/// Switches the click of the sound card, as `/metronome/speakers` says.
package final class SpeakerClick: RoomOutlet {
  private let output: ALSAOutput

  package init(_ output: ALSAOutput) { self.output = output }

  package func room(_ room: Room, tells event: Event, to audience: Audience, cause: Cause) {
    if case .value(.metronomeSpeakers, .bool(let isOn)) = event { output.playsClick = isOn }
  }

  package func room(
    _ room: Room, lost player: PlayerID, named name: PlayerName, kickedBy host: PlayerName?, cause: Cause
  ) {}
}
