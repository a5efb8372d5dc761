internal import JamCore
internal import JamNet
internal import JamWire
internal import NIOCore
internal import Synchronization

/// One TCP connection as the room thread sees it: packets go out framed as the peer frames its own, within a bound.
///
/// Thread: `send` and `close` any.
final class StreamConnection: Sendable {
  let peer: JamNet.SocketAddress
  private let channel: any Channel
  private let framing = Mutex<Framing>(.lengthPrefix)
  private let waitingBytes = Atomic<Int>(0)
  private let refusedInARow = Atomic<Int>(0)

  /// What may wait for a slow reader; more is dropped.
  static let mostWaitingBytes = 256 << 10
  /// A reader that takes nothing while this many packets are dropped is gone.
  static let mostRefused = 4_096

  init(channel: any Channel, peer: JamNet.SocketAddress) {
    self.channel = channel
    self.peer = peer
  }

  func use(_ framing: Framing) { self.framing.withLock { $0 = framing } }

  /// - Returns: false where too much waits already: the packet is dropped.
  func send(_ packet: [UInt8]) -> Bool {
    let framed = framing.withLock { $0 }.frame(packet)
    guard waitingBytes.load(ordering: .relaxed) + framed.count <= StreamConnection.mostWaitingBytes else {
      if refusedInARow.wrappingAdd(1, ordering: .relaxed).newValue > StreamConnection.mostRefused { close() }
      return false
    }
    refusedInARow.store(0, ordering: .relaxed)
    waitingBytes.wrappingAdd(framed.count, ordering: .relaxed)
    let written = channel.writeAndFlush(channel.allocator.buffer(bytes: framed))
    written.whenComplete { [self] _ in waitingBytes.wrappingSubtract(framed.count, ordering: .relaxed) }
    return true
  }

  func close() { channel.close(promise: nil) }
}
