public import JamCore

/// Turns messages into requests, remembering the addresses it has resolved.
///
/// Thread: one at a time; one per thread.
public struct CommandReader: Sendable {
  private let table: AddressTable
  private var cache: [String: Resolution]
  /// Addresses that there are not: a phone sends the same one sixty times a second.
  private var unknown: Set<String> = []
  private var patterns: [String: Matches] = [:]
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
      if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
      cache[message.address] = resolution
    }
    if !isScore, let pad = resolution.hit, let command = CommandReader.plainHit(pad, message) {
      return AddressedRequest(room: resolution.room, player: resolution.player, request: .command(command))
    }
    guard let request = try table.request(resolution, message, isScore: isScore) else { return nil }
    return AddressedRequest(room: resolution.room, player: resolution.player, request: request)
  }

  /// Longer ones are found out anew each time: what is remembered of strangers stays small.
  private static let longestUnknown = 128
  private static let mostPatterns = 64

  /// The hit or release that the row's general way would come to, for the arguments that controllers send.
  private static func plainHit(_ pad: Pad, _ message: OSCMessage) -> Command? {
    guard message.arguments.count == 1, case .float(let value) = message.arguments[0], value >= 0, value.isFinite else {
      return nil
    }
    return .press(pad, value)
  }

  /// What a pattern matches: a look at every setting's address.
  private struct Matches {
    var room: PlayerName?
    /// In `ownSettings`.
    var places: [Int]
    /// Their rows, each once.
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
    let matches = Matches(room: pattern.room, places: places, entries: Array(entries))
    if patterns.count >= CommandReader.mostPatterns { patterns.removeAll(keepingCapacity: true) }
    if address.utf8.count <= CommandReader.longestUnknown { patterns[address] = matches }
    return matches
  }

  /// How many settings an address with a pattern matches, and in which room; nil where it has no pattern, or
  /// none that can be read.
  ///
  /// It is cheap, and building a command for each of them is not.
  public mutating func reach(of address: String) -> (count: Int, room: PlayerName?)? {
    guard address.utf8.contains(where: AddressPattern.isSpecial), let matches = try? matches(of: address)
    else { return nil }
    return (matches.places.count, matches.room)
  }

  /// Whether the message is one value of a continuous control, or of several by a pattern, that would be
  /// taken: of two that follow each other the later alone counts.
  public mutating func isContinuousValue(_ message: OSCMessage) -> Bool {
    guard message.arguments.count == 1 else { return false }
    if let known = table.concrete[message.address] ?? cache[message.address] {
      return isContinuous(known.entry, message)
    }
    guard message.address.utf8.contains(where: AddressPattern.isSpecial) else {
      return switch (try? read(message))?.request {
      case .command(.set(_, .float)), .command(.struck(.step, _)): true
      default: false
      }
    }
    guard let matches = try? matches(of: message.address), !matches.entries.isEmpty else { return false }
    return matches.entries.allSatisfy { isContinuous($0, message) }
  }

  private func isContinuous(_ entry: Int, _ message: OSCMessage) -> Bool {
    let entry = table.entries[entry]
    guard entry.access == .setter || entry.isOfNote, entry.arguments.count == 1, entry.arguments[0].isContinuous
    else { return false }
    return (try? entry.arguments[0].check(message.arguments[0], address: message.address)) != nil
  }

  private mutating func expand(_ message: OSCMessage) throws(WireError) -> AddressedRequest? {
    let pattern = try matches(of: message.address)
    var commands: [Command] = []
    commands.reserveCapacity(pattern.places.count)
    for index in pattern.places {
      let place = table.ownSettings[index]
      let concrete = OSCMessage(place.address, message.arguments)
      let request = try table.request(
        Resolution(entry: place.entry, numbers: place.numbers), concrete, isScore: isScore)
      if case .command(let command)? = request { commands.append(command) }
    }
    guard !commands.isEmpty else { throw .patternMatchesNothing(address: message.address) }
    return AddressedRequest(room: pattern.room, request: .commands(commands))
  }
}

extension AddressTable {
  /// Checks the arguments against the row and builds its request.
  /// - Parameter isScore: velocities are what was played, on no player's scale.
  func request(
    _ resolution: Resolution, _ message: OSCMessage, isScore: Bool = false
  ) throws(WireError) -> Request? {
    let entry = entries[resolution.entry]
    guard let build = entry.build else { throw .notForSending(address: message.address) }
    var arguments = WireArguments(address: message.address)
    arguments.isOfScore = isScore
    arguments.numbers = resolution.numbers
    arguments.texts = resolution.texts
    if entry.arguments.isEmpty && (entry.access == .trigger || entry.access == .query) {
      guard try isPress(message) else { return nil }
    } else if entry.access == .readOnly {
      guard message.arguments.allSatisfy(\.isEmpty) else { throw .readOnly(address: message.address) }
    } else if entry.isButton, message.arguments.count == 1, let value = message.arguments[0].number,
      value == 0 || value == 1 || entry.arguments.allSatisfy(\.isWord)
    {
      guard value > 0 else { return nil }
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
    for (index, spec) in specs.enumerated() {
      if spec.repeats {
        while next < given.count {
          values.append(try spec.check(given[next], address: address))
          next += 1
        }
        continue
      }
      // `/subscribe position`: a word cannot be the number that was left out before it.
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
      throw .tooManyArguments(got: given.count, most: specs.count, address: address)
    }
    return values
  }
}
