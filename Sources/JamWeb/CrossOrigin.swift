import JamWire
import NIOHTTP1

/// Lets pages of other sites send requests and read the answers. A player on another site needs
/// that.
///
/// - Source: Fetch §3.2 (CORS).
enum CrossOrigin {
  static let resourcePolicy = "Cross-Origin-Resource-Policy"

  /// The response with the headers that open it to other sites. An answer that comes after the
  /// request's body gets them, too.
  static func opened(_ response: Response, _ route: Router.Route) -> Response {
    var response = response
    response.headers += [
      ("Access-Control-Allow-Origin", "*"),
      ("Access-Control-Expose-Headers", "Location, ETag, Allow, Accept-Post, \(ErrorCode.header)"),
      (resourcePolicy, "cross-origin"),
    ]
    if response.status == .noContent {
      response.headers += [
        // PATCH is listed beside DELETE, although it is refused: without it a page could not read
        // the text of the refusal.
        ("Access-Control-Allow-Methods", route.methods + (route.methods.contains("DELETE") ? ", PATCH" : "")),
        ("Access-Control-Allow-Headers", "Content-Type, Authorization, If-Match"), ("Access-Control-Max-Age", "86400"),
      ]
      if route.methods.contains("POST") { response.headers.append(("Accept-Post", "application/sdp")) }
    }
    if case .receive(let plan) = response.body {
      response.body = .receive(
        BodyPlan(limit: plan.limit, tooLarge: opened(plan.tooLarge, route)) { bytes, answer in
          plan.then(bytes) { answer(opened($0, route)) }
        })
    }
    return response
  }
}
