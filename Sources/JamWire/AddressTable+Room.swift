public import JamCore

extension AddressTable {
  /// The room that a message names: the one of `/room/<name>/…`, or the one that `/hello` asks for.
  /// - Returns: nil where it names none, and is for the sender's own room.
  public func room(namedBy message: OSCMessage) -> PlayerName? {
    if message.address == "/hello" {
      guard message.arguments.count > 1, let text = message.arguments[1].text else { return nil }
      return PlayerName(text)
    }
    guard message.address.hasPrefix("/room/") else { return nil }
    let parts = message.address.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
    guard parts.count > 1, let name = parts.first, concrete[message.address] == nil else {
      return nil
    }
    return PlayerName(String(name))
  }
}
