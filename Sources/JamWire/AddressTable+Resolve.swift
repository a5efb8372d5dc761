public import JamCore

extension AddressTable {
  /// Finds the row for `address`, after removing `/room/<name>` and `/player/<name>` or `/seat/<n>`
  /// from its beginning.
  /// - Parameters:
  ///   - isScore: whether `/player/<name>` at the beginning always names the player who acts, even
  ///     where the rest of the address is also a host's row.
  ///   - sent: the address that errors name, where it is longer than `address`.
  func resolve(
    _ address: String, isScore: Bool = false, sent: String? = nil
  ) throws(WireError) -> Resolution {
    let sent = sent ?? address
    if let known = concrete[address] { return known }
    if address.hasPrefix(AddressTable.sharePrefix) {
      return try resolveShare(address, isScore: isScore)
    }
    var segments = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard let head = segments.first, heads.contains(head) else { throw .unknownAddress(sent) }
    var room: PlayerName?
    var player: PlayerName?
    if let name = try prefix("room", of: &segments, address: sent) { room = name }
    if !isScore, let found = try match(segments, address: sent) { return found.with(room: room, player: nil) }
    var seat: Int?
    if let name = try prefix("player", of: &segments, address: sent) {
      player = name
    } else if !isScore {
      seat = try seatPrefix(of: &segments, address: sent)
    }
    // Without a name at the beginning all rows were already tried, except for a score's message.
    guard isScore || room != nil || player != nil || seat != nil,
      let found = try match(segments, address: sent)
    else {
      throw .unknownAddress(sent)
    }
    if !isScore && entries[found.entry].scope == .session { throw .notForOthers(address: sent) }
    return found.with(room: room, player: player, actingSeat: seat)
  }

  /// Removes `seat/<n>` from the beginning, if more parts follow.
  private func seatPrefix(
    of segments: inout ArraySlice<Substring>, address: String
  ) throws(WireError) -> Int? {
    guard segments.count > 2, segments.first == "seat",
      let seat = Int(segments[segments.startIndex + 1].prefix(20))
    else { return nil }
    let seats = 1...Limits.standard.playersPerRoom
    guard seats.contains(seat) else {
      throw .outOfRange(
        argument: "seat", value: Double(seat), range: 1...Double(seats.upperBound), unit: "",
        address: address)
    }
    segments = segments.dropFirst(2)
    return seat
  }

  /// Finds the row for `/n/<address>`: the value of a setting as a share of its range, a control
  /// with a light, or a pad or key with a velocity.
  private func resolveShare(_ address: String, isScore: Bool) throws(WireError) -> Resolution {
    let whole = String(address.dropFirst(AddressTable.sharePrefix.count - 1))
    guard !whole.hasPrefix(AddressTable.sharePrefix) else { throw .unknownAddress(address) }
    let found = try resolve(whole, isScore: isScore, sent: address)
    let hasShares = setting(of: found)?.row.kind.hasShares ?? entries[found.entry].isStruck
    guard hasShares else { throw .noRange(address: address) }
    return found.asShare
  }

  /// The light of the control that `/n/<address>` triggers; nil where that triggers nothing.
  public func light(atShare address: String) -> Setting? {
    guard let found = try? resolve(address), found.isShare, entries[found.entry].triggers else {
      return nil
    }
    return setting(of: found)
  }

  static let sharePrefix = "/n/"

  /// The setting of a row, or the light of a control.
  /// - Returns: nil where there is nothing to read at the address.
  func setting(of resolution: Resolution) -> Setting? {
    let entry = entries[resolution.entry]
    if let setting = entry.setting { return setting(resolution.numbers) }
    // The settings of players, kits and instruments have texts in their addresses. Those of seats
    // have numbers.
    guard !resolution.texts.isEmpty || resolution.seat != nil, let build = entry.build else {
      return nil
    }
    var arguments = WireArguments(address: entry.template)
    arguments.numbers = resolution.numbers
    arguments.texts = resolution.texts
    guard case .command(let command)? = try? build(arguments) else { return nil }
    return switch command {
    case .read(let setting), .toggle(let setting): setting
    case .chooseKit(.id(let id)): .light(.kit(id))
    case .set(.instrument, .text(let id)): .light(.instrument(id))
    // The button that lets a player in shows whether the player is in.
    case .admit(let name):
      resolution.seat.map { .ofSeat($0, .admitted(.anybody)) } ?? .admitted(name)
    default: nil
    }
  }

  /// Removes `word/<name>` from the beginning, if more parts follow.
  private func prefix(
    _ word: Substring, of segments: inout ArraySlice<Substring>, address: String
  ) throws(WireError) -> PlayerName? {
    guard segments.count > 2, segments.first == word else { return nil }
    let text = String(segments[segments.startIndex + 1])
    guard let name = PlayerName(text) else { throw .badName(argument: String(word), name: text, address: address) }
    segments = segments.dropFirst(2)
    return name
  }

  private func match(_ segments: ArraySlice<Substring>, address: String) throws(WireError) -> Resolution? {
    if let known = concrete["/" + segments.joined(separator: "/")] { return known }
    if let step = keyStep(segments) { return step }
    for i in shaped {
      if let texts = texts(of: entries[i], in: segments) { return Resolution(entry: i, texts: texts) }
    }
    // An address with a number out of range matches no row, but deserves a better message than "no
    // such address".
    guard numbered.indices.contains(segments.count) else { return nil }
    for i in numbered[segments.count] {
      if let error = outOfRange(segments, entries[i], address: address) { throw error }
    }
    return nil
  }

  private func keyStep(_ segments: ArraySlice<Substring>) -> Resolution? {
    guard let keySteps, segments.count == 4, segments.first == "key",
      segments[segments.startIndex + 2] == "step", let note = Int(segments[segments.startIndex + 1].prefix(20)),
      let step = Int(segments[segments.startIndex + 3].prefix(20)),
      zip([note, step], entries[keySteps].numbers).allSatisfy({ $1.range.contains($0) })
    else { return nil }
    return Resolution(entry: keySteps, numbers: (note, step))
  }

  /// The error about the numbers in an address with the row's words. The address has as many parts
  /// as the row.
  private func outOfRange(_ segments: ArraySlice<Substring>, _ entry: AddressEntry, address: String) -> WireError? {
    var numbers = entry.numbers[...]
    var error: WireError?
    for (part, segment) in zip(entry.segments, segments) {
      guard AddressEntry.isNumber(part), let (name, range) = numbers.popFirst() else {
        if part != segment { return nil }
        continue
      }
      guard let number = Int(segment.prefix(20)) else { return nil }
      if error == nil && !range.contains(number) {
        error =
          name == "pad"
          ? .padOutOfRange(String(number), address: address)
          : .outOfRange(
            argument: String(name), value: Double(number),
            range: Double(range.lowerBound)...Double(range.upperBound), unit: "", address: address)
      }
    }
    return error
  }

  /// The texts for the row's placeholders; nil where the address has other words than the row.
  private func texts(of entry: AddressEntry, in segments: ArraySlice<Substring>) -> [String]? {
    guard entry.segments.count == segments.count else { return nil }
    var texts: [String] = []
    for (part, segment) in zip(entry.segments, segments) {
      if part.first == "<" {
        guard !segment.isEmpty else { return nil }
        texts.append(String(segment))
      } else if part != segment {
        return nil
      }
    }
    return texts
  }
}
