import Glibc
import JamCore
import JamNet
import JamRealtime
import JamStream

/// Many WebRTC listeners on sockets of their own, which look what came ten times a second.
///
/// Thread: one.
final class WebRTCCrowd {
  private struct Listener {
    let receiver: WebRTCReceiver
    var last: HostTime
    var sequence: UInt16?
    var isStarved = false
  }

  private var listeners: [Listener] = []
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)

  /// A gap longer than this is heard as silence by every player there is.
  private static let starvingMilliseconds = 500.0
  private static let lookMicroseconds: UInt32 = 100_000
  private static let connectMilliseconds = 10_000.0

  init(_ url: ListenURL, count: Int, protection: SRTPProfile) throws {
    let identity = try WebRTCReceiver.Identity(protection: protection)
    for n in 0..<count {
      listeners.append(Listener(receiver: try WebRTCReceiver(url, identity: identity), last: .now))
      try connect(n)
      // Those that listen already must not overflow meanwhile.
      if n % 50 == 49 { for i in listeners.indices { _ = look(i) } }
    }
  }

  private func connect(_ i: Int) throws {
    let end = HostTime.now.advanced(byMilliseconds: WebRTCCrowd.connectMilliseconds)
    while !listeners[i].receiver.isConnected {
      guard HostTime.now < end, !listeners[i].receiver.isGone else {
        throw ChildProcess.Failure(description: "listener \(i + 1) did not connect")
      }
      _ = look(i)
      usleep(500)
    }
  }

  /// Listens until the process is ended.
  func run() throws {
    for i in listeners.indices { listeners[i].last = .now }
    Console.say("listening")
    var verdict = ListenerLoad.Verdict()
    var nextWord = HostTime.now.advanced(byMilliseconds: 1_000)
    while true {
      usleep(WebRTCCrowd.lookMicroseconds)
      for i in listeners.indices {
        let (packets, lost) = look(i)
        verdict.packets += packets
        verdict.lost += lost
      }
      let now = HostTime.now
      guard now >= nextWord else { continue }
      nextWord = nextWord.advanced(byMilliseconds: 1_000)
      verdict.starved = listeners.count { $0.isStarved }
      verdict.gone = listeners.count { $0.receiver.isGone }
      Console.say("\(verdict.starved) \(verdict.gone) \(verdict.packets) \(verdict.lost)")
      for i in listeners.indices { listeners[i].isStarved = false }
      verdict = ListenerLoad.Verdict()
    }
  }

  private func look(_ i: Int) -> (packets: Int, lost: Int) {
    var packets = 0
    var lost = 0
    var last = listeners[i].last
    var sequence = listeners[i].sequence
    var longest = 0.0
    let now = HostTime.now
    listeners[i].receiver.look(with: receiver, at: now) { arrival in
      packets += 1
      longest = max(longest, arrival.time.milliseconds(since: last))
      last = arrival.time
      if let sequence { lost += max(0, Int(Int16(bitPattern: arrival.sequence &- sequence)) - 1) }
      sequence = arrival.sequence
    }
    // Judged by the kernel's stamps: that this process came late to look starves nobody.
    if packets == 0 { longest = now.milliseconds(since: last) }
    listeners[i].last = last
    listeners[i].sequence = sequence
    if longest > WebRTCCrowd.starvingMilliseconds { listeners[i].isStarved = true }
    return (packets, lost)
  }
}
