internal import Glibc
internal import JamCore
internal import JamListen
internal import JamRealtime
internal import JamStream

/// Many Ogg listeners on connections of their own. They look for data ten times a second.
///
/// Thread: one.
final class OggCrowd {
  private struct Listener {
    var descriptor: Int32
    var last: HostTime
    var isStarved = false
  }

  private var listeners: [Listener] = []
  /// The first listener's stream is parsed, so that the counted bytes are known to be valid Ogg.
  private var demuxer = OggDemuxer()
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A longer gap is longer than the buffers of players.
  private static let starvingMilliseconds = 1_000.0

  init(_ url: ListenURL, count: Int) throws {
    for n in 0..<count {
      listeners.append(Listener(descriptor: try url.openStream(), last: .now))
      if n % 500 == 499 { for i in listeners.indices { _ = look(i) } }
    }
  }

  deinit { for listener in listeners { close(listener.descriptor) } }

  /// Listens until the process is ended.
  func run() throws {
    for i in listeners.indices {
      _ = look(i)
      listeners[i].last = .now
    }
    ListenerLoad.Verdict.forever { verdict in
      for i in listeners.indices { verdict.packets += look(i) }
    } judge: { verdict in
      verdict.starved = listeners.count { $0.isStarved }
      verdict.gone = listeners.count { $0.descriptor < 0 }
      // For Ogg the report has kilobytes in place of packets, and the lost pages of the first
      // listener's stream.
      verdict.packets /= 1_000
      verdict.lost = Int(demuxer.missingPages + demuxer.damagedPages)
      for i in listeners.indices { listeners[i].isStarved = false }
    }
  }

  private func look(_ i: Int) -> Int {
    guard listeners[i].descriptor >= 0 else { return 0 }
    let now = HostTime.now
    let count = recv(listeners[i].descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      listeners[i].last = now
      if i == 0 { _ = demuxer.receive(buffer[0..<count]) }
      return count
    }
    if count == 0 || errno != EAGAIN {
      close(listeners[i].descriptor)
      listeners[i].descriptor = -1
    } else if now.milliseconds(since: listeners[i].last) > OggCrowd.starvingMilliseconds {
      listeners[i].isStarved = true
    }
    return 0
  }
}
