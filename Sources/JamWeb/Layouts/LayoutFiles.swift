import JamCore
import JamLayout
import JamStream
import JamWire
import NIOCore
import NIOHTTP1

/// `GET /layouts/` and `GET /layouts/<name>`: the room's controls as files for controller apps.
enum LayoutFiles {
  static let folder = "/layouts/"

  /// The files, as JSON.
  static var list: Response {
    var json = JSONWriter(capacity: 512)
    json.object { json in
      json.array("layouts") { json in
        for form in LayoutForm.allCases {
          json.object { json in
            json.value(form.fileName, "name")
            json.value(form.title, "title")
          }
        }
      }
    }
    return Response(
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-cache")],
      body: .bytes(ByteBuffer(string: json.text + "\n")))
  }

  /// One file. `kit=` chooses the kit whose pads it shows. `player=` with `token=` chooses that
  /// player's own pads, and what hosts alone may send, where that player is one.
  /// - Parameter now: the time of the sender's share of `shelf`.
  static func get(
    _ request: HTTPRequest, in room: any WebRoom, from shelf: LayoutShelf, at now: HostTime
  ) -> Response {
    // The name comes from outside, so no answer repeats it.
    guard let form = LayoutForm(rawValue: String(request.path.dropFirst(folder.count))) else {
      let names = LayoutForm.allCases.map(\.fileName).joined(separator: ", ")
      return .text(.notFound, "there is no such layout: there are \(names)")
    }
    guard request.token != nil || request.query["player"] == nil && request.query["token"] == nil
    else {
      return .text(
        .badRequest,
        "player= and token= stand beside each other, as /welcome told them; or leave both out",
        code: .argumentMissing)
    }
    let kits = room.kits.map(LayoutKit.init)
    var shown = LayoutRoom(
      name: room.name, password: room.isPasswordProtected ? request.password : nil,
      kit: kits.first ?? LayoutKit(id: "", name: "", colours: [], pads: []), kits: kits)
    if let id = request.query["kit"] {
      guard let kit = kits.first(where: { $0.id == id }) else {
        return .text(
          .notFound, "there is no such kit: /kits lists them", code: Refusal.noSuchKit(id).code)
      }
      shown.kit = kit
    }
    let sender = UploadRooms.sender(request.visitor?.text ?? "")
    guard let (player, token) = request.token else {
      return response(to: form, of: shown, from: shelf, for: sender, at: now)
    }
    let owner: PlayerName
    do throws(StreamError) {
      owner = try room.cueOwner(player: player, token: token).name
    } catch {
      return Listen.refusal(error)
    }
    shown.player = owner.text
    return Response(
      body: .receive(
        BodyPlan(
          limit: 0, tooLarge: .text(.payloadTooLarge, "layouts are asked for without a body")
        ) {
          [shown] _, answered in
          room.pads(of: owner.text) { pads in
            guard let pads else { return answered(Listen.refusal(.player(owner.text))) }
            var shown = shown
            shown.kit = kits.first { $0.id == pads.kit } ?? shown.kit
            shown.kit.pads = pads.names
            shown.isForHost = pads.isHost
            answered(response(to: form, of: shown, from: shelf, for: sender, at: now))
          }
        }))
  }

  private static func response(
    to form: LayoutForm, of room: LayoutRoom, from shelf: LayoutShelf, for sender: String,
    at now: HostTime
  ) -> Response {
    switch shelf.file(form, of: room, for: sender, at: now) {
    case .file(let bytes):
      Response(
        headers: [
          ("Content-Type", form.isPacked ? "application/octet-stream" : "application/json"),
          // Names change, and the file may hold the room's password.
          ("Cache-Control", "no-store"),
          ("Content-Disposition", "attachment; filename=\"\(form.fileName)\""),
        ], body: .bytes(bytes))
    case .tooMany:
      .text(
        .tooManyRequests,
        "too many new layouts for your address: \(LayoutShelf.atOnce) come at once, then one a second",
        headers: [("Retry-After", "1")])
    case .noMemory:
      .text(.serviceUnavailable, "the server has no memory for the layout: try again in a moment")
    }
  }
}

extension LayoutKit {
  init(_ look: KitLook) {
    self.init(id: look.id, name: look.name, colours: look.colours, pads: look.names)
  }
}

/// A player's pads and rights, as a layout shows them.
public struct PlayerPads: Hashable, Sendable {
  /// The id of the player's kit.
  public var kit: String
  /// The names of the sixteen pads' sounds; empty is an empty pad.
  public var names: [String]
  /// Whether the player is a host.
  public var isHost: Bool

  public init(kit: String, names: [String], isHost: Bool = false) {
    self.kit = kit
    self.names = names
    self.isHost = isHost
  }
}
