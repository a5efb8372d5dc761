import JamWire
import NIOCore
import NIOHTTP1

/// The answer to a request.
struct Response: Sendable {
  var status: HTTPResponseStatus
  /// The type of the content, and headers that this answer adds to those of every answer.
  var headers: [(name: String, value: String)]
  var body: Body

  enum Body: Sendable {
    case none
    case bytes(ByteBuffer)
    /// The bytes are sent piece by piece at the pace of the client; `length` bytes in all.
    case pieces(any PieceSource, length: Int)
    /// There is no answer yet: the request's body is received first, and then `BodyPlan.then`
    /// answers.
    indirect case receive(BodyPlan)
    /// There is no answer yet: it is made after so many milliseconds, on the connection's event
    /// loop.
    case later(milliseconds: Double, @Sendable () -> Response)
    /// After the head, the connection is no longer HTTP and belongs to the closure. The answer has
    /// no other end than the connection's.
    case takeover(@Sendable (any Channel) -> Void)
  }

  init(_ status: HTTPResponseStatus = .ok, headers: [(name: String, value: String)] = [], body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A text for people: what was wrong and what would be right.
  /// - Parameter code: the code that programs compare, where the reason has one.
  static func text(
    _ status: HTTPResponseStatus, _ text: String, code: ErrorCode? = nil, headers: [(name: String, value: String)] = []
  ) -> Response {
    let codes = code.map { [(name: ErrorCode.header, value: $0.text)] } ?? []
    return Response(
      status,
      headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")] + codes + headers,
      body: .bytes(ByteBuffer(string: text + "\n")))
  }
}

/// The plan for a request's body.
struct BodyPlan: Sendable {
  /// The most bytes that the body may have. A larger body gets `tooLarge`.
  let limit: Int
  let tooLarge: Response
  /// The shared room for the body's bytes; nil where they are few.
  var room: (any BodyRoom)? = nil
  /// Gets the whole body, on the connection's event loop, and answers once, from any thread.
  let then: @Sendable ([UInt8], @escaping @Sendable (Response) -> Void) -> Void
}

/// Room for one body that arrives. Many bodies share the memory.
///
/// Thread: any.
protocol BodyRoom: AnyObject, Sendable {
  /// Asks for room for more bytes.
  /// - Returns: false where there is no room for them.
  func grow(by bytes: Int) -> Bool
  /// Sets the function that is called, on any thread, when other bodies get the room. The body then
  /// has to end.
  func whenLost(_ call: @escaping @Sendable () -> Void)
  /// The whole body has arrived, so it cannot lose its room any more.
  func complete()
  /// The answer for clients that get no room.
  static var isFull: Response { get }
}

/// A body that is made while it is sent.
protocol PieceSource: Sendable {
  /// The next piece, of at most about 64 KiB; nil at the end. Thread: the connection's event loop.
  mutating func next(allocator: ByteBufferAllocator) -> ByteBuffer?
}
