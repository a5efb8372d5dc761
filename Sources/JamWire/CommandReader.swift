public import JamCore

/// Turns messages into requests, and remembers the resolved addresses.
///
/// Thread: one at a time; each thread has its own.
public struct CommandReader: Sendable {
  private let table: AddressTable
  private var cache: [String: Resolution]
  /// Addresses that do not exist. They are remembered because a phone may send the same one sixty
  /// times a second.
  private var unknown: Set<String> = []
  private var patterns: [String: Matches] = [:]
  private let cacheLimit: Int
  private let isScore: Bool

  /// - Parameters:
  ///   - isScore: whether the messages come from a score. There `/player/<name>` at the beginning
  ///     always names the player who acts. Elsewhere `/player/<name>/gain` is a host's setting of
  ///     that player's channel.
  ///   - cacheLimit: how many addresses outside the table are remembered. When the limit is
  ///     reached, all of them are forgotten.
  public init(table: AddressTable = .standard, isScore: Bool = false, cacheLimit: Int = 1_024) {
    self.table = table
    self.isScore = isScore
    self.cacheLimit = cacheLimit
    cache = [:]
  }

  /// - Returns: nil where a button came up and its release has no effect.
  /// - Throws: `WireError`.
  public mutating func read(_ message: OSCMessage) throws(WireError) -> AddressedRequest? {
    let resolution: Resolution
    if let known = table.concrete[message.address] ?? cache[message.address] {
      resolution = known
    } else if message.address.utf8.contains(where: AddressPattern.isSpecial) {
      return try expand(message)
    } else if unknown.contains(message.address) {
      throw .unknownAddress(message.address)
    } else {
      do {
        resolution = try table.resolve(message.address, isScore: isScore)
      } catch {
        if case .unknownAddress(let address) = error, address.utf8.count <= CommandReader.longestUnknown {
          if unknown.count >= cacheLimit { unknown.removeAll(keepingCapacity: true) }
          unknown.insert(address)
        }
        throw error
      }
      if message.address.utf8.count <= CommandReader.longestKnown {
        if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
        cache[message.address] = resolution
      }
    }
    if !isScore, let pad = resolution.hit, let command = CommandReader.plainHit(pad, message) {
      return resolution.addressed(.command(command))
    }
    guard let request = try table.request(resolution, message, isScore: isScore) else { return nil }
    return resolution.addressed(request)
  }

  /// Longer unknown addresses are not remembered, so that strangers cannot fill the memory.
  private static let longestUnknown = 128
  /// Enough for two names, of a room and a player, in front of an address.
  private static let longestKnown = 512
  private static let mostPatterns = 64
  /// The most addresses that one message gives a value each. An XY pad has two, and a bank of
  /// faders that comes as one message sixteen.
  private static let mostSpread = 16

  /// The hit or release for the arguments that controllers usually send. The row's general path
  /// would give the same command.
  private static func plainHit(_ pad: Pad, _ message: OSCMessage) -> Command? {
    guard message.arguments.count == 1, case .float(let value) = message.arguments[0], value >= 0, value.isFinite else {
      return nil
    }
    return .press(pad, value)
  }

  /// The settings that a pattern matches, found by comparing it with every setting's address.
  private struct Matches {
    var room: PlayerName?
    /// Indices in `ownSettings`.
    var places: [Int]
    /// The same in the order in which braces name them; empty where the pattern matches one, or
    /// more than `mostSpread`.
    var named: [Int]
    /// The rows of these settings, each once.
    var entries: [Int]
  }

  private mutating func matches(of address: String) throws(WireError) -> Matches {
    if let known = patterns[address] { return known }
    let pattern = try AddressPattern(address)
    let places = table.ownSettings.indices.filter { index in
      let (place, entry) = (table.ownSettings[index], table.entries[table.ownSettings[index].entry])
      return pattern.matches(place.segments) && (!entry.isOwnPadAction || pattern.spells(entry.segments))
    }
    let entries = Set(places.map { table.ownSettings[$0].entry })
    var named: [Int] = []
    if (2...CommandReader.mostSpread).contains(places.count) {
      let order = places.map { pattern.order(of: table.ownSettings[$0].segments) }
      named = zip(order, places).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.1)
    }
    let matches = Matches(room: pattern.room, places: places, named: named, entries: Array(entries))
    if patterns.count >= CommandReader.mostPatterns { patterns.removeAll(keepingCapacity: true) }
    if address.utf8.count <= CommandReader.longestUnknown { patterns[address] = matches }
    return matches
  }

  /// How many settings an address with a pattern matches, and in which room. Nil where the address
  /// has no pattern, or where its pattern cannot be read.
  ///
  /// This call is cheap, but building a command for each match is not.
  public mutating func reach(of address: String) -> (count: Int, room: PlayerName?)? {
    guard address.utf8.contains(where: AddressPattern.isSpecial), let matches = try? matches(of: address)
    else { return nil }
    return (matches.places.count, matches.room)
  }

  /// Whether the message is an accepted value of a continuous control, or of several by a pattern.
  /// Of two such messages in a row, only the later one counts.
  public mutating func isContinuousValue(_ message: OSCMessage) -> Bool {
    guard message.arguments.count == 1 else { return false }
    if let known = table.concrete[message.address] ?? cache[message.address] {
      guard !known.isShare else {
        // A number of MIDI is a value where any share is one.
        let isBeyond = MIDIFader.isBeyondShares(message.arguments[0])
        let share = isBeyond ? OSCMessage(message.address, .float(1)) : message
        guard case .command(.set(_, .float))? = (try? read(share))?.request else { return false }
        return true
      }
      return isContinuous(known.entry, message)
    }
    guard message.address.utf8.contains(where: AddressPattern.isSpecial) else {
      return switch (try? read(message))?.request {
      case .command(.set(_, .float)), .command(.struck(.step, _)): true
      // The reader knows the address now, and looks at it as at the next message.
      default:
        MIDIFader.isBeyondShares(message.arguments[0]) && cache[message.address] != nil
          ? isContinuousValue(message) : false
      }
    }
    guard let matches = try? matches(of: message.address), !matches.entries.isEmpty else { return false }
    return matches.entries.allSatisfy { isContinuous($0, message) }
  }

  private func isContinuous(_ entry: Int, _ message: OSCMessage) -> Bool {
    let entry = table.entries[entry]
    guard entry.access == .setter || entry.isOfNote, entry.arguments.count == 1, entry.arguments[0].isContinuous
    else { return false }
    let value = try? entry.arguments[0].check(message.arguments[0], address: message.address)
    if value != nil { return true }
    return entry.midiRange != nil && MIDIFader.isBeyondShares(message.arguments[0])
  }

  /// The range of the fader at an address that was read before, where numbers of MIDI can be told
  /// from its own: 0…1, −1…1, or the shares of `/n/…`. Nil for every other address.
  public func midiRange(of address: String) -> ClosedRange<Double>? {
    guard let known = table.concrete[address] ?? cache[address] else { return nil }
    return known.isShare ? 0...1 : table.entries[known.entry].midiRange
  }

  private mutating func expand(_ message: OSCMessage) throws(WireError) -> AddressedRequest? {
    let pattern = try matches(of: message.address)
    var commands: [Command] = []
    commands.reserveCapacity(pattern.places.count)
    // As many values as addresses are one for each.
    let isSpread =
      !pattern.named.isEmpty && message.arguments.count == pattern.named.count
      && pattern.entries.map { table.entries[$0] }.allSatisfy { $0.arguments.count <= 1 || $0.isStruck }
    for (number, index) in (isSpread ? pattern.named : pattern.places).enumerated() {
      let place = table.ownSettings[index]
      let values = isSpread ? [message.arguments[number]] : message.arguments
      let concrete = OSCMessage(place.address, values)
      let request = try table.request(
        Resolution(entry: place.entry, numbers: place.numbers), concrete, isScore: isScore)
      if case .command(let command)? = request { commands.append(command) }
    }
    guard !commands.isEmpty else { throw .patternMatchesNothing(address: message.address) }
    return AddressedRequest(room: pattern.room, request: .commands(commands))
  }
}

extension Resolution {
  fileprivate func addressed(_ request: Request) -> AddressedRequest {
    AddressedRequest(
      room: room, player: player, seat: seat, actingSeat: actingSeat, isShare: isShare,
      request: request)
  }
}

extension AddressEntry {
  /// The number of a button. A switch's word is one only where no text can be meant.
  fileprivate func press(_ argument: OSCArgument) -> Double? {
    (arguments.first?.takesText == false ? argument.asSwitch : argument).number
  }
}

extension AddressTable {
  /// Checks the arguments against the row, and builds the row's request.
  /// - Parameter isScore: whether velocities have the values that were played, and are not on a
  ///   player's scale.
  func request(
    _ resolution: Resolution, _ message: OSCMessage, isScore: Bool = false
  ) throws(WireError) -> Request? {
    // A score names its players.
    guard !isScore || resolution.seat == nil else { throw .unknownAddress(message.address) }
    return resolution.isShare
      ? try shareRequest(resolution, message)
      : try wholeRequest(resolution, message, isScore: isScore)
  }

  /// The request of a message to the address itself.
  private func wholeRequest(
    _ resolution: Resolution, _ message: OSCMessage, isScore: Bool
  ) throws(WireError) -> Request? {
    let entry = entries[resolution.entry]
    guard let build = entry.build else { throw .notForSending(address: message.address) }
    if message.arguments.count == 1, message.arguments[0].isBang,
      entry.arguments.first?.isNumeric ?? true
    {
      return try request(resolution, OSCMessage(message.address), isScore: isScore)
    }
    var arguments = WireArguments(address: message.address)
    arguments.isOfScore = isScore
    arguments.numbers = resolution.numbers
    arguments.texts = resolution.texts
    if entry.arguments.isEmpty && (entry.access == .trigger || entry.access == .query) {
      guard try isPress(message) else { return nil }
    } else if entry.access == .readOnly {
      guard message.arguments.allSatisfy(\.isEmpty) else { throw .readOnly(address: message.address) }
    } else if entry.isButton, message.arguments.count == 1,
      let value = entry.press(message.arguments[0]),
      value == 0 || value == 1 || entry.arguments.allSatisfy(\.takesText)
    {
      guard value > 0 else { return nil }
    } else {
      arguments.values = try check(message.arguments, entry.arguments, message.address)
    }
    return try build(arguments)
  }

  /// The request of `/n/<address>`: with a number 0…1 it sets the setting, or triggers or plays
  /// what the address triggers or plays; without one it asks.
  private func shareRequest(_ resolution: Resolution, _ message: OSCMessage) throws(WireError)
    -> Request?
  {
    let entry = entries[resolution.entry]
    let setting = setting(of: resolution)
    guard setting != nil || entry.isStruck else { throw .noRange(address: message.address) }
    guard message.arguments.count <= 1 else {
      throw .tooManyArguments(got: message.arguments.count, most: 1, address: message.address)
    }
    let argument = setting?.row.argument ?? entry.arguments[0].name
    guard let first = message.arguments.first, !first.isEmpty else {
      guard let setting else { throw .missing(argument: argument, address: message.address) }
      return .command(.read(setting))
    }
    if !entry.triggers, setting?.row.access == .read { throw .readOnly(address: message.address) }
    let share = try share(first, argument, message.address)
    if entry.isStruck {
      // The share is the velocity itself, whatever scale the player's numbers have.
      return try wholeRequest(
        resolution, OSCMessage(message.address, .float(Float(share))), isScore: true)
    }
    if entry.triggers {
      // A button's 1 is the press, and no argument.
      return try wholeRequest(
        resolution, OSCMessage(message.address, .float(share > 0 ? 1 : 0)), isScore: false)
    }
    guard let setting, let value = setting.row.kind.value(atShare: share) else {
      throw .noRange(address: message.address)
    }
    return .command(.set(setting, value))
  }

  private func share(
    _ given: OSCArgument, _ argument: String, _ address: String
  ) throws(WireError) -> Double {
    guard let share = given.asNumber.number else {
      throw .wrongType(argument: argument, expected: "a number", got: given.words, address: address)
    }
    guard share.isFinite else { throw .notFinite(argument: argument, address: address) }
    guard (0...1).contains(share) else {
      throw .outOfRange(argument: argument, value: share, range: 0...1, unit: "", address: address)
    }
    return share
  }

  /// Whether the message is a press: it has no argument, or a value above 0.
  private func isPress(_ message: OSCMessage) throws(WireError) -> Bool {
    guard let first = message.arguments.first, !first.isEmpty else { return true }
    guard message.arguments.count == 1 else {
      throw .tooManyArguments(got: message.arguments.count, most: 1, address: message.address)
    }
    guard let value = first.asSwitch.number else {
      throw .wrongType(
        argument: "the button", expected: "a number or nothing", got: first.words, address: message.address)
    }
    guard !value.isNaN else { throw .notFinite(argument: "the button", address: message.address) }
    return value > 0
  }

  private func check(
    _ given: [OSCArgument], _ specs: [ArgumentSpec], _ address: String
  ) throws(WireError) -> [WireValue?] {
    var values: [WireValue?] = []
    values.reserveCapacity(specs.count)
    var next = 0
    for (index, spec) in specs.enumerated() {
      if spec.repeats {
        while next < given.count {
          values.append(try spec.check(given[next], address: address))
          next += 1
        }
        continue
      }
      // `/subscribe position`: a word cannot be the number, so the number before it was omitted.
      if next < given.count, spec.leavesOut(given[next]), specs[(index + 1)...].contains(where: \.takesText) {
        values.append(nil)
        continue
      }
      guard next < given.count, !given[next].isEmpty else {
        guard spec.isOptional else { throw .missing(argument: spec.name, address: address) }
        if next < given.count { next += 1 }
        values.append(nil)
        continue
      }
      values.append(try spec.check(given[next], address: address))
      next += 1
    }
    guard next == given.count else {
      if given.count == 2, specs.count == 1, case .float = specs[0].kind {
        throw .pairForOne(address: address)
      }
      throw .tooManyArguments(got: given.count, most: specs.count, address: address)
    }
    return values
  }
}
