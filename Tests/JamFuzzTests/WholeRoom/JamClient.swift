import JamCore

@testable import JamWire

/// A player with a program that sends OSC, and no more: it hears nothing.
struct JamClient {
  let name: PlayerName
  /// When it does something next, in frames since the jam began.
  private(set) var next: Frames
  /// Until then it is not there.
  private var pause = Frames.zero
  private var pace = 16_000

  init(_ name: PlayerName, from frame: Frames) {
    self.name = name
    next = frame
  }

  /// What the client sends now: a packet as bytes; nil is a command without an address.
  /// - Parameters:
  ///   - now: in frames since the jam began, which timetags mean: the next life of the server
  ///     understands those of a packet that was under way.
  ///   - frame: the server's frame at `now`, which `/heard` means.
  mutating func send(at now: Frames, server frame: Frames, clock: ServerClock, _ dice: inout Dice) -> [UInt8]? {
    defer { next = max(pause, now) + Frames(Int64(1 + dice.below(pace))) }
    if dice.below(60) == 0 { pace = dice.one(of: [3_000, 16_000, 64_000]) }
    switch dice.below(400) {
    case 0:
      pause = now + .seconds(Double(1 + dice.below(6)))
      return OSCMessage("/bye").encoded()
    // It is gone without a word, for so long that its pads are let go for it.
    case 1:
      pause = now + .seconds(Double(2 + dice.below(20)))
      return nil
    case 2...12: return OSCMessage("/hello", .string(name.text)).encoded()
    default: break
    }
    let command = dice.command(RandomRoom.names)
    guard let message = message(for: command) else { return nil }
    var messages = [message]
    if command.isHit, dice.below(4) == 0 {
      let heard = UInt32(truncatingIfNeeded: (frame - Frames(Int64(dice.below(20_000)))).count)
      messages.insert(OSCMessage("/heard", .int64(Int64(heard))), at: 0)
    }
    var timetag = OSCTimetag.immediate
    if dice.below(command.isHit ? 4 : 16) == 0 {
      let tagged = now + Frames(Int64(dice.below(90_000)))
      timetag = clock.timetag(at: JamServer.anchor.time(of: tagged))
    }
    if messages.count == 1, timetag.isImmediate, dice.below(3) > 0 { return messages[0].encoded() }
    return OSCPacket.encode(messages, at: timetag)
  }

  /// A client sends a leave, a word and a wish to read everything by other addresses.
  private func message(for command: Command) -> OSCMessage? {
    switch command {
    case .leave: OSCMessage("/bye")
    case .becomeHost(let word): OSCMessage("/host", .string(word))
    case .readAll: OSCMessage("/sync")
    default: AddressTable.standard.message(for: command)
    }
  }
}
