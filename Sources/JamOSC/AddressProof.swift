internal import JamCore
internal import JamRoom

/// What an address has shown of itself. The address of a datagram may be forged: until it has echoed the cookie that was sent there, it
/// gets no more bytes than came from it, or on an attached network few more (`SendCredit`), so that nobody can be flooded through us; and
/// what comes from there is never a host's.
///
/// A machine without I/O. Thread: one at a time.
struct AddressProof {
  private(set) var isProven: Bool
  let cookie: String
  /// Of an address on an attached network; shared with its host's other ports.
  let sendCredit: SendCredit?
  private var balance = 0

  /// Streams prove themselves by their handshake, and this machine's own addresses by the kernel's care.
  static var ofStream: AddressProof { AddressProof(.here, cookie: "", sendCredit: nil) }

  init(_ nearness: Nearness, cookie: String, sendCredit: SendCredit?) {
    isProven = nearness == .here
    self.cookie = cookie
    self.sendCredit = nearness == .attached ? sendCredit : nil
  }

  mutating func received(bytes: Int, at now: HostTime) {
    guard !isProven else { return }
    if let sendCredit { sendCredit.received(bytes: bytes, at: now) } else { balance += bytes }
  }

  /// - Returns: whether the cookie is the right one.
  mutating func echo(_ text: String) -> Bool {
    guard !cookie.isEmpty, Secrets.equal(text, cookie) else { return isProven }
    isProven = true
    return true
  }

  /// Whether so many bytes may go there now; if so, they are counted. Elsewhere nothing goes before the cookie went.
  mutating func maySend(bytes: Int) -> Bool {
    if isProven { return true }
    if let sendCredit { return sendCredit.maySend(bytes: bytes) }
    guard answersUntilAsking != 0 else { return false }
    guard balance >= bytes else {
      answersUntilAsking -= 1
      return false
    }
    balance -= bytes
    return true
  }

  /// Whether the cookie should go there now; if so, it is counted. Elsewhere it goes before the first answer, and again after some answers
  /// that could not go. On an attached network it goes where it is of use, ever less often: most OSC programs know no answer to it.
  mutating func mayAsk(bytes: Int, at now: HostTime) -> Bool {
    guard !isProven else { return false }
    if let sendCredit {
      guard nextAsk.map({ now >= $0 }) ?? true, sendCredit.maySend(bytes: bytes) else { return false }
      nextAsk = now.advanced(byMilliseconds: pauseMilliseconds)
      pauseMilliseconds = min(pauseMilliseconds * 2, 64_000)
      return true
    }
    guard answersUntilAsking == 0, balance >= bytes else { return false }
    balance -= bytes
    answersUntilAsking = AddressProof.patience
    return true
  }

  private var answersUntilAsking = 0
  private static let patience = 8
  private var nextAsk: HostTime?
  private var pauseMilliseconds = 1_000.0
}
