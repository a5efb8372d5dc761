internal import JamNet
internal import Synchronization

/// The WebRTC sessions, for requests over HTTP: their secret names, and how many each host has.
///
/// Thread: any.
final class WebRTCRegistry: Sendable {
  private struct Session {
    var id: ListenerID
    var host: SocketAddress
    var isOpen = false
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var tokens: [ListenerID: String] = [:]
    var connecting: [SocketAddress: Int] = [:]
    var lastNumber: UInt64 = 0

    mutating func leave(_ host: SocketAddress) {
      let left = (connecting[host] ?? 1) - 1
      connecting[host] = left > 0 ? left : nil
    }
  }

  private let state = Mutex(State())

  /// The most listeners of one host, and of all hosts together, that asked and are not connected
  /// yet.
  static let mostConnectingPerHost = 64
  static let mostConnecting = 1_024

  /// Takes a place; `ended` gives it back.
  /// - Parameter host: without its port.
  /// - Throws: `StreamError.connecting`.
  func enter(_ host: SocketAddress) throws(StreamError) -> (id: ListenerID, token: String) {
    let token = RandomText.make(length: 24)
    // For this machine itself the limit is higher, so that a test can have many listeners.
    let most = host.isLoopback ? WebRTCRegistry.mostConnecting : WebRTCRegistry.mostConnectingPerHost
    return try state.withLock { state throws(StreamError) in
      guard state.connecting[host, default: 0] < most,
        state.connecting.values.reduce(0, +) < WebRTCRegistry.mostConnecting
      else { throw .connecting(limit: most) }
      state.lastNumber += 1
      let id = ListenerID(number: state.lastNumber)
      state.sessions[token] = Session(id: id, host: host)
      state.tokens[id] = token
      state.connecting[host, default: 0] += 1
      return (id, token)
    }
  }

  func opened(_ id: ListenerID) {
    state.withLock { state in
      guard let token = state.tokens[id], state.sessions[token]?.isOpen == false, let host = state.sessions[token]?.host
      else { return }
      state.sessions[token]?.isOpen = true
      state.leave(host)
    }
  }

  func ended(_ id: ListenerID) {
    state.withLock { state in
      guard let token = state.tokens.removeValue(forKey: id), let session = state.sessions.removeValue(forKey: token)
      else { return }
      if !session.isOpen { state.leave(session.host) }
    }
  }

  func find(_ token: String) -> ListenerID? { state.withLock { $0.sessions[token]?.id } }
}
