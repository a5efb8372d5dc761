internal import JamCore

/// The bytes that an unproven address on an attached network may receive. Many OSC programs cannot
/// echo a cookie, so such an address gets a few bytes for each byte that came from it. Nobody can
/// therefore flood another person's address through this server, and players still get feedback.
///
/// Bytes count as the network carries them, with the headers of IP and UDP. At first four bytes may
/// go out for each that came in. An address that was heard in five different seconds gets up to
/// sixteen, but the part beyond four is at most 8 KiB a second. Unused credit stays, up to 64 KiB.
/// All senders of one host share the credit, because ports are forged as easily as addresses.
///
/// A machine without I/O. Thread: one at a time.
final class SendCredit {
  private(set) var credit = 0
  private var bonus: TokenBucket
  private var secondsHeard = 0
  private var lastSecond: HostTime?
  /// Whether a player asked for lights there. Then the full state does not wait for packets from
  /// the address.
  private var isVouchedFor = false

  static let headerBytes = 28
  static let factor = 4
  static let confirmedFactor = 16
  static let mostCredit = 64 << 10
  static let secondsToConfirm = 5
  /// After this much silence the seconds are counted anew.
  static let silenceMilliseconds = 60_000.0
  /// Below this credit, dispensable messages (positions and meters) are not sent. The rest of the
  /// credit stays for lights and beats.
  /// Not below `stateBytes`: positions take more than a player earns, so the credit would stay at
  /// the reserve, and the state would never be sent.
  static let reserve = stateBytes
  /// Enough for the full state. With the kits of a release, that of a player who has just come in
  /// has 1,104 messages: 31,184 bytes in 27 packets, 31,940 with headers. Each further player adds
  /// about 270: from some 35 players on, the rest comes as the address pays for it.
  static let stateBytes = 40 << 10

  /// The bytes that a packet of the state may have, without headers.
  private static let mostOfPacket = 1_200

  init(at now: HostTime) { bonus = TokenBucket(perSecond: 8_192, burst: 8_192, at: now) }

  /// Whether the address has sent for some time.
  var isConfirmed: Bool { isVouchedFor || secondsHeard >= SendCredit.secondsToConfirm }
  /// Whether the full state may be sent to the address.
  var hasCreditForState: Bool { isConfirmed && credit >= SendCredit.stateBytes }

  func received(bytes: Int, at now: HostTime) {
    if let last = lastSecond {
      let silence = now.milliseconds(since: last)
      if silence > SendCredit.silenceMilliseconds { secondsHeard = 0 }
      if silence >= 1_000 {
        secondsHeard = min(secondsHeard + 1, SendCredit.secondsToConfirm)
        lastSecond = now
      }
    } else {
      secondsHeard = 1
      lastSecond = now
    }
    let came = bytes + SendCredit.headerBytes
    var gain = SendCredit.factor * came
    let more = (SendCredit.confirmedFactor - SendCredit.factor) * came
    if isConfirmed, bonus.take(Double(more), at: now) { gain += more }
    credit = min(credit + gain, SendCredit.mostCredit)
  }

  /// A player asked for lights at an address that announces itself: enough for the full state, the
  /// first time. Turning lights off and on brings no second gift.
  func vouch() {
    guard !isVouchedFor else { return }
    isVouchedFor = true
    credit = SendCredit.mostCredit
  }

  /// Adds credit that the address did not earn.
  func lend(bytes: Int) { credit = min(credit + bytes, SendCredit.mostCredit) }

  /// Whether datagrams with so many bytes may all be sent now.
  func covers(_ sizes: [Int]) -> Bool {
    sizes.reduce(0) { $0 + $1 + SendCredit.headerBytes } <= credit
  }

  /// Whether any packet of the state may be sent now, to each of so many ports.
  func coversPiece(ports: Int) -> Bool {
    credit >= ports * (SendCredit.mostOfPacket + SendCredit.headerBytes)
  }

  /// Whether a datagram with so many bytes may be sent now; if so, it is counted.
  func maySend(bytes: Int, isDispensable: Bool = false) -> Bool {
    let cost = bytes + SendCredit.headerBytes
    guard credit - cost >= (isDispensable ? SendCredit.reserve : 0) else { return false }
    credit -= cost
    return true
  }
}
