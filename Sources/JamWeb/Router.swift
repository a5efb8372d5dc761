import JamCore
import JamNet
import JamRealtime
import JamRoom
import JamWire
import NIOCore
import NIOHTTP1

/// Finds the route of a request and answers it, or explains why there is no answer.
///
/// Thread: the connection's event loop; every answer is made at once.
struct Router: Sendable {
  typealias Handler = @Sendable (HTTPRequest, any WebRoom) -> Response

  /// The access that a route needs in a room with a password.
  enum Access: Sendable {
    /// No password: the answer tells nothing of the room.
    case open
    /// Without the password the answer tells less. A wrong password is refused.
    case told
    case password
  }

  struct Route: Sendable {
    var access = Access.open
    var methods = Router.methods
    /// Pages of other sites may send the request, and read the answer.
    var isForEverybody = false
    /// Pages of other sites may embed the answer in a player, but cannot read it.
    var isEmbeddable = false
    /// The answer in a room that does not exist; nil refuses the request.
    var elsewhere: (@Sendable (HTTPRequest) -> Response)?
    /// The address under which `doors` lists the route; nil is its own.
    var family: String?
    var handler: Handler
  }

  let backend: any WebBackend
  private var routes: [String: Route] = [:]
  /// Routes of whole folders: the path in front of a name, and the ending of the name.
  private var folders: [(path: String, ending: String, route: Route)] = []

  /// The proxies that may name the client of a request.
  let proxies: TrustedProxies
  /// The names by which the server may be asked.
  private let names: HostNames
  private let guesses: GuessLimit<GuessSource>
  private let now: @Sendable () -> HostTime

  /// - Parameters:
  ///   - guesses: the limit on wrong words; all edges of the server share it.
  ///   - now: the clock of that limit.
  init(
    backend: any WebBackend, proxies: TrustedProxies = .none, names: HostNames = HostNames(),
    guesses: GuessLimit<GuessSource> = GuessLimit(), now: @escaping @Sendable () -> HostTime = { .now }
  ) {
    self.backend = backend
    self.proxies = proxies
    self.names = names
    self.guesses = guesses
    self.now = now
  }

  mutating func get(
    _ path: String, access: Access = .open, isEmbeddable: Bool = false, _ handler: @escaping Handler
  ) {
    routes[path] = Route(access: access, isEmbeddable: isEmbeddable, handler: handler)
  }

  /// Adds a page that answers alike in every room, even in one that does not exist. A link into a
  /// closed room opens the page, which says so or opens the room again.
  /// - Parameter family: the address under which `doors` lists the page; nil is its own.
  mutating func page(
    _ path: String, family: String? = nil, _ answer: @escaping @Sendable (HTTPRequest) -> Response
  ) {
    routes[path] = Route(elsewhere: answer, family: family) { request, _ in answer(request) }
  }

  /// Adds a route for every name in a folder, as `/waveforms/<sound>`. The first route that fits
  /// answers.
  /// - Parameters:
  ///   - ending: the ending of the names, as `.png`.
  ///   - elsewhere: answers in a room that does not exist.
  mutating func get(
    below path: String, ending: String = "", access: Access = .open,
    elsewhere: (@Sendable (HTTPRequest) -> Response)? = nil, _ handler: @escaping Handler
  ) {
    folders.append((path, ending, Route(access: access, elsewhere: elsewhere, handler: handler)))
  }

  /// Adds a route for every path.
  mutating func everywhere(access: Access, _ handler: @escaping Handler) {
    folders.append(("/", "", Route(access: access, methods: "GET, OPTIONS", handler: handler)))
  }

  /// Adds a route that takes files for a folder, as `/samples/<name>`.
  mutating func put(below path: String, access: Access = .open, _ handler: @escaping Handler) {
    folders.append((path, "", Route(access: access, methods: "PUT, OPTIONS", handler: handler)))
  }

  /// Adds a route for every name in a folder: `get` answers, and `put` and `delete` where they are
  /// given.
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

  /// Adds a route that pages of any site may use.
  /// - Parameter elsewhere: answers in a room that does not exist.
  mutating func open(
    _ path: String, methods: String, access: Access = .open,
    elsewhere: (@Sendable (HTTPRequest) -> Response)? = nil, _ handler: @escaping Handler
  ) {
    let route = Route(
      access: access, methods: methods, isForEverybody: true, elsewhere: elsewhere, handler: handler)
    if path.hasSuffix("/") { folders.append((path, "", route)) } else { routes[path] = route }
  }

  /// Every door of the server in order: a method and an address, as `PUT /samples/<name>`. The
  /// files of the page are one door. SECURITY.md says of each what it tells and costs.
  var doors: [String] {
    let all =
      routes.map { ($0.key, $0.value) }
      + folders.map { ("\($0.path)<name>\($0.ending)", $0.route) }
    let doors = all.flatMap { address, route in
      // HEAD is GET without the body, and OPTIONS tells nothing but the methods.
      route.methods.split(separator: ", ").filter { $0 != "HEAD" && $0 != "OPTIONS" }
        .map { "\($0) \(route.family ?? address)" }
    }
    return Set(doors).sorted()
  }

  static let methods = "GET, HEAD, OPTIONS"

  func respond(to request: HTTPRequest) -> Response { respond(to: request, wasHeld: false) }

  /// - Parameter wasHeld: the request was delayed because of wrong guesses, and its time has come.
  private func respond(to request: HTTPRequest, wasHeld: Bool) -> Response {
    // Everything else is behind this, so that no address can be forgotten.
    guard names.isKnown(request) else {
      return HTTPRefusal.unknownName(request, hosts: backend.pageHosts)
    }
    if request.head.method == .OPTIONS && request.path == "*" { return Router.options }
    if request.path.isEmpty {
      // The page uses relative addresses. Without the slash they would lead out of the room.
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
    let main = backend.room(named: nil)
    // A client may learn which rooms exist only if it could enter one. So the password of `main`
    // protects the names: without it, a room that is not there answers as `main` does. An answer
    // without the password tells nothing of a room, so no difference is left.
    let isHidden = main.map { !isOpen($0, to: request) } ?? false
    let standIn = isHidden && request.roomName.flatMap { PlayerName($0) } != nil ? main : nil
    if let room = named ?? main,
      let refusal = refusal(of: request, with: route.access, of: room, wasHeld: wasHeld)
    {
      return refusal
    }
    guard let room = named ?? standIn else {
      if let elsewhere = route.elsewhere { return elsewhere(request) }
      return .text(
        .notFound, "there is no room '\(request.roomName ?? "main")' here: ask whoever runs the server for its name",
        code: .noSuchRoom)
    }
    // Files are for others to find, so a newcomer brings none, and nobody without a token.
    let shown = request.token
    if method == .PUT, !room.mayBring(player: shown?.player, token: shown?.token ?? "") {
      return .text(.locked, Refusal.atTheDoor.words, code: Refusal.atTheDoor.code)
    }
    return route.handler(request, room)
  }

  /// Whether the request may know what is in the room.
  private func isOpen(_ room: any WebRoom, to request: HTTPRequest) -> Bool {
    !room.isPasswordProtected || request.password.map(room.admits(password:)) == true
  }

  /// Nil where the request may pass: it has the room's password, or none is needed.
  private func refusal(of request: HTTPRequest, with access: Access, of room: any WebRoom, wasHeld: Bool) -> Response? {
    // Without the password, a player who is not there counts as a wrong token. Otherwise the limit
    // would tell who is there.
    let nobody: Bool? = isOpen(room, to: request) ? nil : false
    let isRightToken = request.token.flatMap { room.isRightToken($0.token, of: $0.player) ?? nobody }
    let wantsPassword = room.isPasswordProtected && access != .open
    let isRightPassword = wantsPassword ? request.password.map(room.admits(password:)) : nil
    if wantsPassword, access == .password, isRightPassword == nil {
      return Router.unauthorized("wants a password", .passwordNeeded)
    }
    // A wrong token is refused later, by the route that uses it, with a text of its own.
    let refusal = isRightPassword == false ? Router.unauthorized("has another password", .wrongPassword) : nil
    // A player with a right token is already in the room. Tokens cannot be guessed, so such a
    // player does not guess passwords either.
    guard isRightToken != true, isRightToken == false || isRightPassword != nil,
      let visitor = request.visitor
    else { return refusal }
    let isRight = isRightPassword != false && isRightToken != false
    // A request with a right token has returned above, so it is the password that is right.
    let isStrong = request.password.map(Secrets.isStrong) == true
    let verdict = guesses.judge(
      isRight: isRight, isStrong: isStrong, from: GuessSource(visitor.address), wasHeld: wasHeld,
      at: now())
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

  /// The room's address with its slash. Its escapes are not decoded, because decoded text must not
  /// reach a header.
  private static func roomPath(of request: HTTPRequest) -> String {
    let uri = request.head.uri
    let question = uri.firstIndex(of: "?") ?? uri.endIndex
    let rest = question == uri.endIndex ? "" : uri[question...]
    let path = uri[..<question]
    let room = path.split(separator: "/").last ?? ""
    return "/rooms/\(room)/\(rest)"
  }
}
