import Glibc
public import JamCore
import NIOCore
import NIOHTTP1

/// The takes of a room, to look at, to listen to and to take along.
///
/// Thread: every call comes on an event loop, so it returns at once; `call` is called once, on any thread.
public protocol WebTakes: Sendable {
  /// The latest first.
  func list(then call: @escaping @Sendable ([TakeItem]) -> Void)
  /// - Parameters:
  ///   - take: its id.
  ///   - kind: how the file's name ends: `wav`, `flac`, `opus`, `mid` or `score`.
  func file(
    of take: String, kind: String, then call: @escaping @Sendable (Result<TakeDownload, ProjectProblem>) -> Void)
}

/// A take's file.
public struct TakeDownload: Sendable {
  public var path: String
  /// As whoever takes it along will find it.
  public var name: String
  public var mediaType: String

  public init(path: String, name: String, mediaType: String) {
    self.path = path
    self.name = name
    self.mediaType = mediaType
  }
}

/// `GET /takes`, `GET /takes/<id>.<kind>`.
enum TakeFiles {
  static let list = "/takes"
  static let folder = "/takes/"

  private static let nothingKept = Response.text(
    .notFound, "this server keeps nothing; start it with --data DIR, or without --data none")

  static func list(in room: any WebRoom) -> Response {
    guard let takes = room.takes else { return nothingKept }
    return whenAnswered { answered in
      takes.list { items in
        var json = JSONWriter(capacity: 1_024)
        json.object { json in
          json.array("takes") { json in for item in items { write(item, to: &json) } }
        }
        answered(
          Response(
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
            body: .bytes(ByteBuffer(string: json.text + "\n"))))
      }
    }
  }

  private static func write(_ item: TakeItem, to json: inout JSONWriter) {
    json.object { json in
      json.value(item.id, "id")
      json.value(item.name, "name")
      json.value(Int(item.began), "began")
      json.value(item.seconds, "seconds")
      json.value(Double(item.bpm), "bpm")
      json.value(item.bars, "bars")
      json.value(item.heard.lowerBound, "first")
      json.value(item.heard.upperBound, "last")
      json.array("players") { json in for player in item.players { json.value(player) } }
      json.value(item.hits, "hits")
      json.value(item.isStarred, "starred")
      json.value(item.isRecording, "recording")
      json.value(Int(item.forgotten), "forgotten")
      json.array("peaks") { json in for peak in item.peaks { json.value(Int(peak)) } }
    }
  }

  static func get(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard let takes = room.takes else { return nothingKept }
    let file = request.path.dropFirst(folder.count)
    guard let dot = file.lastIndex(of: ".") else {
      return .text(.notFound, "/takes/\(file): add what it is to be: .wav, .flac, .opus, .mid or .score")
    }
    let (id, kind) = (String(file[..<dot]), String(file[file.index(after: dot)...]))
    let range = request.head.headers["range"].first
    return whenAnswered { answered in
      takes.file(of: id, kind: kind) { result in
        switch result {
        case .failure(let problem): answered(ProjectFiles.response(to: problem))
        case .success(let download): answered(FileStretch.response(download, range: range))
        }
      }
    }
  }

  private static func whenAnswered(
    _ body: @escaping @Sendable (@escaping @Sendable (Response) -> Void) -> Void
  ) -> Response {
    Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "takes are asked for without a body")) { _, answered in
          body(answered)
        }))
  }
}
