internal import JamWire

/// The faders of 0…1 or −1…1 to which a sender sends numbers of MIDI, 0 to 127.
///
/// The first whole number from 2 on shows it, for the fader cannot mean that number otherwise. From
/// then on the sender's whole numbers at that address are MIDI's, 1 and 0 too, or a knob that is
/// turned down would jump to the top at 1. A fraction takes that back. Addresses and senders learn
/// nothing from each other, so whoever sends 0…1 keeps its meaning.
///
/// A machine without I/O. Thread: one at a time.
struct MIDIFaders {
  /// The ranges of these faders, by their addresses. Kept here, because the reader forgets addresses.
  private var known: [String: ClosedRange<Double>] = [:]
  /// As many faders as a large controller has.
  private static let most = 256

  /// The message with the fader's own value, where its address takes numbers of MIDI from this
  /// sender; else nil.
  mutating func value(of message: OSCMessage) -> OSCMessage? {
    guard let range = known[message.address] else { return nil }
    guard let number = MIDIFader.number(of: message) else {
      // A question says nothing about numbers.
      if !message.arguments.isEmpty { known[message.address] = nil }
      return nil
    }
    return MIDIFaders.message(message.address, number, range)
  }

  /// Learns from a message that its fader refused.
  /// - Returns: the message with the fader's own value; nil where the number is not MIDI's.
  mutating func learn(from message: OSCMessage, _ reader: CommandReader) -> OSCMessage? {
    guard let number = MIDIFader.number(of: message), number >= 2,
      let range = reader.midiRange(of: message.address)
    else { return nil }
    if known.count >= MIDIFaders.most { known.removeAll(keepingCapacity: true) }
    known[message.address] = range
    return MIDIFaders.message(message.address, number, range)
  }

  private static func message(
    _ address: String, _ number: Double, _ range: ClosedRange<Double>
  ) -> OSCMessage {
    OSCMessage(address, .float(Float(MIDIFader.value(of: number, in: range))))
  }
}
