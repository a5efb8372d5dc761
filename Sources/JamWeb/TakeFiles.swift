import Glibc
public import JamCore
import NIOCore
import NIOHTTP1

/// The takes of a room: to list, to listen to and to download.
///
/// Thread: every call comes on an event loop, so it returns at once; `call` is called once, on any
/// thread.
public protocol WebTakes: Sendable {
  /// Lists the takes, the latest first.
  func list(then call: @escaping @Sendable (Result<[TakeItem], ProjectProblem>) -> Void)
  /// Orders a file of a take, or of a project's loops. The file is made even if the client does not
  /// wait for it any more.
  /// - Parameter isWaiting: `call` is called when the file is complete; otherwise at once, with the
  ///   part that is done.
  func file(
    _ wanted: WantedFile, isWaiting: Bool,
    then call: @escaping @Sendable (Result<TakeFileAnswer, ProjectProblem>) -> Void)
  /// Cancels a file that is being made.
  func cancel(_ wanted: WantedFile, then call: @escaping @Sendable (Result<Void, ProjectProblem>) -> Void)
}

/// A file that a client wants: its source, its form and its options.
public struct WantedFile: Sendable {
  public enum Source: Sendable {
    /// A take, by its id.
    case take(String)
    /// A project's loops, by the project's name.
    case project(String)
  }

  public var source: Source
  /// The ending of the file's name: `wav`, `stems.zip` …
  public var form: String
  /// The options from the query, as `by=pad`.
  public var options: [(name: String, value: String)]
  /// The address or the network that counts as one asker.
  public var asker = ""
  /// Whether the file may be made now. A page of another site gets only what is there.
  public var mayBegin = true
}

public enum TakeFileAnswer: Sendable {
  case file(TakeDownload)
  /// The part of the file that is done, 0…1.
  case making(part: Double)
}

/// A file that is ready to be sent.
public struct TakeDownload: Sendable {
  public var path: String
  /// The name of the downloaded file.
  public var name: String
  public var mediaType: String

  public init(path: String, name: String, mediaType: String) {
    self.path = path
    self.name = name
    self.mediaType = mediaType
  }
}

/// `GET /takes`, `GET /takes/<id>.<form>`, `GET /projects/<name>/loops.<form>`. `DELETE` cancels a
/// file that is being made.
enum TakeFiles {
  static let list = "/takes"
  static let folder = "/takes/"

  static let nothingKept = ProjectFiles.response(to: ProjectProblem(.notThere, Refusal.takesNotKept))

  static func list(in room: any WebRoom) -> Response {
    guard let takes = room.takes else { return nothingKept }
    return whenAnswered { answered in
      takes.list { result in
        let items: [TakeItem]
        switch result {
        case .failure(let problem): return answered(ProjectFiles.response(to: problem))
        case .success(let found): items = found
        }
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

  static func write(_ item: TakeItem, to json: inout JSONWriter) {
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
    guard var wanted = wanted(request) else {
      return .text(.notFound, "\(request.path): add what it is to be, as .wav: \(forms)")
    }
    wanted.asker = UploadRooms.sender(request.visitor?.text ?? "")
    // A page of another site must not keep the server busy in its visitor's name.
    wanted.mayBegin = !request.isCrossSite || request.isFollowedLink
    let (asked, conditions) = (wanted, FileStretch.Conditions(request.head.headers))
    return whenAnswered { answered in
      takes.file(asked, isWaiting: request.query["wait"] != "0") { result in
        switch result {
        case .failure(let problem): answered(ProjectFiles.response(to: problem))
        case .success(.file(let download)): answered(FileStretch.response(download, conditions))
        case .success(.making(let part)):
          var json = JSONWriter(capacity: 128)
          json.object { $0.value(part, "part") }
          answered(
            Response(
              .accepted,
              headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store"), ("Retry-After", "1")],
              body: .bytes(ByteBuffer(string: json.text + "\n"))))
        }
      }
    }
  }

  static func delete(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard let takes = room.takes else { return nothingKept }
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site sent this: open the server's own page")
    }
    guard let wanted = wanted(request) else {
      return .text(.notFound, "\(request.path): add what it was to be, as .wav")
    }
    return whenAnswered { answered in
      takes.cancel(wanted) { result in
        switch result {
        case .failure(let problem): answered(ProjectFiles.response(to: problem))
        case .success: answered(Response(.noContent))
        }
      }
    }
  }

  /// Whether a project's address asks for its loops.
  static func isOfLoops(_ request: HTTPRequest) -> Bool { request.path.contains(loops) }

  private static let loops = "/loops."
  private static let forms = ExportForm.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")

  private static func wanted(_ request: HTTPRequest) -> WantedFile? {
    let options = request.query.pairs.filter { !["wait", "password"].contains($0.name) }
    if request.path.hasPrefix(ProjectFiles.folder) {
      let parts = request.path.dropFirst(ProjectFiles.folder.count).split(separator: "/", maxSplits: 1)
      guard parts.count == 2, parts[1].hasPrefix(loops.dropFirst()) else { return nil }
      return WantedFile(
        source: .project(String(parts[0])), form: String(parts[1].dropFirst(loops.count - 1)), options: options)
    }
    // An id has no dot, so the form begins behind the first dot.
    let parts = request.path.dropFirst(folder.count).split(separator: ".", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    return WantedFile(source: .take(String(parts[0])), form: String(parts[1]), options: options)
  }

  static func whenAnswered(
    _ body: @escaping @Sendable (@escaping @Sendable (Response) -> Void) -> Void
  ) -> Response {
    Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "takes are asked for without a body")) { _, answered in
          body(answered)
        }))
  }
}
