import NIOCore
import NIOHTTP1

/// Finds what a request asks for and answers it, or says kindly why not.
///
/// Thread: the connection's event loop; every answer is made at once.
struct Router: Sendable {
  typealias Handler = @Sendable (Request, any WebRoom) -> Response

  struct Route: Sendable {
    /// The page, its assets and the health of a room with a password are for everybody; its sound is not.
    var wantsPassword = false
    var methods = Router.methods
    /// Pages of other sites may ask, and read the answer.
    var isForEverybody = false
    /// Pages of other sites may play it, and not read it.
    var isEmbeddable = false
    var handler: Handler
  }

  let house: any WebHouse
  private var routes: [String: Route] = [:]
  /// By the folder in front of a name.
  private var folders: [(path: String, route: Route)] = []

  init(house: any WebHouse) { self.house = house }

  mutating func get(
    _ path: String, wantsPassword: Bool = false, isEmbeddable: Bool = false, _ handler: @escaping Handler
  ) {
    routes[path] = Route(wantsPassword: wantsPassword, isEmbeddable: isEmbeddable, handler: handler)
  }

  /// Answers for every name in a folder: `/waveforms/<sound>`.
  mutating func get(below path: String, wantsPassword: Bool = false, _ handler: @escaping Handler) {
    folders.append((path, Route(wantsPassword: wantsPassword, handler: handler)))
  }

  /// Takes what is put into a folder: `/samples/<name>`.
  mutating func put(below path: String, wantsPassword: Bool = false, _ handler: @escaping Handler) {
    folders.append((path, Route(wantsPassword: wantsPassword, methods: "PUT, OPTIONS", handler: handler)))
  }

  /// What pages of any site may use.
  mutating func open(
    _ path: String, methods: String, wantsPassword: Bool = false, _ handler: @escaping Handler
  ) {
    let route = Route(wantsPassword: wantsPassword, methods: methods, isForEverybody: true, handler: handler)
    if path.hasSuffix("/") { folders.append((path, route)) } else { routes[path] = route }
  }

  static let methods = "GET, HEAD, OPTIONS"

  func respond(to request: Request) -> Response {
    if request.head.method == .OPTIONS && request.path == "*" { return Router.options }
    if request.path.isEmpty {
      // The page's own addresses are relative: without the slash they would lead out of the room.
      return Response(.permanentRedirect, headers: [("Location", Router.roomPath(of: request))], body: .bytes(.init()))
    }
    guard let route = route(request.path) else { return notFound(request) }
    var response = respond(to: request, by: route)
    if route.isEmbeddable { response.headers.append((CrossOrigin.resourcePolicy, "cross-origin")) }
    return route.isForEverybody ? CrossOrigin.opened(response, route) : response
  }

  private func respond(to request: Request, by route: Route) -> Response {
    let method = request.head.method
    if method == .OPTIONS { return Response(.noContent, headers: [("Allow", route.methods)]) }
    let known: [HTTPMethod] = [.GET, .HEAD, .PUT, .POST, .DELETE]
    guard known.contains(method), route.methods.contains(method.rawValue) else {
      return .text(
        .methodNotAllowed, "\(method.rawValue) does nothing here: \(request.path) takes \(route.methods)",
        headers: [("Allow", route.methods)])
    }
    guard let room = house.room(named: request.roomName) else {
      return .text(
        .notFound, "there is no room '\(request.roomName ?? "main")' here: ask whoever runs the server for its name")
    }
    if route.wantsPassword && room.isPasswordProtected {
      guard let password = request.password else { return Router.unauthorized("wants a password") }
      guard room.admits(password: password) else { return Router.unauthorized("has another password") }
    }
    return route.handler(request, room)
  }

  private func route(_ path: String) -> Route? { routes[path] ?? folders.first { path.hasPrefix($0.path) }?.route }

  private static let options = Response(.noContent, headers: [("Allow", methods)])

  static func unauthorized(_ what: String) -> Response {
    .text(
      .unauthorized, "this room \(what): send the header 'Authorization: Bearer WORD' or add ?password=WORD",
      headers: [("WWW-Authenticate", "Bearer realm=\"bandshell\"")])
  }

  private func notFound(_ request: Request) -> Response {
    let known = (routes.keys + folders.map { "\($0.path)<name>" }).sorted().joined(separator: " ")
    return .text(
      .notFound,
      "there is nothing at this address: this server has \(known), and /rooms/<room> in front for other rooms")
  }

  /// The room's address with its slash, escapes as they came: nothing decoded may reach a header.
  private static func roomPath(of request: Request) -> String {
    let uri = request.head.uri
    let question = uri.firstIndex(of: "?") ?? uri.endIndex
    let rest = question == uri.endIndex ? "" : uri[question...]
    let path = uri[..<question]
    let room = path.split(separator: "/").last ?? ""
    return "/rooms/\(room)/\(rest)"
  }
}
