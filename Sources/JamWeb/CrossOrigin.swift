import JamWire
import NIOHTTP1

/// Lets pages of other sites ask and read: what a player of somebody else's needs.
///
/// - Source: Fetch §3.2 (CORS).
enum CrossOrigin {
  static let resourcePolicy = "Cross-Origin-Resource-Policy"

  /// `response`, and the one that its body leads to, with the headers that open it.
  static func opened(_ response: Response, _ route: Router.Route) -> Response {
    var response = response
    response.headers += [
      ("Access-Control-Allow-Origin", "*"),
      ("Access-Control-Expose-Headers", "Location, ETag, Allow, Accept-Post, \(ErrorCode.header)"),
      (resourcePolicy, "cross-origin"),
    ]
    if response.status == .noContent {
      response.headers += [
        // A session's PATCH may be asked: a page could not read the words by which it is refused otherwise.
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
