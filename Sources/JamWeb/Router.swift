import JamCore
import JamNet
import JamRealtime
import JamRoom
import JamWire
import NIOCore
import NIOHTTP1

/// Finds what a request asks for and answers it, or says kindly why not.
///
/// Thread: the connection's event loop; every answer is made at once.
struct Router: Sendable {
  typealias Handler = @Sendable (HTTPRequest, any WebRoom) -> Response

  /// What a route wants of whoever asks for a room with a password.
  enum Access: Sendable {
    /// Nothing: what it answers tells nothing of the room.
    case open
    /// It answers less without the password; a wrong one is refused.
    case told
    case password
  }

  struct Route: Sendable {
    var access = Access.open
    var methods = Router.methods
    /// Pages of other sites may ask, and read the answer.
    var isForEverybody = false
    /// Pages of other sites may play it, and not read it.
    var isEmbeddable = false
    /// What it answers in a room that is not there; nil where that is refused.
    var elsewhere: (@Sendable (HTTPRequest) -> Response)?
    var handler: Handler
  }

  let backend: any WebBackend
  private var routes: [String: Route] = [:]
  /// By the folder in front of a name, and by what the name ends with.
  private var folders: [(path: String, ending: String, route: Route)] = []

  /// Who is believed about whom they ask for.
  let proxies: TrustedProxies
  private let guesses: GuessLimit<GuessSource>
  private let now: @Sendable () -> HostTime

  /// - Parameters:
  ///   - guesses: the limit on wrong words that all edges share.
  ///   - now: the clock of that limit.
  init(
    backend: any WebBackend, proxies: TrustedProxies = .none, guesses: GuessLimit<GuessSource> = GuessLimit(),
    now: @escaping @Sendable () -> HostTime = { .now }
  ) {
    self.backend = backend
    self.proxies = proxies
    self.guesses = guesses
    self.now = now
  }

  mutating func get(
    _ path: String, access: Access = .open, isEmbeddable: Bool = false, _ handler: @escaping Handler
  ) {
    routes[path] = Route(access: access, isEmbeddable: isEmbeddable, handler: handler)
  }

  /// Answers alike in every room, be it there or not: a link into a room that has closed opens the
  /// page, which says so or opens the room again.
  mutating func page(_ path: String, _ answer: @escaping @Sendable (HTTPRequest) -> Response) {
    routes[path] = Route(elsewhere: answer) { request, _ in answer(request) }
  }

  /// Answers for every name in a folder: `/waveforms/<sound>`. The first that fits answers.
  /// - Parameters:
  ///   - ending: what those names end with: `.png`.
  ///   - elsewhere: answers in a room that is not there.
  mutating func get(
    below path: String, ending: String = "", access: Access = .open,
    elsewhere: (@Sendable (HTTPRequest) -> Response)? = nil, _ handler: @escaping Handler
  ) {
    folders.append((path, ending, Route(access: access, elsewhere: elsewhere, handler: handler)))
  }

  /// Takes what is put into a folder: `/samples/<name>`.
  mutating func put(below path: String, access: Access = .open, _ handler: @escaping Handler) {
    folders.append((path, "", Route(access: access, methods: "PUT, OPTIONS", handler: handler)))
  }

  /// Answers for every name in a folder, and where it says how, takes what is put there and gives up what is deleted.
  mutating func files(
    below path: String, access: Access = .open, get: @escaping Handler, put: Handler? = nil, delete: Handler? = nil
  ) {
    let methods = ["GET", "HEAD"] + (put == nil ? [] : ["PUT"]) + (delete == nil ? [] : ["DELETE"]) + ["OPTIONS"]
    let route = Route(access: access, methods: methods.joined(separator: ", ")) { request, room in
      let changed = request.head.method == .PUT ? put : request.head.method == .DELETE ? delete : nil
      return (changed ?? get)(request, room)
    }
    folders.append((path, "", route))
  }

  /// What pages of any site may use.
  mutating func open(
    _ path: String, methods: String, access: Access = .open, _ handler: @escaping Handler
  ) {
    let route = Route(access: access, methods: methods, isForEverybody: true, handler: handler)
    if path.hasSuffix("/") { folders.append((path, "", route)) } else { routes[path] = route }
  }

  static let methods = "GET, HEAD, OPTIONS"

  func respond(to request: HTTPRequest) -> Response { respond(to: request, wasHeld: false) }

  /// - Parameter wasHeld: its word waited for its turn, which has come.
  private func respond(to request: HTTPRequest, wasHeld: Bool) -> Response {
    if request.head.method == .OPTIONS && request.path == "*" { return Router.options }
    if request.path.isEmpty {
      // The page's own addresses are relative: without the slash they would lead out of the room.
      return Response(.permanentRedirect, headers: [("Location", Router.roomPath(of: request))], body: .bytes(.init()))
    }
    guard let route = route(request.path) else { return notFound(request) }
    var response = respond(to: request, by: route, wasHeld: wasHeld)
    if route.isEmbeddable { response.headers.append((CrossOrigin.resourcePolicy, "cross-origin")) }
    return route.isForEverybody ? CrossOrigin.opened(response, route) : response
  }

  private func respond(to request: HTTPRequest, by route: Route, wasHeld: Bool) -> Response {
    let method = request.head.method
    if method == .OPTIONS { return Response(.noContent, headers: [("Allow", route.methods)]) }
    let known: [HTTPMethod] = [.GET, .HEAD, .PUT, .POST, .DELETE]
    guard known.contains(method), route.methods.contains(method.rawValue) else {
      return .text(
        .methodNotAllowed, "\(method.rawValue) does nothing here: \(request.path) takes \(route.methods)",
        headers: [("Allow", route.methods)])
    }
    let named = backend.room(named: request.roomName)
    // Which rooms there are is for those who could enter one.
    if let room = named ?? backend.room(named: nil),
      let refusal = refusal(of: request, with: route.access, of: room, wasHeld: wasHeld)
    {
      return refusal
    }
    guard let room = named else {
      if let elsewhere = route.elsewhere { return elsewhere(request) }
      return .text(
        .notFound, "there is no room '\(request.roomName ?? "main")' here: ask whoever runs the server for its name",
        code: .noSuchRoom)
    }
    return route.handler(request, room)
  }

  /// Nil where the request may pass: it knows the room's password, or nothing is asked.
  private func refusal(of request: HTTPRequest, with access: Access, of room: any WebRoom, wasHeld: Bool) -> Response? {
    let isRightToken = request.token.flatMap { room.isRightToken($0.token, of: $0.player) }
    let wantsPassword = room.isPasswordProtected && access != .open
    let isRightPassword = wantsPassword ? request.password.map(room.admits(password:)) : nil
    if wantsPassword, access == .password, isRightPassword == nil {
      return Router.unauthorized("wants a password", .passwordNeeded)
    }
    // A wrong token is refused where it is used, in words of its own.
    let refusal = isRightPassword == false ? Router.unauthorized("has another password", .wrongPassword) : nil
    // A player in the room, whose token nobody guesses, has no password to guess.
    guard isRightToken != true, isRightToken == false || isRightPassword != nil, let visitor = request.visitor,
      let name = PlayerName(room.name)
    else { return refusal }
    let isRight = isRightPassword != false && isRightToken != false
    // A right token never comes here, so it is the password that is right.
    let isStrong = request.password.map(Secrets.isStrong) == true
    let verdict = guesses.judge(
      isRight: isRight, isStrong: isStrong, from: GuessSource(visitor.address), in: name, wasHeld: wasHeld, at: now())
    switch verdict {
    case .answered:
      if !isRight { note(.guessWrong, visitor, room, isRightToken == false ? "token" : "password") }
      return refusal
    case .held(let milliseconds):
      let router = self
      return Response(body: .later(milliseconds: milliseconds) { router.respond(to: request, wasHeld: true) })
    case .refused(let seconds):
      note(.guessRefused, visitor, room, isRightToken == false ? "token" : "password")
      return .text(
        .tooManyRequests, "too many words were tried from your address: wait a few seconds", code: .tooManyGuesses,
        headers: [("Retry-After", String(seconds))])
    }
  }

  private func note(_ kind: LogKind, _ visitor: WebVisitor, _ room: any WebRoom, _ word: String) {
    backend.log.write(kind, ["room": .text(room.name), "address": .text(visitor.text), "word": .text(word)])
  }

  private func route(_ path: String) -> Route? {
    routes[path] ?? folders.first { path.hasPrefix($0.path) && path.hasSuffix($0.ending) }?.route
  }

  private static let options = Response(.noContent, headers: [("Allow", methods)])

  static func unauthorized(_ what: String, _ code: ErrorCode) -> Response {
    .text(
      .unauthorized, "this room \(what): send the header 'Authorization: Bearer WORD' or add ?password=WORD",
      code: code, headers: [("WWW-Authenticate", "Bearer realm=\"bandshell\"")])
  }

  private func notFound(_ request: HTTPRequest) -> Response {
    let known = (routes.keys + folders.map { "\($0.path)<name>\($0.ending)" }).sorted().joined(separator: " ")
    return .text(
      .notFound,
      "there is nothing at this address: this server has \(known), and /rooms/<room> in front for other rooms")
  }

  /// The room's address with its slash, escapes as they came: nothing decoded may reach a header.
  private static func roomPath(of request: HTTPRequest) -> String {
    let uri = request.head.uri
    let question = uri.firstIndex(of: "?") ?? uri.endIndex
    let rest = question == uri.endIndex ? "" : uri[question...]
    let path = uri[..<question]
    let room = path.split(separator: "/").last ?? ""
    return "/rooms/\(room)/\(rest)"
  }
}
