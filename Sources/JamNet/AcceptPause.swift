internal import Glibc
public import NIOCore

/// Stands at a listening channel and pauses it where the process or the system has no descriptor or no memory for
/// one more connection. Without it the event loop spins: the kernel says again and again that
/// somebody waits.
///
/// Thread: the channel's event loop.
public final class AcceptPause: ChannelInboundHandler {
  public typealias InboundIn = any Channel

  /// Those who connect meanwhile wait in the kernel.
  static let pause = TimeAmount.milliseconds(500)

  private let report: @Sendable (Int32) -> Void
  private var isPaused = false

  /// - Parameter report: hears of each pause, with the `errno` that brought it about.
  public init(report: @escaping @Sendable (Int32) -> Void) { self.report = report }

  public func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
      return context.fireErrorCaught(error)
    }
    guard !isPaused else { return }
    isPaused = true
    report(code)
    // Not NIO's own back-off: it holds back the next read, and here the read that failed is still under way.
    let options = context.channel.syncOptions
    try? options?.setOption(.autoRead, value: false)
    context.eventLoop.assumeIsolated().scheduleTask(in: AcceptPause.pause) { [self] in
      isPaused = false
      try? options?.setOption(.autoRead, value: true)
    }
  }
}
