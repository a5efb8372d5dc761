import JamCore
public import JamRoom
public import JamStream
import JamWire
import NIOCore
import NIOHTTP1

/// The reason why a player's sounds, or a file of them, cannot be had.
public enum PlaySoundProblem: Error {
  /// No player has the name, or the token is another player's.
  case player(StreamError)
  case sound(PageSounds.Problem)
}

/// `GET /play` and `GET /play/<sound>.<form>`: the sounds of a player's own pads and keys, for a
/// page that sounds its player's hits itself.
enum PlayFiles {
  static let list = "/play"
  static let folder = "/play/"

  /// The player's pads and keys now. The token may not stand in any log or cache, so nothing is
  /// stored.
  static func list(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    guard let (player, token) = request.token else {
      return .text(
        .badRequest, "a player's pads are asked for by player= and token=, as /welcome told them",
        code: .argumentMissing)
    }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    return answered { answer in
      room.sounds(of: player, token: token, for: sender) { result in
        switch result {
        case .failure(let problem): answer(refusal(problem))
        case .success(let sounds):
          answer(
            Response(
              headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
              body: .bytes(ByteBuffer(string: json(sounds)))))
        }
      }
    }
  }

  /// A sound. Its name is that of its content, so a browser keeps it for good.
  static func sound(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    let name = request.path.dropFirst(folder.count)
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let form = PageSounds.Form(rawValue: String(parts[1])) else {
      return refusal(.sound(.noSuchSound))
    }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    return answered { answer in
      room.soundFile(String(parts[0]), form, for: sender) { result in
        switch result {
        case .failure(let problem): answer(refusal(problem))
        case .success(let bytes):
          answer(
            Response(
              headers: [
                ("Content-Type", form == .opus ? "audio/ogg" : "audio/flac"),
                ("Cache-Control", "private, max-age=31536000, immutable"),
              ], body: .bytes(ByteBuffer(bytes: bytes))))
        }
      }
    }
  }

  /// An answer that comes from another thread.
  private static func answered(
    _ make: @escaping @Sendable (@escaping @Sendable (Response) -> Void) -> Void
  ) -> Response {
    let tooLarge = Response.text(.payloadTooLarge, "sounds are asked for without a body")
    let plan = BodyPlan(limit: 0, tooLarge: tooLarge) { _, answer in make(answer) }
    return Response(body: .receive(plan))
  }

  private static func refusal(_ problem: PlaySoundProblem) -> Response {
    switch problem {
    case .player(let error): Listen.refusal(error)
    case .sound(.noSuchPlayer): .text(.notFound, "no player of that name is here any more")
    case .sound(.noSuchSound):
      .text(.notFound, "no sound of that name is on anybody's pad: /play tells the names")
    case .sound(.busy):
      .text(
        .serviceUnavailable, "the server makes many sounds just now: try again in a moment",
        headers: [("Retry-After", "2")])
    }
  }

  // MARK: The description

  static func json(_ sounds: PlayerSounds) -> String {
    var json = JSONWriter(capacity: 8_192)
    json.object { json in
      json.value(sounds.kit, "kit")
      json.array("pads") { json in
        for pad in sounds.pads {
          json.object { json in
            json.value(pad.pad, "pad")
            json.value(pad.sample, "sample")
            json.value(Double(pad.stretch), "stretch")
            write(pad.layers, to: &json)
          }
        }
      }
      json.value(sounds.instrument, "instrument")
      json.array("zones") { json in
        for zone in sounds.zones { write(zone, to: &json) }
      }
      json.array("sounds") { json in
        for sound in sounds.sounds { write(sound, to: &json) }
      }
    }
    return json.text
  }

  private static func write(_ zone: PlayerSounds.Zone, to json: inout JSONWriter) {
    json.object { json in
      json.value(zone.zone.low, "low")
      json.value(zone.zone.high, "high")
      json.value(zone.zone.root, "root")
      json.value(Double(zone.zone.tune), "tune")
      json.value(Double(zone.zone.gain), "gain")
      write(zone.layers, to: &json)
    }
  }

  private static func write(_ layers: [PlayerSounds.Layer], to json: inout JSONWriter) {
    json.array("layers") { json in
      for layer in layers {
        json.object { json in
          json.value(Double(layer.upTo), "upTo")
          json.value(Double(layer.gain), "gain")
          json.array("sounds") { json in for sound in layer.sounds { json.value(sound) } }
        }
      }
    }
  }

  private static func write(_ sound: PlayerSounds.Part, to json: inout JSONWriter) {
    json.object { json in
      json.value(sound.name, "hash")
      json.value(sound.frames, "frames")
      json.value(sound.channels, "channels")
      if let loop = sound.loop {
        json.array("loop") { json in
          json.value(loop.lowerBound)
          json.value(loop.upperBound)
        }
      }
      if sound.endsLoud { json.value(true, "endsLoud") }
    }
  }
}
