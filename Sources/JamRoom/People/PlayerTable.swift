internal import JamCore

/// One value of each player of a room, by the player's place; read and changed in place.
struct PlayerTable<Value: Equatable & Sendable>: Equatable, Sendable {
  /// By `PlayerID.index`; nil is a place that nobody has.
  private(set) var values: [Value?]
  /// The places that are taken, a bit each. To ask an element of `values` would copy it.
  private var taken: UInt64 = 0

  /// - Parameter places: at most 64.
  init(places: Int) {
    precondition(places <= UInt64.bitWidth, "a bit for each place")
    values = Array(repeating: nil, count: places)
  }

  /// The value of a player in its place. A copy would cost more than all the rest of a hit.
  subscript(id: PlayerID) -> Value {
    unsafeAddress { address(of: id) }
    _modify { yield &values[Int(id.index)]! }
  }

  /// The address of a value in its place; for subscripts and `PlayerLights`, while the table is
  /// being read.
  // An address, and no `_read`: unoptimised, Swift 6.3.1 uses a yielded large struct after the
  // coroutine's frame was freed.
  @inline(__always) func address(of id: PlayerID) -> UnsafePointer<Value> {
    let place = Int(id.index)
    precondition(isTaken(place), "nobody has this place")
    // The array's memory stays while the table is being read. An optional begins with its value.
    return values.withUnsafeBufferPointer {
      UnsafeRawPointer($0.baseAddress! + place).assumingMemoryBound(to: Value.self)
    }
  }

  /// The value of the player in the place; nil where nobody has it.
  func value(at id: PlayerID) -> Value? { values[Int(id.index)] }

  /// Whether somebody has the place; without a copy of the value.
  @inline(__always) func isTaken(_ place: Int) -> Bool { taken >> UInt64(place) & 1 == 1 }

  /// The place is this player's from now on; any other loses it.
  mutating func put(_ value: Value, at id: PlayerID) {
    values[Int(id.index)] = value
    taken |= 1 << UInt64(id.index)
  }

  /// The place is free.
  mutating func remove(at id: PlayerID) {
    values[Int(id.index)] = nil
    taken &= ~(1 << UInt64(id.index))
  }
}
