internal import JamCore

/// The room as one asker sees it: values by their addresses, and what the asker may set.
///
/// The values are those of `/sync`: `AddressTable.feedback` turns the room's events into the
/// messages from which a view is made. The tree's variable parts come from the same values: players
/// from `/player/<name>/…`, layers, seats, and keys that have steps. Kits and instruments are
/// listed beside the values.
///
/// Thread: any; a value.
public struct QueryView: Hashable, Sendable {
  public enum Asker: Hashable, Sendable {
    /// Somebody who has not said who it is. It may be a host by its messages, so the tree leaves it
    /// what hosts may set.
    case anybody
    case player
    case host
  }

  public var asker: Asker
  /// The latest arguments at each address.
  public private(set) var values: [String: [OSCArgument]] = [:]
  /// Names for people, by their addresses, which begin the descriptions there: `TR-808` at
  /// `/kit/808`. Pads, scenes and seats need none, because `/pad/3/name` is a value.
  public var titles: [String: String] = [:]
  /// The kits and instruments that the room lists, by their addresses. A player's own view has
  /// their lights, too; somebody who only looks learns from these what there is to choose.
  public var listed: [String] = [] { didSet { reshape() } }
  private(set) var shape = QueryShape()

  /// - Parameter messages: the values; of two at the same address the later one counts.
  public init(asker: Asker, _ messages: some Sequence<OSCMessage> = []) {
    self.asker = asker
    for message in messages { hear(message) }
  }

  /// Takes in a value that was told later.
  public mutating func hear(_ message: OSCMessage) {
    let isKnown = values.updateValue(message.arguments, forKey: message.address) != nil
    if !isKnown || QueryShape.dependsOnValue(message.address) {
      shape.insert(message.address, message.arguments)
    }
  }

  /// The value at the address is there no more, such as those of a player who left. This looks at
  /// all other values.
  public mutating func forget(_ address: String) {
    guard values.removeValue(forKey: address) != nil else { return }
    reshape()
  }

  private mutating func reshape() {
    shape = QueryShape()
    for (address, arguments) in values { shape.insert(address, arguments) }
    for address in listed { shape.insert(address, []) }
  }
}
