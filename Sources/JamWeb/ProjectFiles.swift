public import JamCore
import JamNet
public import JamWire
import NIOCore
import NIOHTTP1

/// The projects of a server, as files to download and to upload.
///
/// Thread: every call comes on an event loop, so it returns at once; `call` is called once, on any
/// thread.
public protocol WebProjects: Sendable {
  func list(then call: @escaping @Sendable ([ProjectItem]) -> Void)
  /// - Parameter version: a version's number; nil is the project as it is now.
  func file(
    of name: String, version: Int?, then call: @escaping @Sendable (Result<ProjectDownload, ProjectProblem>) -> Void)
  /// - Parameter sender: the address or the network that counts as one sender.
  func bring(
    _ file: [UInt8], named name: String, from sender: String,
    then call: @escaping @Sendable (Result<ProjectUpload, ProjectProblem>) -> Void)
}

/// A project that was kept of a file.
public struct ProjectUpload: Sendable {
  public var name: String
  /// The kits and sounds of the file that were left out, because its music names none of them.
  public var unneededKits: Int
  public var unneededSounds: Int

  public init(name: String, unneededKits: Int, unneededSounds: Int) {
    self.name = name
    self.unneededKits = unneededKits
    self.unneededSounds = unneededSounds
  }
}

/// A project's file.
public struct ProjectDownload: Sendable {
  /// The project's name, spelled as in the catalogue.
  public var name: String
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The reason why a request for a project or a take was refused.
public struct ProjectProblem: Error, Sendable {
  public enum Kind: Sendable { case notThere, taken, unusable, noSpace, tooMuch, busy, notYours }
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
}

/// `GET /projects`, `GET /projects/<name>`, `PUT /projects/<name>`.
enum ProjectFiles {
  static let list = "/projects"
  static let folder = "/projects/"

  private static let nothingKept = response(to: ProjectProblem(.notThere, Refusal.projectsNotKept))

  static func list(in room: any WebRoom) -> Response {
    guard let projects = room.projects else { return nothingKept }
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "the list is asked for without a body")) { _, answered in
          projects.list { items in
            var json = JSONWriter(capacity: 1_024)
            json.object { json in
              json.array("projects") { json in for item in items { write(item, to: &json) } }
            }
            answered(answer(json))
          }
        }))
  }

  private static func write(_ item: ProjectItem, to json: inout JSONWriter) {
    json.object { json in
      json.value(item.name, "name")
      json.value(item.measures, "measures")
      json.value(Double(item.bpm), "bpm")
      json.value(item.signature, "signature")
      json.array("players") { json in for player in item.players { json.value(player) } }
      json.value(item.versions, "versions")
      json.value(Int(item.changed), "changed")
      json.value(item.room, "room")
    }
  }

  static func get(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard let projects = room.projects else { return nothingKept }
    let name = String(request.path.dropFirst(folder.count))
    let word = request.query["version"]
    let version = word.flatMap { Int($0) }
    if let word, (version ?? 0) < 1 {
      return .text(.badRequest, "version=\(word) is no version: they are numbered from 1")
    }
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "a project is asked for without a body")) { _, answered in
          projects.file(of: name, version: version) { result in
            switch result {
            case .failure(let problem): answered(response(to: problem))
            case .success(let file):
              let name = PercentEncoding.encoded(FileName.portable(file.name))
              answered(
                Response(
                  headers: [
                    ("Content-Type", "application/zip"), ("Cache-Control", "no-store"),
                    (
                      "Content-Disposition",
                      "attachment; filename*=UTF-8''\(name).bandshell.zip"
                    ),
                  ], body: .bytes(ByteBuffer(bytes: file.bytes))))
            }
          }
        }))
  }

  static func put(_ request: HTTPRequest, in room: any WebRoom, rooms: UploadRooms) -> Response {
    guard let projects = room.projects else { return nothingKept }
    // A page of another site must not bring projects in its visitor's name.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site sent this: open the server's own page")
    }
    let name = String(request.path.dropFirst(folder.count))
    guard ShownName.isValid(name), name != ".", name != ".." else {
      return .text(
        .badRequest,
        """
        a project's name has 1–\(Limits.standard.nameCharacters) characters, no slashes or control characters, \
        and is neither . nor ..
        """
      )
    }
    let tooLarge = Response.text(.payloadTooLarge, "\(name) is larger than \(rooms.limit >> 20) MiB")
    guard request.contentLength ?? 0 <= rooms.limit else { return tooLarge }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    guard let place = rooms.take(for: sender) else { return UploadRoom.isFull }
    return Response(
      body: .receive(
        BodyPlan(limit: request.contentLength ?? rooms.limit, tooLarge: tooLarge, room: place) { bytes, answered in
          projects.bring(bytes, named: name, from: sender) { result in
            // The place is kept until the project is stored, because its bytes are in memory until
            // then.
            withExtendedLifetime(place) {}
            switch result {
            case .failure(let problem): answered(response(to: problem))
            case .success(let project):
              var json = JSONWriter(capacity: 128)
              json.object { json in
                json.value(project.name, "name")
                json.value(project.unneededKits, "unneededKits")
                json.value(project.unneededSounds, "unneededSounds")
              }
              answered(answer(json, status: .created))
            }
          }
        }))
  }

  static func response(to problem: ProjectProblem) -> Response {
    let status: HTTPResponseStatus =
      switch problem.kind {
      case .notThere: .notFound
      case .taken: .conflict
      case .unusable: .unprocessableEntity
      case .noSpace: .insufficientStorage
      case .tooMuch: .tooManyRequests
      case .busy: .serviceUnavailable
      case .notYours: .forbidden
      }
    let wait: String? =
      switch problem.kind {
      case .busy: "\(problem.seconds ?? 2)"
      case .tooMuch: "\(problem.seconds ?? 60)"
      default: nil
      }
    return .text(status, problem.text, code: problem.code, headers: wait.map { [("Retry-After", $0)] } ?? [])
  }

  private static func answer(_ json: JSONWriter, status: HTTPResponseStatus = .ok) -> Response {
    Response(
      status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(string: json.text + "\n")))
  }
}
