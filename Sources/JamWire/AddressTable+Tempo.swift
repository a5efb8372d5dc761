internal import JamCore

extension AddressTable {
  /// A tempo that comes from outside: votes and MIDI clocks.
  static let tempoRows: [AddressEntry] =
    Setting.ofTempo.map { .setting($0) } + [
      .call(
        "/midi", [ArgumentSpec("message", .any, repeats: true)], .room,
        """
        A MIDI clock's 0xf8, 0xfa, 0xfb, 0xfc or 0xf2, as type `m`, a blob, or its bytes as numbers: the tempo \
        and the beat follow.
        """
      ) { arguments throws(WireError) in
        try arguments.midiClock().map { .command(.midiClock($0)) }
      } write: {
        if case .midiClock(let message) = $0 { ([], [], [.midi(message.word)]) } else { nil }
      }
    ]

  static let tempoSentRows: [AddressEntry] = [
    .sent(
      "/tempo/votes", .votes, [.integer("votes"), .integer("people"), .float("tempo", unit: "bpm")],
      "How many of those who may have voted, and the tempo that comes of it on the next bar line."
    ) {
      guard case .votes(let report) = $0 else { return nil }
      return [.int32(Int32(clamping: report.votes)), .int32(Int32(clamping: report.people)), .float(report.bpm)]
    }
  ]
}

extension MIDIClock {
  /// The OSC type `m`: port, status, data.
  fileprivate var word: UInt32 {
    switch self {
    case .tick: 0xf8_0000
    case .start: 0xfa_0000
    case .continue: 0xfb_0000
    case .stop: 0xfc_0000
    case .position(let sixteenths): 0xf2_0000 | UInt32(sixteenths & 0x7f) << 8 | UInt32(sixteenths >> 7 & 0x7f)
    }
  }
}

extension WireArguments {
  /// - Returns: nil for active sensing, which carries no information.
  fileprivate func midiClock() throws(WireError) -> MIDIClock? {
    let given = values.compactMap { if case .raw(let argument)? = $0 { argument } else { nil } }
    guard let first = given.first else { throw .missing(argument: "message", address: address) }
    let bytes: [UInt8]
    switch (first, given.count) {
    case (.midi(let word), 1): bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    case (.blob(let blob), 1): bytes = blob
    case (_, 1...3):
      bytes = given.compactMap { argument in argument.number.flatMap { UInt8(exactly: $0) } }
      guard bytes.count == given.count else { throw notClock(first) }
    default: throw .tooManyArguments(got: given.count, most: 3, address: address)
    }
    if bytes.first == 0xfe { return nil }
    guard let message = MIDIClock(bytes) else { throw notClock(first) }
    return message
  }

  private func notClock(_ first: OSCArgument) -> WireError {
    .wrongType(
      argument: "message",
      expected:
        "a MIDI clock's (0xf8, 0xfa, 0xfb, 0xfc, or 0xf2 with two data bytes) as type m, a blob, or bytes as numbers",
      got: first.words, address: address)
  }
}
