internal import Glibc
public import NIOCore

/// Pauses a listening channel when the process or the system has no descriptor or memory for one
/// more connection. Otherwise the event loop would spin, because the kernel would report the
/// waiting connection again and again.
///
/// Thread: the channel's event loop.
public final class AcceptPause: ChannelInboundHandler {
  public typealias InboundIn = any Channel

  /// During the pause, new connections wait in the kernel.
  static let pause = TimeAmount.milliseconds(500)

  private let report: @Sendable (Int32) -> Void
  private var isPaused = false

  /// - Parameter report: called for each pause, with the `errno` that caused it.
  public init(report: @escaping @Sendable (Int32) -> Void) { self.report = report }

  public func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
      return context.fireErrorCaught(error)
    }
    guard !isPaused else { return }
    isPaused = true
    report(code)
    // NIO's own back-off does not help: it delays the next read, but the failed read is still in
    // progress here.
    let options = context.channel.syncOptions
    try? options?.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: AcceptPause.pause) { [self] in
      isPaused = false
      try? options?.setOption(.autoRead, value: true)
    }
  }
}
