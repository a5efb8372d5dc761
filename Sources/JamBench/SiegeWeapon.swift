internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// One way to send more to a server than anybody plays, from other addresses than those of the
/// players.
enum SiegeWeapon: String, CaseIterable {
  /// Bytes that are not OSC, or are almost OSC.
  case garbage
  /// Valid commands: values of controls for all pads, and the room's tempo.
  case settings
  /// Players who join under new names, each from a port of its own, and leave.
  case joins
  /// Addresses that do not exist, but differ from existing ones in a few letters.
  case unknown

  var perSecond: Int {
    switch self {
    case .garbage: 100_000
    case .settings: 10_000
    case .joins: 2_000
    case .unknown: 1_000
    }
  }

  /// The packet number `n`.
  func packet(_ n: Int) -> [UInt8] {
    switch self {
    case .garbage: SiegeWeapon.rubbish[n % SiegeWeapon.rubbish.count]
    case .settings:
      n % 4 == 0
        ? OSCMessage("/tempo", .float(100 + Float(n % 4_000) / 100)).encoded()
        : OSCMessage("/pad/*/gain", .float(-Float(n % 600) / 10)).encoded()
    case .joins: OSCMessage("/hello", .string("visitor \(n)")).encoded()
    case .unknown: OSCMessage("/pda/\(n % 16 + 1)/gian\(n % 5_000)", .float(1)).encoded()
    }
  }

  private static let rubbish: [[UInt8]] = {
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    return (0..<512).map { n in
      var bytes = (0..<(4 + random(80))).map { _ in UInt8(random(256)) }
      // Some packets begin like OSC.
      if n % 4 == 0 { bytes[0] = UInt8(ascii: "/") }
      if n % 4 == 1 { bytes = Array("#bundle\0".utf8) + bytes }
      return bytes
    }
  }()
}

/// Sends one kind of flood, from four addresses that the players do not use, on a thread of its
/// own.
final class SiegeSender: @unchecked Sendable {
  // Unchecked: only the thread touches the sockets. The counts are read after the thread has ended.
  private let weapon: SiegeWeapon
  private let path: NetworkPath
  private let seconds: Double
  private let share: Double
  private let thread = RealtimeThread(name: "siege")
  private(set) var sent = 0
  private(set) var elapsed = 0.0

  /// - Parameter share: the share of the weapon's packets a second that is sent.
  init(_ weapon: SiegeWeapon, port: UInt16, seconds: Double, share: Double = 1) {
    self.weapon = weapon
    self.seconds = seconds
    self.share = share
    path = NetworkPath(peer: .loopback(port: port))
  }

  func start() { thread.start { [self] in run() } }
  func join() { thread.join() }

  private func run() {
    let sockets = (2...5).compactMap { try? DatagramSocket(binding: .ipv4(127, 0, 0, UInt8($0))) }
    guard !sockets.isEmpty else { return }
    let start = HostTime.now
    let end = start.advanced(byMilliseconds: seconds * 1_000)
    var batch = DatagramBatch(capacity: 64)
    var next = 0
    var now = start
    while now < end {
      let due = Int(now.milliseconds(since: start) / 1_000 * Double(weapon.perSecond) * share)
      // Packets that a busy machine could not send in time are skipped.
      next = max(next, due - weapon.perSecond / 20)
      while next < due {
        if weapon == .joins {
          comeAndGo(next)
          next += 1
          sent += 1
          continue
        }
        let count = min(64, due - next)
        for _ in 0..<count {
          _ = batch.append(weapon.packet(next), along: path)
          next += 1
        }
        sent += count - batch.flush(through: sockets[next / 64 % sockets.count])
      }
      RealtimeThread.sleep(untilNanoseconds: now.nanoseconds + 1_000_000)
      now = .now
    }
    elapsed = HostTime.now.milliseconds(since: start) / 1_000
  }

  private func comeAndGo(_ n: Int) {
    guard let socket = try? DatagramSocket(binding: .ipv4(127, 0, 0, UInt8(2 + n % 4))) else { return }
    _ = weapon.packet(n).withUnsafeBytes { socket.send($0, along: path) }
    // Every second player does not leave, and stays until the server notices that it is gone.
    guard n % 2 == 0 else { return }
    _ = OSCMessage("/bye").encoded().withUnsafeBytes { socket.send($0, along: path) }
  }
}
