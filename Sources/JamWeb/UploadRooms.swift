import JamNet
import NIOCore
import NIOHTTP1
import Synchronization

/// Room in memory for sounds that arrive. The bytes that have arrived count, not the length that a
/// client claims.
///
/// Where the room is full, the largest upload of the address with the most bytes ends, if that
/// address has more bytes than the asking one. So a few senders who fill the room do not keep out
/// the others.
/// Thread: any.
final class UploadRooms: Sendable {
  private struct Held {
    var sender: String
    var bytes = 0
    /// Ends the upload; nil once the whole body has arrived.
    var giveWay: (@Sendable () -> Void)?
    var isComing = true
  }

  /// The most bytes of one sound.
  let limit: Int
  private let limits: WebLimits
  private let held = Mutex<[ObjectIdentifier: Held]>([:])

  init(_ limits: WebLimits) {
    self.limits = limits
    limit = limits.uploadBytes
  }

  /// The name that counts as one sender: an IPv4 address, or an IPv6 network of 64 bits, as one
  /// household has.
  static func sender(_ address: String) -> String {
    guard address.contains(":"), let parsed = JamNet.SocketAddress(host: address), parsed.isIPv6 else { return address }
    return parsed.bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// - Returns: nil where too many sounds are arriving already.
  func take(for sender: String) -> UploadRoom? {
    let room = UploadRoom(self)
    let isTaken = held.withLock { held in
      guard held.count < limits.uploads, held.values.count(where: { $0.sender == sender }) < limits.uploadsPerAddress
      else { return false }
      held[ObjectIdentifier(room)] = Held(sender: sender)
      return true
    }
    return isTaken ? room : nil
  }

  fileprivate func grow(_ room: UploadRoom, by bytes: Int) -> Bool {
    var ending: [@Sendable () -> Void] = []
    let isGrown = held.withLock { held in
      guard let own = held[ObjectIdentifier(room)] else { return false }
      var shares: [String: Int] = [:]
      for other in held.values { shares[other.sender, default: 0] += other.bytes }
      let share = shares[own.sender, default: 0] + bytes
      guard share <= limits.uploadsBytesPerAddress else { return false }
      var all = shares.values.reduce(bytes, +)
      while all > limits.uploadsBytes {
        let coming = held.filter { $0.value.isComing && shares[$0.value.sender, default: 0] > share }
        let largest = coming.max {
          (shares[$0.value.sender, default: 0], $0.value.bytes) < (shares[$1.value.sender, default: 0], $1.value.bytes)
        }
        guard let (key, other) = largest else { return false }
        held[key] = nil
        all -= other.bytes
        shares[other.sender, default: 0] -= other.bytes
        if let giveWay = other.giveWay { ending.append(giveWay) }
      }
      held[ObjectIdentifier(room)]?.bytes += bytes
      return true
    }
    for end in ending { end() }
    return isGrown
  }

  fileprivate func whenLost(_ room: UploadRoom, _ call: @escaping @Sendable () -> Void) {
    held.withLock { $0[ObjectIdentifier(room)]?.giveWay = call }
  }

  fileprivate func complete(_ room: UploadRoom) {
    held.withLock {
      $0[ObjectIdentifier(room)]?.isComing = false
      $0[ObjectIdentifier(room)]?.giveWay = nil
    }
  }

  fileprivate func leave(_ room: ObjectIdentifier) { held.withLock { $0[room] = nil } }
}

/// One sound's part of the room. It is held until the sound is made, because the bytes are in
/// memory until then.
final class UploadRoom: BodyRoom {
  private let rooms: UploadRooms

  fileprivate init(_ rooms: UploadRooms) { self.rooms = rooms }

  deinit { rooms.leave(ObjectIdentifier(self)) }

  func grow(by bytes: Int) -> Bool { rooms.grow(self, by: bytes) }
  func whenLost(_ call: @escaping @Sendable () -> Void) { rooms.whenLost(self, call) }
  func complete() { rooms.complete(self) }

  static var isFull: Response {
    .text(
      .serviceUnavailable, "other sounds are being brought along: try again in a few seconds",
      headers: [("Retry-After", "2")])
  }
}
