@testable import JamLayout

extension LayoutRoom {
  /// A room with two kits; each pad of the first has a name.
  static let some = LayoutRoom(
    name: "main", kit: .some,
    kits: [.some, LayoutKit(id: "house", name: "House", colours: [], pads: [])])

  /// The same room for a host.
  static let ofHost: LayoutRoom = {
    var room = LayoutRoom.some
    (room.player, room.isForHost) = ("hanna", true)
    return room
  }()
}

extension LayoutKit {
  static let some = LayoutKit(
    id: "starter", name: "Starter", colours: ["#ff5a36", "#2b2d6e"],
    pads: (1...16).map { "Sound \($0)" })
}
