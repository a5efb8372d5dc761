public import JamCore

extension AddressTable {
  /// The room that a message names: the one of `/room/<name>/…`, also behind `/n`, or the one that
  /// `/hello` asks for.
  /// - Returns: nil where it names none, and is for the sender's own room.
  public func room(namedBy message: OSCMessage) -> PlayerName? {
    if message.address == "/hello" {
      guard message.arguments.count > 1, let text = message.arguments[1].text else { return nil }
      return PlayerName(text)
    }
    let isShare = message.address.hasPrefix(AddressTable.sharePrefix)
    let address = isShare ? String(message.address.dropFirst(2)) : message.address
    guard address.hasPrefix("/room/"), concrete[address] == nil else { return nil }
    let parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    guard parts.count > 1, let name = parts.first else { return nil }
    return PlayerName(String(name))
  }
}
