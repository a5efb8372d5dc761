internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamListen
internal import JamNet
internal import JamRealtime
internal import JamStream

/// Many WebRTC listeners on sockets of their own. They look for packets ten times a second.
///
/// Thread: one.
final class WebRTCCrowd {
  private struct Listener {
    let receiver: WebRTCReceiver
    var ear: CrowdEar
  }

  private var listeners: [Listener] = []
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)

  private static let roundMilliseconds = 1_000.0
  private static let connectMilliseconds = 20_000.0
  /// The number of listeners that connect at the same time. Each mostly waits for the other side.
  private static let mostConnecting = 16

  init(_ url: ListenURL, count: Int, protection: SRTPProfile) throws {
    let identity = try WebRTCReceiver.Identity(protection: protection)
    var nextRound = HostTime.now
    var connecting: [(index: Int, end: HostTime)] = []
    while listeners.count < count || !connecting.isEmpty {
      if listeners.count < count, connecting.count < WebRTCCrowd.mostConnecting {
        connecting.append((listeners.count, HostTime.now.advanced(byMilliseconds: WebRTCCrowd.connectMilliseconds)))
        listeners.append(Listener(receiver: try WebRTCReceiver(url, identity: identity), ear: CrowdEar(at: .now)))
      } else {
        usleep(500)
      }
      for (i, end) in connecting {
        _ = look(i)
        guard HostTime.now < end, !listeners[i].receiver.isGone else {
          throw ChildProcess.Failure(description: "listener \(i + 1) did not connect")
        }
      }
      connecting.removeAll { listeners[$0.index].receiver.isConnected }
      // Sockets of listeners that listen already must not overflow meanwhile, and the server must
      // not take them for gone.
      guard HostTime.now >= nextRound else { continue }
      nextRound = HostTime.now.advanced(byMilliseconds: WebRTCCrowd.roundMilliseconds)
      for i in listeners.indices { _ = look(i) }
    }
  }

  /// Listens until the process is ended.
  func run() throws {
    for i in listeners.indices { listeners[i].ear.begin(at: .now) }
    ListenerLoad.Verdict.forever { verdict in
      for i in listeners.indices { verdict.add(look(i)) }
    } judge: { verdict in
      verdict.starved = listeners.count { $0.ear.isStarved }
      verdict.gone = listeners.count { $0.receiver.isGone }
      for i in listeners.indices { listeners[i].ear.forgive() }
    }
  }

  private func look(_ i: Int) -> (packets: Int, lost: Int) {
    let now = HostTime.now
    var ear = listeners[i].ear
    listeners[i].receiver.look(with: receiver, at: now) { ear.hear($0.sequence, at: $0.time) }
    defer { listeners[i].ear = ear }
    return ear.judge(at: now)
  }
}
