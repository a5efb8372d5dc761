public import JamCore
public import JamWire
import NIOCore
import NIOHTTP1
import Synchronization

/// `PUT /samples/<name>`: a sound that a player brings.
enum Upload {
  static let folder = "/samples/"

  static func response(to request: HTTPRequest, in room: any WebRoom, rooms: UploadRooms) -> Response {
    // A page of another site must not bring sounds in its visitor's name.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site sent this: open the server's own page")
    }
    let name = String(request.path.dropFirst(folder.count))
    // Programs that read URLs take `.` and `..` for paths.
    guard ShownName.isValid(name), name != ".", name != ".." else {
      return .text(
        .badRequest,
        """
        a sound's name has 1–\(Limits.standard.nameCharacters) characters, no slashes or control characters, \
        and is neither . nor ..
        """
      )
    }
    let owner: UploadOwner?
    do { owner = try UploadOwner(request.query) } catch {
      return .text(.badRequest, error.text, code: .argumentMissing)
    }
    let tooLarge = Response.text(
      .payloadTooLarge, "\(name) is larger than \(rooms.limit >> 20) MiB: shorten it or save it as FLAC")
    guard request.contentLength ?? 0 <= rooms.limit else { return tooLarge }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    guard let place = rooms.take(for: sender) else { return UploadRoom.isFull }
    return Response(
      body: .receive(
        BodyPlan(limit: request.contentLength ?? rooms.limit, tooLarge: tooLarge, room: place) { bytes, answer in
          guard !bytes.isEmpty else {
            return answer(.text(.badRequest, "\(name) came without a sound: send the file as the request's body"))
          }
          room.upload(bytes, name: name, owner: owner, from: sender) { result in
            // The place is kept until the sound is made, because the bytes are in memory until
            // then.
            withExtendedLifetime(place) {}
            answer(response(to: result))
          }
        }))
  }

  private static func response(to result: Result<UploadedSound, UploadProblem>) -> Response {
    switch result {
    case .failure(let problem):
      let status: HTTPResponseStatus =
        switch problem.kind {
        case .notSound: .unsupportedMediaType
        case .tooLong: .payloadTooLarge
        case .unusable: .unprocessableEntity
        case .noSpace: .insufficientStorage
        case .refused: .conflict
        case .locked: .locked
        case .notYours: .forbidden
        case .tooMuch: .tooManyRequests
        case .busy: .serviceUnavailable
        }
      return .text(
        status, problem.text, code: problem.code, headers: problem.kind.wait.map { [("Retry-After", "\($0)")] } ?? [])
    case .success(let sound):
      var json = JSONWriter(capacity: 256)
      json.object { json in
        json.value(sound.id, "id")
        json.value(sound.name, "name")
        json.value(sound.category, "category")
        json.value(sound.seconds, "seconds")
        json.array("notes") { json in for note in sound.notes { json.value(note) } }
      }
      return Response(
        .created, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
        body: .bytes(ByteBuffer(string: json.text + "\n")))
    }
  }
}

/// The pad that gets the sound at once, from the query: `player=`, `token=`, `pad=`.
public struct UploadOwner: Hashable, Sendable {
  public var player: String
  public var token: String
  /// 1…16.
  public var pad: Int

  struct Incomplete: Error { var text: String }

  init?(_ query: Query) throws(Incomplete) {
    guard let word = query["pad"] else {
      // Both without a pad show who brings it, as a closed door wants to know.
      guard (query["player"] == nil) == (query["token"] == nil) else {
        let text = "player= and token= stand beside each other, as /welcome told them"
        throw Incomplete(text: "\(text); or leave both out")
      }
      return nil
    }
    guard let pad = Int(word), Pad(pad) != nil else { throw Incomplete(text: "pad=\(word) is no pad: 1…\(Pad.count)") }
    guard let player = query["player"], let token = query["token"] else {
      throw Incomplete(
        text: "pad=\(word) wants player= and token= beside it, as /welcome told them; or choose it by OSC")
    }
    self.player = player
    self.token = token
    self.pad = pad
  }
}

/// The sound that an upload became.
public struct UploadedSound: Sendable {
  /// The id, in the form that `/pad/<n>/sample` takes.
  public var id: String
  public var name: String
  public var category: String
  public var seconds: Double
  /// Changes to the sound that its owner should know of.
  public var notes: [String]

  public init(id: String, name: String, category: String, seconds: Double, notes: [String]) {
    self.id = id
    self.name = name
    self.category = category
    self.seconds = seconds
    self.notes = notes
  }
}

/// The reason why an upload was refused.
public struct UploadProblem: Error, Sendable {
  /// The answers for `tooMuch` and `busy` tell when to try again.
  public enum Kind: Sendable { case notSound, tooLong, unusable, noSpace, refused, locked, notYours, tooMuch, busy }
  public var kind: Kind
  /// A sentence that says what was wrong and what would be right.
  public var text: String
  /// The code that programs compare; nil where the reason has none.
  public var code: ErrorCode?

  public init(_ kind: Kind, _ text: String, code: ErrorCode? = nil) {
    self.kind = kind
    self.text = text
    self.code = code
  }

  public init(_ kind: Kind, _ refusal: Refusal) { self.init(kind, refusal.words, code: refusal.code) }
}

extension UploadProblem.Kind {
  /// The seconds after which the client may try again; nil where trying again does not help.
  fileprivate var wait: Int? {
    switch self {
    case .busy: 2
    case .tooMuch: 60
    default: nil
    }
  }
}
