internal import JamCore
internal import JamNet

/// A name and a password for ICE, ours or the peer's.
package struct ICECredentials: Hashable, Sendable {
  package var ufrag: String
  package var password: String

  /// 48 and 144 random bits (RFC 8445 §5.3 wants 24 and 128).
  package static func random() -> ICECredentials {
    ICECredentials(ufrag: RandomText.make(length: 8), password: RandomText.make(length: 24))
  }
}

/// One listener's end of ICE: it answers checks, and sends none.
///
/// A machine without I/O. What is not proven is not answered: so nobody can have packets sent to somebody else.
/// - Source: RFC 8445 §2.5 and §7.3; RFC 7675 (consent) is the peer's matter, but its checks show that it is there.
struct ICELite {
  let own: ICECredentials
  let peerUfrag: String
  /// Where packets go: the first proven source, then what the peer chose.
  private(set) var path: NetworkPath?
  private(set) var isNominated = false
  /// When a proven check came last.
  private(set) var lastHeard: HostTime?

  init(own: ICECredentials, peerUfrag: String) {
    self.own = own
    self.peerUfrag = peerUfrag
  }

  /// Takes in a Binding request.
  /// - Returns: the answer, which goes back along `path`; nil where the message deserves none.
  mutating func receive(_ message: STUNMessage, along path: NetworkPath, at now: HostTime) -> [UInt8]? {
    guard message.kind == .request, message[STUNMessage.Attribute.username] == Array("\(own.ufrag):\(peerUfrag)".utf8),
      message.isProven(by: own.password)
    else { return nil }
    let unknown = message.unknownAttributes
    guard unknown.isEmpty else {
      return refuse(message, 420, "Unknown Attribute", unknown: unknown)
    }
    // We are lite, so the peer controls; one that thinks otherwise is told (RFC 8445 §7.3.1.1).
    guard message[STUNMessage.Attribute.iceControlled] == nil else { return refuse(message, 487, "Role Conflict") }
    lastHeard = now
    let isChosen = message[STUNMessage.Attribute.useCandidate] != nil
    if isChosen || self.path == nil || self.path?.peer == path.peer {
      self.path = path
      isNominated = isNominated || isChosen
    }
    let address = STUNMessage.xorAddress(path.peer, transaction: message.transaction)
    return STUNMessage.write(
      .success, transaction: message.transaction, [(STUNMessage.Attribute.xorMappedAddress, address)],
      password: own.password)
  }

  private func refuse(_ message: STUNMessage, _ code: Int, _ reason: String, unknown: [UInt16] = []) -> [UInt8] {
    var attributes = [(STUNMessage.Attribute.errorCode, STUNMessage.error(code, reason))]
    if !unknown.isEmpty {
      var list: [UInt8] = []
      for type in unknown { list.append(bigEndian: type) }
      attributes.append((STUNMessage.Attribute.unknown, list))
    }
    return STUNMessage.write(.failure, transaction: message.transaction, attributes, password: own.password)
  }
}

/// Random letters and digits: what ICE, SDP and paths alike take (RFC 8839 §5.4).
enum RandomText {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  /// - Parameter length: in characters of almost six bits each.
  static func make(length: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
  }
}
