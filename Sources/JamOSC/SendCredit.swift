internal import JamCore

/// What an address on an attached network gets before it has echoed its cookie, which many OSC programs cannot do: a few bytes for each
/// that comes from there. So nobody can be flooded through us in another's name, and whoever plays hears of it all the same.
///
/// Bytes count as the network carries them, with the headers of IP and UDP. At first four go out for each that came in. Who was heard in
/// five different seconds gets up to sixteen, but the part beyond four is at most 8 KiB a second. Unused credit stays, up to 64 KiB.
/// All senders of one host share it: ports are forged as easily as anything else.
///
/// A machine without I/O. Thread: one at a time.
final class SendCredit {
  private(set) var credit = 0
  private var bonus: TokenBucket
  private var secondsHeard = 0
  private var lastSecond: HostTime?

  static let headerBytes = 28
  static let factor = 4
  static let confirmedFactor = 16
  static let mostCredit = 64 << 10
  static let secondsToConfirm = 5
  /// After so long a silence the seconds are counted anew.
  static let silenceMilliseconds = 60_000.0
  /// Below this, what can be missed is left out: positions and meters wait for credit that lights and beats do not need.
  static let reserve = mostCredit / 2
  /// What the full state takes.
  static let stateBytes = 32 << 10

  init(at now: HostTime) { bonus = TokenBucket(perSecond: 8_192, burst: 8_192, at: now) }

  /// Whether its own traffic has gone on for a while.
  var isConfirmed: Bool { secondsHeard >= SendCredit.secondsToConfirm }
  /// Whether the full state may go there.
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

  /// Whether a datagram of so many bytes may go there now; if so, it is counted.
  func maySend(bytes: Int, isDispensable: Bool = false) -> Bool {
    let cost = bytes + SendCredit.headerBytes
    guard credit - cost >= (isDispensable ? SendCredit.reserve : 0) else { return false }
    credit -= cost
    return true
  }
}
