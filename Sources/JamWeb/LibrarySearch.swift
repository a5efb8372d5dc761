public import JamCore
public import JamWire
import NIOCore
import NIOHTTP1

/// The library of a server as a room sees it.
///
/// Thread: every call comes on an event loop, so it returns at once; `call` is called once, on any
/// thread.
public protocol WebLibrary: Sendable {
  /// - Parameters:
  ///   - words: the words and filters of the search; empty words find the most used items.
  ///   - player: a player, who finds their own blocks as well; the caller has checked the token.
  ///     Nil is nobody.
  ///   - sender: the address or the network that counts as one sender.
  func search(
    _ words: String, by player: String?, from sender: String,
    then call: @escaping @Sendable (Result<[SearchItem], LibraryProblem>) -> Void)
  func kitFile(of id: String, then call: @escaping @Sendable (Result<LibraryDownload, LibraryProblem>) -> Void)
  /// Keeps a kit's file; `call` gets the kit's id.
  func bringKit(
    _ file: [UInt8], as id: String, from sender: String,
    then call: @escaping @Sendable (Result<String, LibraryProblem>) -> Void)
  /// - Parameters:
  ///   - id: a block's name, or `room/owner/name`.
  ///   - owner: a player, who may get their own blocks as well.
  func blockFile(
    of id: String, for owner: BlockAsker?,
    then call: @escaping @Sendable (Result<LibraryDownload, LibraryProblem>) -> Void)
  /// Keeps a block's file in the room; `call` gets the block's id.
  /// - Parameter owner: the block's owner in the room; nil makes it everybody's.
  func bringBlock(
    _ file: [UInt8], named name: String, for owner: BlockAsker?, from sender: String,
    then call: @escaping @Sendable (Result<String, LibraryProblem>) -> Void)
}

/// The reason why the library refused a request.
public struct LibraryProblem: Error, Sendable {
  public enum Kind: Sendable { case malformed, notThere, taken, unusable, noSpace, tooMuch, busy, notYours, locked }
  public var kind: Kind
  /// A sentence that says what was wrong and what would be right.
  public var text: String
  /// The code that programs compare; nil where the reason has none.
  public var code: ErrorCode?
  /// After so many seconds the client may try again; nil leaves it to the kind.
  public var seconds: Int?

  public init(_ kind: Kind, _ text: String, code: ErrorCode? = nil, seconds: Int? = nil) {
    self.kind = kind
    self.text = text
    self.code = code
    self.seconds = seconds
  }

  public init(_ kind: Kind, _ refusal: Refusal, seconds: Int? = nil) {
    self.init(kind, refusal.words, code: refusal.code, seconds: seconds)
  }

  /// The problem as an HTTP answer.
  var response: Response {
    let status: HTTPResponseStatus =
      switch kind {
      case .malformed: .badRequest
      case .notThere: .notFound
      case .taken: .conflict
      case .unusable: .unprocessableEntity
      case .noSpace: .insufficientStorage
      case .tooMuch: .tooManyRequests
      case .busy: .serviceUnavailable
      case .notYours: .forbidden
      case .locked: .locked
      }
    let wait: String? =
      switch kind {
      case .busy, .tooMuch: "\(seconds ?? 2)"
      default: nil
      }
    return .text(status, text, code: code, headers: wait.map { [("Retry-After", $0)] } ?? [])
  }

  static let nothingFound = LibraryProblem(.notThere, "this server finds nothing; its log says why")
}

/// `GET /search?q=…`.
enum LibrarySearch {
  static let path = "/search"

  static func get(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard let library = room.library else { return LibraryProblem.nothingFound.response }
    let words = request.query["q"] ?? ""
    let player = request.query["player"]
    if let player, room.isRightToken(request.query["token"] ?? "", of: player) != true {
      return LibraryProblem(.notYours, Refusal.wrongToken).response
    }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "a search has no body")) { _, answered in
          library.search(words, by: player, from: sender) { result in
            switch result {
            case .failure(let problem): answered(problem.response)
            case .success(let items):
              var json = JSONWriter(capacity: 4_096)
              json.object { json in
                json.value(words, "words")
                json.array("items") { json in for item in items { write(item, to: &json) } }
              }
              answered(
                Response(
                  headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                  body: .bytes(ByteBuffer(string: json.text + "\n"))))
            }
          }
        }))
  }

  private static func write(_ item: SearchItem, to json: inout JSONWriter) {
    json.object { json in
      json.value(item.kind.rawValue, "kind")
      json.value(item.id, "id")
      json.value(item.name, "name")
      json.value(item.theme, "theme")
      json.value(item.category, "category")
      json.value(Double(item.bpm), "bpm")
      json.value(item.author, "author")
      json.value(item.uses, "uses")
      json.value(Double(item.beats), "beats")
    }
  }
}
