internal import JamCore

/// Turns messages into requests, remembering the addresses it has resolved.
///
/// Thread: one at a time; one per thread.
public struct CommandReader: Sendable {
  private let table: AddressTable
  private var cache: [String: Resolution]
  private let cacheLimit: Int
  private let isScore: Bool

  /// - Parameters:
  ///   - isScore: messages come from a score, where `/player/<name>` in front always names who plays. Elsewhere
  ///     `/player/<name>/gain` is a host's hand on that player's channel.
  ///   - cacheLimit: addresses remembered beyond the table's own; then it forgets them all and begins again.
  public init(table: AddressTable = .standard, isScore: Bool = false, cacheLimit: Int = 1_024) {
    self.table = table
    self.isScore = isScore
    self.cacheLimit = cacheLimit
    cache = [:]
  }

  /// - Returns: nil for a button coming up where that means nothing.
  /// - Throws: `WireError`.
  public mutating func read(_ message: OSCMessage) throws(WireError) -> Envelope? {
    let resolution: Resolution
    if let known = table.concrete[message.address] ?? cache[message.address] {
      resolution = known
    } else if message.address.utf8.contains(where: AddressPattern.isSpecial) {
      return try expand(message)
    } else {
      resolution = try table.resolve(message.address, isScore: isScore)
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[message.address] = resolution
    }
    if let pad = resolution.hit, let command = CommandReader.plainHit(pad, message) {
      return Envelope(room: resolution.room, player: resolution.player, request: .command(command))
    }
    guard let request = try table.request(resolution, message) else { return nil }
    return Envelope(room: resolution.room, player: resolution.player, request: request)
  }

  /// The hit or release that the row's general way would come to, for the arguments that controllers send.
  private static func plainHit(_ pad: Pad, _ message: OSCMessage) -> Command? {
    guard message.arguments.count == 1, case .float(let value) = message.arguments[0], value >= 0, value.isFinite else {
      return nil
    }
    return Velocity(value).map { .hit(pad, $0) } ?? .release(pad)
  }

  private func expand(_ message: OSCMessage) throws(WireError) -> Envelope? {
    let pattern = try AddressPattern(message.address)
    var commands: [Command] = []
    for place in table.ownSettings where pattern.matches(place.segments) {
      let concrete = OSCMessage(place.address, message.arguments)
      let request = try table.request(Resolution(entry: place.entry, numbers: place.numbers), concrete)
      if case .command(let command)? = request { commands.append(command) }
    }
    guard !commands.isEmpty else { throw .patternMatchesNothing(address: message.address) }
    return Envelope(room: pattern.room, request: .commands(commands))
  }
}

extension AddressTable {
  /// Checks the arguments against the row and builds its request.
  func request(_ resolution: Resolution, _ message: OSCMessage) throws(WireError) -> Request? {
    let entry = entries[resolution.entry]
    guard let build = entry.build else { throw .notForSending(address: message.address) }
    var arguments = WireArguments(address: message.address)
    arguments.numbers = resolution.numbers
    arguments.texts = resolution.texts
    if entry.arguments.isEmpty && (entry.access == .trigger || entry.access == .query) {
      guard try isPress(message) else { return nil }
    } else if entry.access == .readOnly {
      guard message.arguments.allSatisfy(\.isEmpty) else { throw .readOnly(address: message.address) }
    } else if entry.isButton, message.arguments.count == 1, let value = message.arguments[0].number,
      value == 0 || value == 1
    {
      guard value == 1 else { return nil }
    } else {
      arguments.values = try check(message.arguments, entry.arguments, message.address)
    }
    return try build(arguments)
  }

  /// No argument, or a value above 0.
  private func isPress(_ message: OSCMessage) throws(WireError) -> Bool {
    guard let first = message.arguments.first, !first.isEmpty else { return true }
    guard message.arguments.count == 1 else {
      throw .tooManyArguments(got: message.arguments.count, most: 1, address: message.address)
    }
    guard let value = first.number else {
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
    for spec in specs {
      if spec.repeats {
        while next < given.count {
          values.append(try spec.check(given[next], address: address))
          next += 1
        }
        continue
      }
      // `/subscribe position`: a word cannot be the number that was left out before it.
      if spec.isOptional, case .integer = spec.kind, next < given.count, given[next].text != nil {
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
      throw .tooManyArguments(got: given.count, most: specs.count, address: address)
    }
    return values
  }
}
