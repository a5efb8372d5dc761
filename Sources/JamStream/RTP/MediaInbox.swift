internal import JamNet
internal import JamRealtime
internal import Synchronization

/// A lease for the media thread to install.
struct LeaseRequest: Sendable {
  let room: RoomStreams
  let stream: EncodedStream
  let path: NetworkPath
}

/// An order of another thread to the media thread.
enum MediaOrder: Sendable {
  case lease(LeaseRequest)
  case listener(WebRTCRequest)
  case leave(ListenerID)
  /// The result of a listener's DTLS handshake.
  case handshake(ListenerID, DTLSConnection.Event)
}

/// Orders on their way to the media thread. The queue needs no limit: each order stands for an HTTP
/// request or a handshake, which have limits of their own.
///
/// Thread: any.
final class MediaInbox: Sendable {
  private let orders = Mutex<[MediaOrder]>([])
  private let loop: PollLoop

  init(loop: PollLoop) { self.loop = loop }

  func add(_ order: MediaOrder) {
    orders.withLock { $0.append(order) }
    loop.wake()
  }

  func take() -> [MediaOrder] {
    orders.withLock { orders in
      defer { orders.removeAll(keepingCapacity: true) }
      return orders
    }
  }
}
