internal import JamCore
import JamNet
import NIOCore
import NIOHTTP1

/// `GET /osc`: the WebSocket over which the page, or any other program, plays.
///
/// This is the handshake. After it the connection belongs to the backend.
/// - Source: RFC 6455 §4.2.
enum Control {
  static let path = "/osc"

  static func response(to request: HTTPRequest, in room: any WebRoom, backend: any WebBackend) -> Response {
    handshake(request, in: room) { channel, caller in backend.takeControl(channel, of: caller) }
  }

  /// - Parameter takeOver: gets the connection after the handshake, on its event loop.
  static func handshake(
    _ request: HTTPRequest, in room: any WebRoom,
    then takeOver: @escaping @Sendable (any Channel, ControlCaller) -> Void
  ) -> Response {
    let headers = request.head.headers
    // A page of another site must not play here in its visitor's name. Programs that are no
    // browsers send no Origin.
    guard !request.isCrossSite else {
      return .text(.forbidden, "a page of another site asked for this: open the server's own page")
    }
    let isUpgrade =
      !request.isHead && request.head.version == .http1_1
      && headers[canonicalForm: "Upgrade"].contains { $0.lowercased() == "websocket" }
      && headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
    guard isUpgrade, headers.first(name: "Sec-WebSocket-Version") == "13" else {
      return .text(
        .upgradeRequired,
        """
        this is a WebSocket (version 13) that carries OSC, one packet in each binary message: \
        open ws://…\(request.path)
        """,
        headers: [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")])
    }
    guard let key = headers.first(name: "Sec-WebSocket-Key"), isKey(key) else {
      return .text(.badRequest, "Sec-WebSocket-Key is 16 bytes in base64, 24 characters")
    }
    guard let visitor = request.visitor else { return .text(.badRequest, "OSC comes over IPv4 or IPv6 here") }
    // The router has already checked the password.
    let password = room.isPasswordProtected ? request.password : nil
    let caller = ControlCaller(peer: visitor.address, room: request.roomName, password: password)
    return Response(
      .switchingProtocols, headers: [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept(key))],
      body: .takeover { channel in takeOver(channel, caller) })
  }

  private static func isKey(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    return bytes.count == 24 && bytes.hasSuffix("==")
      && bytes.dropLast(2).allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
          true
        default: false
        }
      }
  }

  /// Proves to the client that the server has read its key (RFC 6455 §4.2.2, 5.4).
  static func accept(_ key: String) -> String {
    Base64.encoded(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

/// - Source: RFC 4648 §4.
enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[Range(from: start, to: min(start + 3, bytes.count))]
      let word = piece.reduce(0 as UInt32) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for i in 0..<4 {
        text.append(i <= piece.count ? letters[Int(word >> UInt32(18 - 6 * i) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
