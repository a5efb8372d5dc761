import NIOCore
import NIOHTTP1

/// A request's body on its way in, and who waits for it.
struct IncomingBody {
  let plan: BodyPlan
  let keepsAlive: Bool
  let version: HTTPVersion
  let began: NIODeadline
  var bytes: [UInt8] = []
}

/// Taking in a body: piece by piece, up to its limit, and no slower than its pace.
///
/// Thread: the connection's event loop.
extension Connection {
  /// The head was fine: its body may come.
  func receive(_ plan: BodyPlan, of head: HTTPRequestHead, _ facts: HeadFacts, _ context: ChannelHandlerContext) {
    state = .receiving(
      IncomingBody(plan: plan, keepsAlive: head.isKeepAlive, version: head.version, began: context.eventLoop.now))
    // RFC 9110 §10.1.1: whoever asks first is told to go on.
    if facts.hasBody, facts.expectsContinue, head.version != .http1_0 {
      let go = context.channel.allocator.buffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
      context.writeAndFlush(Self.wrapOutboundOut(go), promise: nil)
    }
    setPace(received: 0, began: context.eventLoop.now, context)
  }

  func append(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(var incoming) = state else { return }
    // Out of the state, so that the bytes grow in place.
    state = .waiting
    guard incoming.bytes.count + piece.readableBytes <= incoming.plan.limit else {
      return send(incoming.plan.tooLarge, keepsAlive: false, version: incoming.version, context)
    }
    incoming.bytes.append(contentsOf: piece.readableBytesView)
    let (count, began) = (incoming.bytes.count, incoming.began)
    state = .receiving(incoming)
    setPace(received: count, began: began, context)
  }

  func bodyEnded(_ context: ChannelHandlerContext) {
    guard case .receiving(let incoming) = state else { return }
    state = .working
    setDeadline(limits.workSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    incoming.plan.then(incoming.bytes) { response in
      loop.execute {
        let (connection, context) = bound.value
        guard case .working = connection.state else { return }
        connection.send(response, keepsAlive: incoming.keepsAlive, version: incoming.version, context)
        connection.goOn(context)
      }
    }
  }

  /// A body has `stallSeconds`, and more for what has come of it: a peer that trickles holds its place no longer.
  private func setPace(received bytes: Int, began: NIODeadline, _ context: ChannelHandlerContext) {
    let seconds = limits.stallSeconds + Double(bytes) / Double(limits.slowestBytesPerSecond)
    setDeadline(at: began + .nanoseconds(Int64(seconds * 1_000_000_000)), context)
  }
}
