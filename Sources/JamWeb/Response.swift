import JamWire
import NIOCore
import NIOHTTP1

/// What goes back to the asker.
struct Response: Sendable {
  var status: HTTPResponseStatus
  /// The content's type, and what this answer adds to the headers that every answer carries.
  var headers: [(name: String, value: String)]
  var body: Body

  enum Body: Sendable {
    case none
    case bytes(ByteBuffer)
    /// Written piece by piece as the asker takes it; `length` bytes in all.
    case pieces(any PieceSource, length: Int)
    /// Nothing yet: the request's body is taken in first, and `BodyPlan.then` answers.
    indirect case receive(BodyPlan)
    /// Nothing yet: the answer is made after so many milliseconds, on the connection's event loop.
    case later(milliseconds: Double, @Sendable () -> Response)
    /// The connection is HTTP no longer: behind the head it belongs to the closure. Ends with the connection.
    case takeover(@Sendable (any Channel) -> Void)
  }

  init(_ status: HTTPResponseStatus = .ok, headers: [(name: String, value: String)] = [], body: Body = .none) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A text for people: what was wrong and what would be right.
  /// - Parameter code: what programs compare, where the reason has a code.
  static func text(
    _ status: HTTPResponseStatus, _ text: String, code: ErrorCode? = nil, headers: [(name: String, value: String)] = []
  ) -> Response {
    let codes = code.map { [(name: ErrorCode.header, value: $0.rawValue)] } ?? []
    return Response(
      status,
      headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")] + codes + headers,
      body: .bytes(ByteBuffer(string: text + "\n")))
  }
}

/// What becomes of a request's body.
struct BodyPlan: Sendable {
  /// Bytes at most; more gets `tooLarge`.
  let limit: Int
  let tooLarge: Response
  /// Where its bytes find room; nil where they are few.
  var room: (any BodyRoom)? = nil
  /// Takes the whole body, on the connection's event loop, and answers once, from any thread.
  let then: @Sendable ([UInt8], @escaping @Sendable (Response) -> Void) -> Void
}

/// Room for a body on its way in, which it shares with others.
///
/// Thread: any.
protocol BodyRoom: AnyObject, Sendable {
  /// More has come.
  /// - Returns: false where there is no room for it.
  func grow(by bytes: Int) -> Bool
  /// Calls, on any thread, when the room goes to others: the body is to end.
  func whenLost(_ call: @escaping @Sendable () -> Void)
  /// The whole body is there: it loses its room no more.
  func complete()
  /// What whoever finds no room is told.
  static var isFull: Response { get }
}

/// A body that is made as it is sent.
protocol PieceSource: Sendable {
  /// The next piece, of at most some 64 KiB; nil at the end. Thread: the connection's event loop.
  mutating func next(allocator: ByteBufferAllocator) -> ByteBuffer?
}
