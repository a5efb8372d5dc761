import JamCore
import JamNet
import NIOCore
import NIOHTTP1

/// A take by its link. `GET /take/<id>` is a page with a player, `/take/<id>.png` its picture, and
/// `/take/<id>.json` its facts.
///
/// Thread: the connection's event loop; the rest of an answer is made on the thread on which
/// `WebTakes` answers.
enum TakePage {
  static let folder = "/take/"
  static let picture = ".png"
  static let facts = ".json"

  // MARK: The page

  /// Anybody gets the page, as with `/`. The page of a room with a password tells nothing of the
  /// take. Its script asks for the password, and then for the facts.
  static func page(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard !room.isPasswordProtected else { return html(.ok) }
    guard let takes = room.takes else { return gone }
    let id = String(request.path.dropFirst(folder.count))
    let address = address(of: request)
    return TakeFiles.whenAnswered { answered in
      find(id, in: takes) { result in
        switch result {
        case .success(let take): answered(html(.ok, TakeHead(take: take, room: address).html))
        case .failure(let problem): answered(html(problem.kind == .notThere ? .notFound : .ok))
        }
      }
    }
  }

  /// The page for a room that does not exist. Its script says that the take is gone.
  static let gone = html(.notFound)

  private static let title = "<title>Bandshell</title>"

  /// The text of `take.html` in front of its title, and behind it.
  private static var parts: (before: String, after: String) {
    #if DEBUG
      if let text = PageFolder.named?.text(of: "take.html"), let parts = parts(of: text) { return parts }
    #endif
    return embedded
  }

  private static let embedded: (before: String, after: String) = {
    guard let page = Asset.all.first(where: { $0.path == "/take.html" }),
      let parts = parts(of: String(buffer: page.bytes))
    else { preconditionFailure("take.html has no title") }
    return parts
  }()

  private static func parts(of text: String) -> (before: String, after: String)? {
    guard let place = text.firstRange(of: title) else { return nil }
    return (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
  }

  /// - Parameter head: replaces the title.
  private static func html(_ status: HTTPResponseStatus, _ head: String = title) -> Response {
    let parts = parts
    return Response(
      status, headers: [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: parts.before + head + parts.after)))
  }

  /// The room's address, so that messengers find the files: `http://host:8088/rooms/attic/`. Nil
  /// where the request does not name the server.
  private static func address(of request: HTTPRequest) -> String? {
    guard let host = request.namedHost, !host.isEmpty, host.utf8.allSatisfy(isOfHost) else { return nil }
    let room = request.roomName.map { "rooms/\(PercentEncoding.encoded($0))/" } ?? ""
    return "\(request.scheme)://\(host)/\(room)"
  }

  /// Whether the byte may stand in a name, or in an address with its port (RFC 3986 §3.2).
  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: ".-_:[]".utf8.contains(byte)
    }
  }

  // MARK: The facts and the picture

  static func getFacts(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    answer(request, facts, in: room) { take in
      var json = JSONWriter(capacity: 2_048)
      TakeFiles.write(take, to: &json)
      return Response(
        headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
        body: .bytes(ByteBuffer(string: json.text + "\n")))
    }
  }

  static func getPicture(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    let known = request.head.headers.first(name: "If-None-Match")
    return answer(request, picture, in: room) { take in
      guard !take.peaks.isEmpty else {
        return .text(
          .conflict, "\(take.id) has no picture yet: it is still being played, or prepared",
          headers: [("Retry-After", "5")])
      }
      let tag = TakePicture.tag(of: take.peaks)
      let headers = [(name: "ETag", value: tag), (name: "Cache-Control", value: "no-cache")]
      guard known?.contains(tag) != true else { return Response(.notModified, headers: headers) }
      guard let file = TakePicture.file(of: take.peaks) else {
        return .text(.serviceUnavailable, "the server has no memory for the picture: try again in a moment")
      }
      return Response(
        headers: [(name: "Content-Type", value: "image/png")] + headers, body: .bytes(ByteBuffer(bytes: file)))
    }
  }

  /// Answers with the result of `body` for the take that the address names.
  private static func answer(
    _ request: HTTPRequest, _ ending: String, in room: any WebRoom,
    _ body: @escaping @Sendable (TakeItem) -> Response
  ) -> Response {
    guard let takes = room.takes else { return TakeFiles.nothingKept }
    let id = String(request.path.dropFirst(folder.count).dropLast(ending.count))
    return TakeFiles.whenAnswered { answered in
      find(id, in: takes) { result in
        switch result {
        case .success(let take): answered(body(take))
        case .failure(let problem): answered(ProjectFiles.response(to: problem))
        }
      }
    }
  }

  private static func find(
    _ id: String, in takes: any WebTakes, then call: @escaping @Sendable (Result<TakeItem, ProjectProblem>) -> Void
  ) {
    takes.list { result in
      switch result {
      case .failure(let problem): call(.failure(problem))
      case .success(let items):
        guard let take = items.first(where: { $0.id == id }) else {
          return call(.failure(ProjectProblem(.notThere, Refusal.noSuchTake(id))))
        }
        call(.success(take))
      }
    }
  }
}
