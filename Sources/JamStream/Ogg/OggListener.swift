internal import Glibc
public import NIOCore
internal import Synchronization

/// A place for one Ogg listener, kept until it is attached. If it is never attached, the place is
/// given back.
///
/// Thread: any one at a time.
public final class OggListener: Sendable {
  private let stream: OggStream
  private let fanout: PageFanout
  private let isAttached = Atomic<Bool>(false)

  init(stream: OggStream, fanout: PageFanout) {
    self.stream = stream
    self.fanout = fanout
  }

  deinit { if !isAttached.load(ordering: .relaxed) { stream.mount.left(stream) } }

  /// Takes a connection over from its channel, which is closed: ten thousand channels would cost
  /// more memory than their listeners may. The connection itself stays open. From now on the
  /// fan-out thread writes to it.
  ///
  /// Call it once, on the channel's event loop, when the HTTP head has been written and flushed.
  /// - Throws: `StreamError.system` where the channel is no socket or no descriptor is left; the
  ///   channel is then untouched.
  public func attach(_ channel: any Channel) throws(StreamError) {
    var copy: Int32 = -1
    do {
      copy =
        try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
          fcntl($0, F_DUPFD_CLOEXEC, 0)
        } ?? -1
    } catch {
      throw .closed
    }
    guard copy >= 0 else { throw .system("dup") }
    attach(descriptor: copy)
    channel.close(promise: nil)
  }

  /// Takes over a connected stream socket. The socket is closed when the listener is gone.
  public func attach(descriptor: Int32) {
    guard !isAttached.exchange(true, ordering: .relaxed) else {
      close(descriptor)
      return
    }
    fanout.join(descriptor, stream)
  }
}
