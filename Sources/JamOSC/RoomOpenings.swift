internal import JamCore
internal import JamNet
internal import JamRoom

/// Limits how many rooms one address may have open, and how fast it may open them. A room costs
/// memory and a part of a core.
///
/// A machine without I/O. Thread: one at a time.
struct RoomOpenings {
  /// The rooms of one address that may be open at once.
  static let mostAtOnce = 4
  static let perSecond = 0.1
  /// The rooms that may be opened in a row.
  static let burst = 4.0
  static let mostAddresses = 4_096

  private var owners: [PlayerName: SocketAddress] = [:]
  private var budgets: [SocketAddress: TokenBucket] = [:]

  /// Counts one more room of the address.
  /// - Throws: the reason for a refusal, with advice.
  mutating func allow(_ address: SocketAddress, at now: HostTime) throws(Refusal) {
    let key = address.site
    let open = owners.values.count { $0 == key }
    guard open < RoomOpenings.mostAtOnce else {
      throw .tooManyOwnRooms(open)
    }
    if budgets.count >= RoomOpenings.mostAddresses { forgetRested(at: now) }
    var budget =
      budgets[key] ?? TokenBucket(perSecond: RoomOpenings.perSecond, burst: RoomOpenings.burst, at: now)
    let isAllowed = budgets.count < RoomOpenings.mostAddresses && budget.take(at: now)
    budgets[key] = budget
    guard isAllowed else { throw .roomsOpenedTooFast }
  }

  mutating func opened(_ room: PlayerName, by address: SocketAddress) { owners[room] = address.site }

  mutating func closed(_ room: PlayerName) { owners[room] = nil }

  private mutating func forgetRested(at now: HostTime) {
    budgets = budgets.filter { entry in
      var budget = entry.value
      return !budget.holds(RoomOpenings.burst, at: now)
    }
  }
}
