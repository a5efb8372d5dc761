import NIOCore
import NIOHTTP1

/// A request's body that is still arriving, and the plan for it.
struct IncomingBody {
  let plan: BodyPlan
  let keepsAlive: Bool
  let version: HTTPVersion
  /// The request is a HEAD: the answer is a head without a body.
  let isHead: Bool
  /// The moment by which more of the body must have arrived.
  var due: NIODeadline
  var bytes: [UInt8] = []
}

/// Receives a body piece by piece, up to its limit in bytes and no slower than its least pace.
///
/// Thread: the connection's event loop.
extension Connection {
  /// Begins to receive the body of a request whose head was accepted.
  func receive(_ plan: BodyPlan, of head: HTTPRequestHead, _ facts: HeadFacts, _ context: ChannelHandlerContext) {
    let due = context.eventLoop.now + grace
    state = .receiving(
      IncomingBody(
        plan: plan, keepsAlive: head.isKeepAlive, version: head.version, isHead: head.method == .HEAD, due: due))
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    plan.room?.whenLost {
      loop.execute { bound.value.0.giveWay(bound.value.1) }
    }
    // RFC 9110 §10.1.1: a client that sent `Expect: 100-continue` waits for this answer.
    if facts.hasBody, facts.expectsContinue, head.version != .http1_0 {
      let go = context.channel.allocator.buffer(string: "HTTP/1.1 100 Continue\r\n\r\n")
      context.writeAndFlush(Self.wrapOutboundOut(go), promise: nil)
    }
    setDeadline(at: due, context)
  }

  func append(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
    guard case .receiving(var incoming) = state else { return }
    // The body is moved out of `state`, so that its bytes grow in place and are not copied.
    state = .waiting
    guard incoming.bytes.count + piece.readableBytes <= incoming.plan.limit else {
      return send(incoming.plan.tooLarge, keepsAlive: false, version: incoming.version, context)
    }
    if let room = incoming.plan.room, !room.grow(by: piece.readableBytes) {
      return send(type(of: room).isFull, keepsAlive: false, version: incoming.version, context)
    }
    incoming.bytes.append(contentsOf: piece.readableBytesView)
    // Each piece extends the time limit, but never beyond `stallSeconds` from now. So nobody sends
    // much at first and then holds the connection.
    let bought = Double(piece.readableBytes) / Double(limits.slowestBytesPerSecond)
    incoming.due = min(incoming.due + .nanoseconds(Int64(bought * 1_000_000_000)), context.eventLoop.now + grace)
    let due = incoming.due
    state = .receiving(incoming)
    setDeadline(at: due, context)
  }

  /// Ends this body, because other senders need the room.
  private func giveWay(_ context: ChannelHandlerContext) {
    guard case .receiving(let incoming) = state, let room = incoming.plan.room else { return }
    send(type(of: room).isFull, keepsAlive: false, version: incoming.version, context)
  }

  func bodyEnded(_ context: ChannelHandlerContext) {
    guard case .receiving(let incoming) = state else { return }
    state = .working
    incoming.plan.room?.complete()
    setDeadline(limits.workSeconds, context)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    incoming.plan.then(incoming.bytes) { response in
      loop.execute {
        let (connection, context) = bound.value
        guard case .working = connection.state else { return }
        connection.send(
          response, keepsAlive: incoming.keepsAlive, version: incoming.version, isHead: incoming.isHead, context)
        connection.goOn(context)
      }
    }
  }

  /// The longest time in which a body may bring no bytes.
  private var grace: TimeAmount { .nanoseconds(Int64(limits.stallSeconds * 1_000_000_000)) }
}
