import JamNet
import NIOCore
import NIOHTTP1
import Synchronization

/// Room for what comes in of sounds: counted by what has come, not by what is claimed.
///
/// Where it is full, whoever sends from the address that holds most gives way, if that is more than whoever
/// asks holds: a few who fill it do not keep out the others.
/// Thread: any.
final class UploadRooms: Sendable {
  private struct Held {
    var sender: String
    var bytes = 0
    /// What ends it; nil once the whole body is there.
    var giveWay: (@Sendable () -> Void)?
    var isComing = true
  }

  /// Of one sound.
  let limit: Int
  private let limits: WebLimits
  private let held = Mutex<[ObjectIdentifier: Held]>([:])

  init(_ limits: WebLimits) {
    self.limits = limits
    limit = limits.uploadBytes
  }

  /// Who counts as one: an IPv4 address, or an IPv6 network of 64 bits, as one household has.
  static func sender(_ address: String) -> String {
    guard address.contains(":"), let parsed = JamNet.SocketAddress(host: address), parsed.isIPv6 else { return address }
    return parsed.bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
  }

  /// - Returns: nil where too many come already.
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

/// One sound's share of the room, held until the sound is made: until then its bytes are in memory.
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
