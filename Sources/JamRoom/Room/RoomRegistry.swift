public import JamCore
internal import Synchronization

/// A server's rooms by name.
///
/// Thread: any.
public final class RoomRegistry: Sendable {
  private let rooms = Mutex<[PlayerName: Room]>([:])
  /// Makes a room that somebody asked for; nil where rooms are only those named at the start.
  private let make: (@Sendable (PlayerName) throws(Refusal) -> Room)?
  public let main: PlayerName
  private let limits: Limits

  /// - Parameter make: opens a room on demand; called on the thread that asks.
  public init(
    main: PlayerName, limits: Limits = .standard, make: (@Sendable (PlayerName) throws(Refusal) -> Room)? = nil
  ) {
    self.main = main
    self.limits = limits
    self.make = make
  }

  public func add(_ room: Room) { rooms.withLock { $0[room.name] = room } }

  /// The room is closed. Another may have its name by now.
  public func remove(_ room: Room) {
    rooms.withLock { if $0[room.name] === room { $0[room.name] = nil } }
  }

  /// Whether somebody who asks for a room that is not there can have it opened.
  public var opensRooms: Bool { make != nil }

  public var all: [Room] { rooms.withLock { $0.values.sorted { $0.name.text < $1.name.text } } }

  /// The room of that name, if it is open. `nil` asks for `main`.
  public func room(_ name: PlayerName?) -> Room? { rooms.withLock { $0[name ?? main] } }

  /// The room of that name, opened for the asker where the server allows that.
  public func enter(_ name: PlayerName?) throws(Refusal) -> Room {
    if let room = room(name) { return room }
    let wanted = name ?? main
    guard let make else {
      throw .noSuchRoom(wanted, open: all.prefix(8).map(\.name))
    }
    guard wanted.text != ".", wanted.text != ".." else {
      throw .badRoomName(wanted)
    }
    guard all.count < limits.rooms else { throw .tooManyRooms(most: limits.rooms) }
    let room = try make(wanted)
    add(room)
    return room
  }
}
