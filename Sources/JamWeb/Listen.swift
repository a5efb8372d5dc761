import JamNet
import JamStream
import NIOCore
import NIOHTTP1

/// `GET /listen.opus` and `GET /listen.sdp`.
enum Listen {
  /// Endless Ogg Opus. After the head, the connection belongs to the room's Ogg mount.
  static func ogg(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    do throws(StreamError) {
      let profile = try profile(.ogg, request, in: room)
      let headers =
        [("Content-Type", OggMount.mediaType), ("Cache-Control", "no-store"), ("Accept-Ranges", "none")]
        + notices(profile, request, in: room)
      // There is no length, because the stream is endless.
      guard !request.isHead else { return Response(headers: headers, body: .takeover { $0.close(promise: nil) }) }
      let place = try room.ogg.admit(profile, filling: try filling(request))
      return Response(
        headers: headers,
        body: .takeover { [isSecure = request.isSecure] channel in
          guard !isSecure else { return SecureListener.attach(place, to: channel) }
          do { try place.attach(channel) } catch { channel.close(promise: nil) }
        })
    } catch {
      return refusal(error)
    }
  }

  /// `prompt=1` is for browsers, which pass on what they receive in large blocks.
  private static func filling(_ request: HTTPRequest) throws(StreamError) -> OggFilling {
    guard let word = request.query["prompt"] else { return .nominal }
    return try StreamProfile.toggle(word, of: "prompt") ? .prompt : .nominal
  }

  /// An SDP file, and a lease of RTP. The RTP goes only to the client's own address.
  static func sdp(_ request: HTTPRequest, in room: any WebRoom, backend: any WebBackend) -> Response {
    // A page of another site must not make its visitor's machine the target of a stream.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site asked for this stream: open the address yourself")
    }
    do throws(StreamError) {
      let profile = try profile(.rtp, request, in: room)
      let wish = request.query["port"] ?? ""
      guard let port = UInt16(wish), (1_024...65_534).contains(port) else { throw StreamError.port(wish) }
      guard let visitor = request.visitor, let local = request.local else { throw StreamError.family }
      switch visitor.way {
      case .direct, .named: break
      case .hidden, .strangeProxy: return unknownVisitor
      }
      let headers =
        [
          ("Content-Type", SessionDescription.mediaType), ("Cache-Control", "no-store"),
          (ListenNotice.leaseHeader, ListenNotice.lease(reportPort: backend.media.port)),
        ] + notices(profile, request, in: room)
      guard !request.isHead else { return Response(headers: headers) }
      let description = try backend.media.lease(
        room: room.streams, profile: profile, listener: visitor.address.with(port: port),
        local: visitor.way == .direct ? local : .none)
      return Response(headers: headers, body: .bytes(.init(string: description.text)))
    } catch {
      return refusal(error)
    }
  }

  /// The refusal where a proxy hides the client's address. RTP goes only to the client itself.
  private static let unknownVisitor = Response.text(
    .unprocessableEntity,
    """
    this came through a proxy that does not say for whom, and RTP goes to nobody else: ask the server itself, \
    or have the proxy send X-Forwarded-For and name it with --behind ADDRESS; \
    /whep and /listen.opus pass through any proxy
    """)

  /// The profile of the wanted stream: the mix, or with `player=` the cue of that player, and with
  /// `without=me` beside it that cue without the hits that the player's program sounds itself.
  static func profile(
    _ standard: StreamProfile, _ request: HTTPRequest, in room: any WebRoom
  ) throws(StreamError) -> StreamProfile {
    let profile = try standard.applying(request.query.pairs)
    let isWithoutOwn = try StreamProfile.isWithoutOwn(request.query["without"])
    guard let player = request.query["player"] else {
      guard !isWithoutOwn else { throw .withoutNobody }
      return profile
    }
    var owner = try room.cueOwner(player: player, token: request.query["token"] ?? "")
    owner.isWithoutOwn = isWithoutOwn
    return profile.cueing(owner)
  }

  /// Notices for the listener, in a header of the answer. A stream with the click contains only the
  /// mix where nobody has a click on, which looks like a fault. And a bitrate that is too low for
  /// the profile is raised.
  static func notices(
    _ profile: StreamProfile, _ request: HTTPRequest, in room: any WebRoom
  ) -> [(String, String)] {
    var notices: [String] = []
    if profile.hasClick, !room.status.hasClick { notices.append(ListenNotice.noClick) }
    if let wish = request.query["bitrate"].flatMap({ Int($0) }), let asked = StreamProfile.Bitrate(nearest: wish),
      asked.rawValue < profile.bitrate.rawValue
    {
      notices.append(ListenNotice.raised(from: asked, to: profile))
    }
    return notices.isEmpty ? [] : [(ListenNotice.header, notices.joined(separator: "; "))]
  }

  static func refusal(_ error: StreamError) -> Response {
    switch error.kind {
    case .badRequest: .text(.badRequest, error.description)
    case .unusable: .text(.unprocessableEntity, error.description)
    case .notFound: .text(.notFound, error.description)
    case .forbidden: .text(.forbidden, error.description)
    case .unavailable: .text(.serviceUnavailable, error.description, headers: [("Retry-After", "5")])
    }
  }
}
