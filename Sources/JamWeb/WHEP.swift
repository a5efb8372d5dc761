import JamNet
import JamStream
import NIOCore
import NIOHTTP1

/// `POST /whep`: listening by WebRTC, for any WHEP player.
///
/// - Source: draft-ietf-wish-whep (after RFC 9725, WHIP): 201 with the answer, its address and its
///   tag; DELETE ends it.
enum WHEP {
  static let path = "/whep"
  static let folder = "/whep/"

  /// Answers an offer with a new session.
  static func offer(_ request: HTTPRequest, in room: any WebRoom, backend: any WebBackend) -> Response {
    guard let type = request.head.headers.first(name: "Content-Type"),
      type.prefix(while: { $0 != ";" }).lowercased().trimmingSpaces == WebRTCSession.mediaType
    else {
      return .text(
        .unsupportedMediaType, "send the offer as its SDP, with Content-Type: \(WebRTCSession.mediaType)",
        headers: [("Accept-Post", WebRTCSession.mediaType)])
    }
    let limit = WebRTCSession.mostOfferBytes
    let tooLarge = Response.text(.payloadTooLarge, "an offer has \(limit) bytes at most")
    guard request.contentLength ?? 0 <= limit else { return tooLarge }
    let profile: StreamProfile
    do throws(StreamError) { profile = try Listen.profile(.webRTC, request, in: room) } catch {
      return Listen.refusal(error)
    }
    guard let visitor = request.visitor, let reached = request.local else { return Listen.refusal(.family) }
    // A proxy on this machine reached the server by loopback. Visitors cannot use that address.
    let local = visitor.way != .direct && reached.isLoopback ? .none : reached
    let asker = visitor.address
    // The path is not decoded, because decoded text must not reach a header.
    let address = request.rawPath
    return Response(
      body: .receive(
        BodyPlan(limit: limit, tooLarge: tooLarge) { bytes, answer in
          guard let offer = String(validating: bytes, as: UTF8.self) else {
            return answer(Listen.refusal(.offer("it is no UTF-8")))
          }
          do throws(StreamError) {
            let session = try backend.media.listen(
              room: room.streams, profile: profile, offer: offer, asker: asker, local: local)
            answer(
              Response(
                .created,
                headers: [
                  ("Content-Type", WebRTCSession.mediaType), ("Cache-Control", "no-store"),
                  ("Location", "\(address)/\(session.token)"), ("ETag", session.tag),
                ] + Listen.notices(profile, request, in: room), body: .bytes(ByteBuffer(string: session.answer))))
          } catch {
            answer(Listen.refusal(error))
          }
        }))
  }

  /// `DELETE /whep/<token>`: ends the session.
  static func end(_ request: HTTPRequest, backend: any WebBackend) -> Response {
    guard backend.media.leave(String(request.path.dropFirst(folder.count))) else {
      return .text(.notFound, "there is no such session: it may have ended by itself")
    }
    return Response(body: .bytes(ByteBuffer()))
  }
}

extension String {
  fileprivate var trimmingSpaces: Substring {
    var text = self[...]
    while text.last == " " || text.last == "\t" { text.removeLast() }
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    return text
  }
}
