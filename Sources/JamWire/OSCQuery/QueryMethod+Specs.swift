internal import JamCore

extension AddressEntry {
  /// The arguments as a client that draws a control needs them: a button has one number, of which
  /// all above 0 are the press. An argument of any type ends the list, because no type can be
  /// written for it.
  var querySpecs: [ArgumentSpec] {
    if isPressed { return [ArgumentSpec("press", .velocity)] }
    // Clients draw one fader or button for a pad, and sound no hit themselves.
    if isStruck { return [arguments[0]] }
    return Array(arguments.prefix { $0.kind != .any })
  }

  /// Whether a client draws the row as a button: it has a light, no arguments, or only texts that a
  /// button may leave out.
  private var isPressed: Bool {
    if isLit { return true }
    if isButton { return arguments.allSatisfy(\.takesText) }
    return arguments.isEmpty && (access == .trigger || access == .query)
  }

  /// A word that says how the control behaves. A value that is set, read or only sent has none.
  var queryTag: String? {
    if isOfScores { return "score" }
    if isPressed && access == .call { return AddressEntry.Access.trigger.rawValue }
    return switch access {
    case .trigger, .switch, .query, .call: access.rawValue
    case .setter, .readOnly, .sent: nil
    }
  }

  /// Whether the message means something only in front of others in a bundle.
  var isHeadOfBundle: Bool { template == "/seq" || template == "/heard" }

  /// Whether only scores may hold the row's message. The room refuses it from anybody else.
  var isOfScores: Bool { summary.hasPrefix("In scores ") }

  /// Whether the row is sent for an event that has a latest state, and is more than news.
  var tellsState: Bool {
    switch tells {
    case .buildUp, .votes, .journal, .project, .take, .takePlaying, .position, .loopPosition, .beat,
      .loudness, .levellerGain, .ownSteps, .roomSteps:
      true
    default: false
    }
  }
}

extension ArgumentSpec {
  /// The OSC type; empty for an argument of any type. Numbers beyond 32 bits have 64.
  var queryType: [UInt8] {
    switch kind {
    case .integer(let range?) where range.upperBound > Double(Int32.max): [UInt8(ascii: "h")]
    case .float, .velocity: [UInt8(ascii: "f")]
    case .integer, .bool, .pad, .port: [UInt8(ascii: "i")]
    case .long, .timestamp: [UInt8(ascii: "h")]
    case .text, .name, .choice, .textOrIndex: [UInt8(ascii: "s")]
    case .timetag: [UInt8(ascii: "t")]
    case .any: []
    }
  }

  /// The least and the largest number.
  var ends: ClosedRange<Double>? {
    switch kind {
    case .float(let range), .integer(let range): range
    case .bool, .velocity: 0...1
    case .pad: 1...Double(Pad.count)
    case .port: FeedbackPort.range
    case .timestamp: OSCPacket.timestamps
    case .long, .text, .name, .choice, .textOrIndex, .timetag, .any: nil
    }
  }

  var hasEnds: Bool { ends != nil }

  /// An element of `RANGE`; nil where any value is allowed.
  var rangeJSON: String? {
    if case .choice(let words) = kind {
      return "{\"VALS\":[\(words.map(\.quotedJSON).joined(separator: ","))]}"
    }
    guard let ends else { return nil }
    return "{\"MIN\":\(number(ends.lowerBound)),\"MAX\":\(number(ends.upperBound))}"
  }

  /// The number of the range that is nearest to 0, an empty text, or the first word.
  var restingJSON: String {
    switch kind {
    case .choice(let words): words.first?.quotedJSON ?? "\"\""
    case .text, .name, .textOrIndex: "\"\""
    case .timetag, .any: "null"
    default: number(ends.map { min(max(0, $0.lowerBound), $0.upperBound) } ?? 0)
    }
  }

  private func number(_ value: Double) -> String {
    queryType == [UInt8(ascii: "f")] ? QueryNumber.float(value) : QueryNumber.integer(value)
  }

  /// The unit by its name in OSCQuery; our own symbol for a unit that has no name there.
  var queryUnit: String? {
    switch unit {
    case "": nil
    case "dB": "gain.db"
    case "ms": "time.ms"
    case "s": "time.second"
    case "Hz": "time.hz"
    case "bpm": "time.bpm"
    default: unit
    }
  }
}
