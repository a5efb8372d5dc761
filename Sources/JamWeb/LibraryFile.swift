import JamCore
import JamNet
import JamWire
import NIOCore
import NIOHTTP1

/// A file of the library that a client downloads.
public struct LibraryDownload: Sendable {
  /// The name of the downloaded file.
  public var name: String
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The player who brings a block, or downloads one of their own.
public struct BlockAsker: Hashable, Sendable {
  public var player: String
  public var token: String
}

/// `GET` and `PUT /kits/<id>`, `/blocks/<id>`.
enum LibraryFile {
  static let kits = "/kits/"
  static let blocks = "/blocks/"

  static func getKit(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    download(request, from: kits, in: room) { library, id, answered in library.kitFile(of: id, then: answered) }
  }

  static func getBlock(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    let owner = BlockAsker(request)
    return download(request, from: blocks, in: room) { library, id, answered in
      library.blockFile(of: id, for: owner, then: answered)
    }
  }

  private static func download(
    _ request: HTTPRequest, from folder: String, in room: any WebRoom,
    _ make:
      @escaping @Sendable (
        any WebLibrary, String, @escaping @Sendable (Result<LibraryDownload, LibraryProblem>) -> Void
      ) -> Void
  ) -> Response {
    guard let library = room.library else { return LibraryProblem.nothingFound.response }
    let id = String(request.path.dropFirst(folder.count))
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "a file is asked for without a body")) { _, answered in
          make(library, id) { result in
            switch result {
            case .failure(let problem): answered(problem.response)
            case .success(let file):
              answered(
                Response(
                  headers: [
                    ("Content-Type", "application/zip"), ("Cache-Control", "no-store"),
                    ("Content-Disposition", "attachment; filename*=UTF-8''\(PercentEncoding.encoded(file.name))"),
                  ], body: .bytes(ByteBuffer(bytes: file.bytes))))
            }
          }
        }))
  }

  static func putKit(_ request: HTTPRequest, in room: any WebRoom, rooms: UploadRooms) -> Response {
    let id = String(request.path.dropFirst(kits.count))
    return upload(request, named: id, in: room, rooms: rooms) { library, bytes, sender, answered in
      library.bringKit(bytes, as: id, from: sender, then: answered)
    }
  }

  static func putBlock(_ request: HTTPRequest, in room: any WebRoom, rooms: UploadRooms) -> Response {
    let name = String(request.path.dropFirst(blocks.count))
    guard ShownName.isValid(name), name != ".", name != ".." else {
      return .text(
        .badRequest,
        """
        a block's name has 1–\(Limits.standard.nameCharacters) characters, no slashes or control characters, \
        and is neither . nor ..
        """
      )
    }
    let owner = BlockAsker(request)
    guard owner != nil || request.query["player"] == nil && request.query["token"] == nil else {
      return .text(
        .badRequest, "player= and token= stand beside each other, as /welcome told them; or leave both out",
        code: .argumentMissing)
    }
    return upload(request, named: name, in: room, rooms: rooms) { library, bytes, sender, answered in
      library.bringBlock(bytes, named: name, for: owner, from: sender, then: answered)
    }
  }

  private static func upload(
    _ request: HTTPRequest, named name: String, in room: any WebRoom, rooms: UploadRooms,
    _ bring:
      @escaping @Sendable (
        any WebLibrary, [UInt8], String, @escaping @Sendable (Result<String, LibraryProblem>) -> Void
      ) -> Void
  ) -> Response {
    guard let library = room.library else { return LibraryProblem.nothingFound.response }
    // A page of another site must not bring files in its visitor's name.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site sent this: open the server's own page")
    }
    let tooLarge = Response.text(.payloadTooLarge, "\(name) is larger than \(rooms.limit >> 20) MiB")
    guard request.contentLength ?? 0 <= rooms.limit else { return tooLarge }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    guard let place = rooms.take(for: sender) else { return UploadRoom.isFull }
    return Response(
      body: .receive(
        BodyPlan(limit: request.contentLength ?? rooms.limit, tooLarge: tooLarge, room: place) { bytes, answered in
          bring(library, bytes, sender) { result in
            // The place is kept until the file is stored, because its bytes are in memory until
            // then.
            withExtendedLifetime(place) {}
            switch result {
            case .failure(let problem): answered(problem.response)
            case .success(let id):
              var json = JSONWriter(capacity: 128)
              json.object { $0.value(id, "id") }
              answered(
                Response(
                  .created, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                  body: .bytes(ByteBuffer(string: json.text + "\n"))))
            }
          }
        }))
  }
}

extension BlockAsker {
  fileprivate init?(_ request: HTTPRequest) {
    guard let token = request.token else { return nil }
    (player, self.token) = (token.player, token.token)
  }
}
