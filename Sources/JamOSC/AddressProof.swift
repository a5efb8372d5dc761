internal import JamCore
internal import JamRoom

/// Whether a sender has proved that its address is its own. The address of a datagram may be
/// forged. The sender proves its address by echoing a cookie that was sent to that address.
///
/// Until then the address gets no more bytes than came from it, so that nobody can flood a third
/// party through this server. An address on an attached network gets a few more bytes
/// (`SendCredit`). Commands from an unproven address never have a host's rights.
///
/// A machine without I/O. Thread: one at a time.
struct AddressProof {
  private(set) var isProven: Bool
  let cookie: String
  /// The credit of an address on an attached network. All ports of its host share it.
  let sendCredit: SendCredit?
  private var balance = 0

  /// The proof of a stream: its handshake already proves the address. For this machine's own
  /// addresses the kernel prevents forging.
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

  /// - Returns: whether the address is proven now.
  mutating func echo(_ text: String) -> Bool {
    guard !cookie.isEmpty, Secrets.equal(text, cookie) else { return isProven }
    isProven = true
    return true
  }

  /// Whether so many bytes may be sent to the address now; if so, they are counted. An address that
  /// is not on an attached network gets no answer before its cookie.
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

  /// Whether the cookie should be sent to the address now; if so, its bytes are counted. An address
  /// that is not on an attached network gets the cookie before the first answer, and again after
  /// some answers that could not be sent. An address on an attached network gets the cookie when it
  /// would help, and then less and less often, because most OSC programs cannot answer it.
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
