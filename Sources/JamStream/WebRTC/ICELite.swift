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

/// Our end of one listener's ICE: it answers checks, and sends none.
///
/// A machine without I/O. A message without proof gets no answer, so nobody can make us send
/// packets to somebody else.
/// - Source: RFC 8445 §2.5 and §7.3. RFC 7675 (consent) is the peer's task, but its checks show
///   that the peer is there.
struct ICELite {
  let own: ICECredentials
  let peerUfrag: String
  /// The path of our packets: the first proven source, then the path that the peer chose.
  private(set) var path: NetworkPath?
  private(set) var isNominated = false
  /// The time of the last proven check.
  private(set) var lastHeard: HostTime?

  init(own: ICECredentials, peerUfrag: String) {
    self.own = own
    self.peerUfrag = peerUfrag
  }

  /// Takes in a Binding request.
  /// - Returns: the answer, which goes back along `path`; nil where the message gets no answer.
  mutating func receive(_ message: STUNMessage, along path: NetworkPath, at now: HostTime) -> [UInt8]? {
    guard message.kind == .request, message[STUNMessage.Attribute.username] == Array("\(own.ufrag):\(peerUfrag)".utf8),
      message.isProven(by: own.password)
    else { return nil }
    let unknown = message.unknownAttributes
    guard unknown.isEmpty else {
      return refuse(message, 420, "Unknown Attribute", unknown: unknown)
    }
    // We are lite, so the peer controls. A peer that believes that we control gets an error (RFC
    // 8445 §7.3.1.1).
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

/// Random letters and digits, which ICE, SDP and paths all accept (RFC 8839 §5.4).
enum RandomText {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

  /// - Parameter length: in characters of almost six bits each.
  static func make(length: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return String((0..<length).map { _ in letters.randomElement(using: &generator) ?? "a" })
  }
}
