internal import JamCore
internal import JamNet

/// Bounds the bytes that one address gets alone. Its questions may be forged: their answers, which
/// are several times as long, then go to somebody who asked for nothing.
struct MDNSShares: Hashable, Sendable {
  private struct Share: Hashable, Sendable {
    var left: Double
    var filled: HostTime
  }

  private var shares: [SocketAddress: Share] = [:]

  /// In bytes: five answers with what is asked for next.
  static let atOnce = 1_500.0
  static let perSecond = 500.0
  /// No answer is shorter. A try that brings no answer costs as much.
  static let least = 40
  /// The addresses that are remembered.
  static let most = 256

  /// The bytes that the address may get now. An address that is not remembered gets nothing while
  /// there is no place for it.
  mutating func left(for host: SocketAddress, at now: HostTime) -> Int {
    if let known = shares[host] { return Int(saturating: MDNSShares.left(of: known, at: now)) }
    if shares.count >= MDNSShares.most {
      shares = shares.filter { MDNSShares.left(of: $0.value, at: now) < MDNSShares.atOnce }
    }
    return shares.count < MDNSShares.most ? Int(saturating: MDNSShares.atOnce) : 0
  }

  /// The address gets so many bytes now.
  mutating func charge(bytes: Int, to host: SocketAddress, at now: HostTime) {
    let left = shares[host].map { MDNSShares.left(of: $0, at: now) } ?? MDNSShares.atOnce
    shares[host] = Share(left: max(0, left - Double(bytes)), filled: now)
  }

  private static func left(of share: Share, at now: HostTime) -> Double {
    min(atOnce, share.left + max(0, now.milliseconds(since: share.filled)) / 1_000 * perSecond)
  }
}
