import JamNet
import JamStream
import NIOCore
import NIOHTTP1

/// `GET /listen.opus` and `GET /listen.sdp`.
enum Listen {
  /// Endless Ogg Opus: the connection goes to the room's mount behind the head.
  static func ogg(_ request: Request, in room: any WebRoom) -> Response {
    do throws(StreamError) {
      let profile = try profile(.ogg, request, in: room)
      let headers = [("Content-Type", OggMount.mediaType), ("Cache-Control", "no-store"), ("Accept-Ranges", "none")]
      guard !request.isHead else { return Response(headers: headers) }
      let place = try room.ogg.admit(profile, filling: try filling(request))
      return Response(
        headers: headers,
        body: .takeover { channel in
          do { try place.attach(channel) } catch { channel.close(promise: nil) }
        })
    } catch {
      return refusal(error)
    }
  }

  /// `prompt=1`: for browsers, which hand on what they get in large blocks.
  private static func filling(_ request: Request) throws(StreamError) -> OggFilling {
    guard let word = request.query["prompt"] else { return .nominal }
    return try StreamProfile.toggle(word, of: "prompt") ? .prompt : .nominal
  }

  /// An SDP file, and a lease of RTP to the asker's own address and no other.
  static func sdp(_ request: Request, in room: any WebRoom, house: any WebHouse) -> Response {
    // A page elsewhere must not make its visitor's machine the target of a stream.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site asked for this stream: open the address yourself")
    }
    do throws(StreamError) {
      let profile = try profile(.rtp, request, in: room)
      let wish = request.query["port"] ?? ""
      guard let port = UInt16(wish), (1_024...65_534).contains(port) else { throw StreamError.port(wish) }
      guard let listener = JamNet.SocketAddress(request.remote), let local = JamNet.SocketAddress(request.local) else {
        throw StreamError.family
      }
      let headers = [("Content-Type", SessionDescription.mediaType), ("Cache-Control", "no-store")]
      guard !request.isHead else { return Response(headers: headers) }
      let description = try house.media.lease(
        room: room.streams, profile: profile, listener: listener.with(port: port), local: local)
      return Response(headers: headers, body: .bytes(.init(string: description.text)))
    } catch {
      return refusal(error)
    }
  }

  /// What is asked for: the mix, or with `player=` that player's cue.
  static func profile(
    _ standard: StreamProfile, _ request: Request, in room: any WebRoom
  ) throws(StreamError) -> StreamProfile {
    let profile = try standard.applying(request.query.pairs)
    guard let player = request.query["player"] else { return profile }
    return profile.cueing(try room.cueOwner(player: player, token: request.query["token"] ?? ""))
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
