import JamCore
import JamEngine

/// The voices that the engine plays until it is told otherwise, from the commands that it gets.
///
/// - Source: `Engine+Commands.swift` and `CommandQueue.swift` say what each command ends.
struct VoiceBook {
  private enum Deed {
    case start(VoiceStart)
    /// Of one pad, or of all pads where it is nil.
    case release(PlayerID, Pad?)
    case silence(PlayerID?)
  }

  private struct Place: Hashable {
    var bus: PlayerID
    var pad: Pad?
  }

  private var deeds: [(frame: Frames, sequence: UInt64, deed: Deed)] = []
  /// What sounds after all deeds that `hanging` has looked at.
  private var sounding: [Place: (start: VoiceStart, sequence: UInt64)] = [:]
  /// The number of the last release. What was sent before it and starts later is released, too.
  private var released: [Place: UInt64] = [:]
  /// The same of what ended everybody's.
  private var silenced: UInt64 = 0
  private(set) var starts = 0

  mutating func note(_ command: EngineCommand) {
    let deed: Deed
    switch command.action {
    case .start(let start):
      starts += 1
      deed = .start(start)
    case .release(let bus, let pad): deed = .release(bus, pad)
    case .releaseAll(let bus): deed = .release(bus, nil)
    case .silence(let bus), .openBus(let bus): deed = .silence(bus)
    case .silenceAll: deed = .silence(nil)
    case .cancel(let bus, let pad):
      // The engine withdraws hits as soon as the command comes.
      deeds.removeAll { earlier in
        guard case .start(let start) = earlier.deed else { return false }
        return start.bus == bus && start.pad == pad && earlier.frame >= command.frame
      }
      return
    default: return
    }
    deeds.append((command.frame, command.sequence, deed))
  }

  /// What sounds at `frame`, and no command ends it. Ask with frames that rise.
  mutating func hanging(at frame: Frames) -> [String] {
    let due = deeds.filter { $0.frame <= frame }
    deeds.removeAll { $0.frame <= frame }
    for (_, sequence, deed) in due.sorted(by: { ($0.frame, $0.sequence) < ($1.frame, $1.sequence) }) {
      apply(deed, sequence)
    }
    return sounding.values.sorted { $0.sequence < $1.sequence }.map { start, sequence in
      let kind = start.isLooped ? ", a loop" : ""
      return "pad \(start.pad.number) of place \(start.bus.index)\(kind) by command \(sequence)"
    }
  }

  private mutating func apply(_ deed: Deed, _ sequence: UInt64) {
    switch deed {
    case .start(let start):
      if start.choke > 0 {
        sounding = sounding.filter { place, other in
          place.bus != start.bus || place.pad == start.pad || other.start.choke != start.choke
        }
      }
      let place = Place(bus: start.bus, pad: start.pad)
      // A hit that is counted out ends by itself, and so does one whose sound ends.
      let lasts = start.isLooped || (start.patch != nil || start.goesRoundHeld) && start.isGated
      let end = max(released[place] ?? 0, released[Place(bus: start.bus)] ?? 0, silenced)
      guard lasts, start.holdFrames == 0, end < sequence else { return }
      sounding[place] = (start, sequence)
    case .release(let bus, let pad):
      released[Place(bus: bus, pad: pad)] = sequence
      // Only what a hand holds hears a release.
      sounding = sounding.filter { place, other in
        place.bus != bus || pad != nil && place.pad != pad || !other.start.isGated && other.start.patch == nil
      }
    case .silence(let bus):
      if let bus { released[Place(bus: bus)] = sequence } else { silenced = sequence }
      sounding = sounding.filter { place, _ in bus != nil && place.bus != bus }
    }
  }
}
