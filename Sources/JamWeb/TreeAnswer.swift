internal import JamCore
internal import JamNet
internal import JamRoom
internal import JamWire
import NIOCore
import NIOHTTP1

/// OSCQuery on the OSC port: the tree of OSC's addresses, `?HOST_INFO`, and the WebSocket.
/// - Source: OSCQuery proposal, draft of `github.com/Vidvox/OSCQueryProposal`.
enum TreeAnswer {
  static func response(
    to request: HTTPRequest, in room: any WebRoom, backend: any WebBackend, from shares: TreeShares,
    at now: HostTime
  ) -> Response {
    let wish = QueryWish(query: query(of: request))
    let isShown = room.isPasswordProtected && request.password.map(room.admits(password:)) == true
    if let owner = request.token, room.isRightToken(owner.token, of: owner.player) != true {
      return .text(.forbidden, Refusal.wrongToken.words, code: Refusal.wrongToken.code)
    }
    let isUpgrade = request.head.headers[canonicalForm: "Upgrade"].contains {
      $0.lowercased() == "websocket"
    }
    if wish == .hostInfo, !isUpgrade {
      return opened(hostInfo(request, backend), to: request, isShown)
    }
    guard isShown || !room.isPasswordProtected || request.token != nil else {
      return Router.unauthorized("wants a password", .passwordNeeded)
    }
    if isUpgrade {
      return Control.handshake(request, in: room) { channel, caller in
        var caller = caller
        caller.isQuery = true
        caller.token = request.token?.token
        backend.takeControl(channel, of: caller)
      }
    }
    let question = TreeQuestion(
      room: request.roomName, player: request.token?.player, peer: request.visitor?.address,
      path: request.path,
      wish: wish, style: QueryStyle(userAgent: request.head.headers.first(name: "User-Agent")))
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    guard shares.take(TreeShares.units(of: question), by: sender, at: now) else {
      return opened(TreeAnswer.tooMuch, to: request, isShown)
    }
    return Response(
      body: .receive(
        BodyPlan(
          limit: 0, tooLarge: .text(.payloadTooLarge, "the tree is asked for without a body")
        ) { _, answered in
          backend.answer(question) {
            answered(opened(response(of: $0, question), to: request, isShown))
          }
        }))
  }

  /// The text behind the question mark, as it came.
  private static func query(of request: HTTPRequest) -> String {
    let uri = request.head.uri
    guard let question = uri.firstIndex(of: "?") else { return "" }
    return String(uri[uri.index(after: question)...])
  }

  private static func hostInfo(_ request: HTTPRequest, _ backend: any WebBackend) -> Response {
    // An IPv6 address may have a zone, which means nothing to another machine.
    let address = (request.local?.hostText ?? "").prefix { $0 != "%" }
    let info = QueryHostInfo(
      name: backend.name, address: String(address), port: UInt16(clamping: backend.oscAddress.port))
    return json(.ok, info.json)
  }

  private static func response(of answer: QueryAnswer?, _ question: TreeQuestion) -> Response {
    guard let answer else { return TreeAnswer.busy }
    switch answer.status {
    case .found: return json(.ok, answer.json)
    case .noContent: return Response(.noContent, headers: [("Cache-Control", "no-store")])
    case .badRequest where question.wish == nil:
      let known = QueryAttribute.allCases.map(\.rawValue).joined(separator: " ")
      return error(
        .badRequest,
        "one attribute can be asked for, of \(known) and HOST_INFO; without one all are told")
    case .badRequest: return error(.badRequest, "the path is no OSC address")
    case .notFound:
      return error(.notFound, "there is nothing at this address: / has all that is there")
    }
  }

  private static func json(_ status: HTTPResponseStatus, _ json: [UInt8]) -> Response {
    Response(
      status, headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
      body: .bytes(ByteBuffer(bytes: json)))
  }

  private static func error(_ status: HTTPResponseStatus, _ text: String) -> Response {
    json(status, Array("{\"ERROR\":\(text.quotedJSON)}".utf8))
  }

  /// A page of another site reads the answer only where it showed a word that it was told: without
  /// one it could read an open room through the browser of whoever is in the same network.
  private static func opened(_ response: Response, to request: HTTPRequest, _ isShown: Bool)
    -> Response
  {
    guard isShown || request.token != nil else { return response }
    var response = response
    response.headers += [
      ("Access-Control-Allow-Origin", "*"), (CrossOrigin.resourcePolicy, "cross-origin"),
    ]
    return response
  }

  private static var busy: Response {
    var response = error(.serviceUnavailable, "too many questions at once: try again in a second")
    response.headers.append(("Retry-After", "1"))
    return response
  }

  private static var tooMuch: Response {
    var response = error(
      .tooManyRequests,
      "your address asks for too much: \(TreeShares.perSecond) KiB a second; LISTEN tells changes")
    response.headers.append(("Retry-After", "1"))
    return response
  }
}
