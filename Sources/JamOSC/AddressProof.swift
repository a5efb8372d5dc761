/// What an address has shown of itself. Outside the attached networks a sender's address may be forged: until it has echoed
/// the cookie that was sent there, it gets no more bytes than came from it, so that nobody can be flooded through us.
///
/// A machine without I/O. Thread: one at a time.
struct AddressProof {
  private(set) var isProven: Bool
  let cookie: String
  private var balance = 0

  /// - Parameter isAttached: whether the address is on a network that this machine is attached to.
  init(isAttached: Bool, cookie: String) {
    isProven = isAttached
    self.cookie = cookie
  }

  mutating func received(bytes: Int) { if !isProven { balance += bytes } }

  /// - Returns: whether the cookie is the right one.
  mutating func echo(_ text: String) -> Bool {
    guard text == cookie else { return false }
    isProven = true
    return true
  }

  /// Whether so many bytes may go there now; if so, they are counted. Nothing goes before the cookie went.
  mutating func maySend(bytes: Int) -> Bool {
    if isProven { return true }
    guard answersUntilAsking != 0 else { return false }
    guard balance >= bytes else {
      answersUntilAsking -= 1
      return false
    }
    balance -= bytes
    return true
  }

  /// Whether the cookie should go there before the next answer; if so, it is counted. It asks again after some answers that
  /// could not go: the cookie may have been lost.
  mutating func mayAsk(bytes: Int) -> Bool {
    guard !isProven, answersUntilAsking == 0, balance >= bytes else { return false }
    balance -= bytes
    answersUntilAsking = AddressProof.patience
    return true
  }

  private var answersUntilAsking = 0
  private static let patience = 8
}
