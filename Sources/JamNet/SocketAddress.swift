internal import CLinux
internal import Glibc

/// An IPv4 or IPv6 address with a port. All modules use this address type.
///
/// IPv4-mapped IPv6 addresses do not occur, because every socket of the server accepts one family
/// only.
/// Thread: any. Real-time safe, except for parsing and printing.
@frozen
public struct SocketAddress: Hashable, BitwiseCopyable, Sendable {
  // The layout equals that of `jam_address`: the address in network order, then scope, port and
  // family.
  @usableFromInline var first: UInt64
  @usableFromInline var last: UInt64
  /// The interface's index for IPv6 link-local addresses, 0 for all others.
  public private(set) var scope: UInt32
  public var port: UInt16
  @usableFromInline var family: UInt16

  @usableFromInline init(first: UInt64, last: UInt64, scope: UInt32, port: UInt16, family: UInt16) {
    self.first = first
    self.last = last
    self.scope = scope
    self.port = port
    self.family = family
  }

  /// No address. As a local address it lets the system choose.
  @inlinable public static var none: SocketAddress {
    SocketAddress(first: 0, last: 0, scope: 0, port: 0, family: 0)
  }

  /// An IPv4 address from its four bytes in written order.
  public static func ipv4(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, port: UInt16 = 0) -> SocketAddress {
    var address = jam_address()
    address.family = UInt16(AF_INET)
    address.port = port
    withUnsafeMutableBytes(of: &address.bytes) { $0.copyBytes(from: [a, b, c, d]) }
    return SocketAddress(address)
  }

  /// An IPv6 address from its sixteen bytes in network order. Missing bytes are 0, and more than
  /// sixteen are ignored.
  public static func ipv6(_ bytes: [UInt8], port: UInt16 = 0, scope: UInt32 = 0) -> SocketAddress {
    var address = jam_address()
    address.family = UInt16(AF_INET6)
    address.port = port
    address.scope = scope
    withUnsafeMutableBytes(of: &address.bytes) { $0.copyBytes(from: bytes.prefix(16)) }
    return SocketAddress(address)
  }

  public static func anyIPv4(port: UInt16) -> SocketAddress { .ipv4(0, 0, 0, 0, port: port) }
  public static func anyIPv6(port: UInt16) -> SocketAddress {
    SocketAddress(first: 0, last: 0, scope: 0, port: port, family: UInt16(AF_INET6))
  }
  public static func loopback(port: UInt16) -> SocketAddress { .ipv4(127, 0, 0, 1, port: port) }

  public var isNone: Bool { family == 0 }
  public var isIPv4: Bool { family == UInt16(AF_INET) }
  public var isIPv6: Bool { family == UInt16(AF_INET6) }

  /// The same host without its port. Guests and remembered subscriptions are identified by it.
  @inlinable public var host: SocketAddress {
    SocketAddress(first: first, last: last, scope: scope, port: 0, family: family)
  }

  @inlinable public func with(port: UInt16) -> SocketAddress {
    SocketAddress(first: first, last: last, scope: scope, port: port, family: family)
  }

  /// Whether the address means all addresses of the machine.
  public var isAny: Bool { first == 0 && last == 0 }

  /// 127.0.0.0/8 or ::1.
  public var isLoopback: Bool {
    isIPv4 ? bytes[0] == 127 : isIPv6 && first == 0 && last == UInt64(bigEndian: 1)
  }

  /// 169.254.0.0/16 or fe80::/10: valid on one network only.
  public var isLinkLocal: Bool {
    let bytes = bytes
    return isIPv4 ? bytes[0] == 169 && bytes[1] == 254 : isIPv6 && bytes[0] == 0xfe && bytes[1] & 0xc0 == 0x80
  }

  /// Four or sixteen bytes in network order; no bytes for `none`.
  public var bytes: [UInt8] {
    let count = isIPv4 ? 4 : isIPv6 ? 16 : 0
    return withUnsafeBytes(of: self) { Array($0.prefix(count)) }
  }

  /// Whether both addresses have the same family and the same first `length` bits.
  public func shares(prefix length: Int, with other: SocketAddress) -> Bool {
    guard family == other.family, !isNone else { return false }
    let a = UInt64(bigEndian: first) ^ UInt64(bigEndian: other.first)
    let b = UInt64(bigEndian: last) ^ UInt64(bigEndian: other.last)
    if length <= 64 { return length == 0 || a >> (64 - UInt64(length)) == 0 }
    return a == 0 && b >> (128 - UInt64(min(length, 128))) == 0
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    if last != 0 { hasher.combine(last) }
    hasher.combine(UInt64(scope) << 32 | UInt64(port) << 16 | UInt64(family))
  }

  init(_ address: jam_address) {
    self = withUnsafeBytes(of: address) { raw in
      SocketAddress(
        first: raw.loadUnaligned(as: UInt64.self), last: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
        scope: address.scope, port: address.port, family: address.family)
    }
  }

  var c: jam_address {
    var address = jam_address()
    withUnsafeMutableBytes(of: &address) { raw in
      raw.storeBytes(of: first, as: UInt64.self)
      raw.storeBytes(of: last, toByteOffset: 8, as: UInt64.self)
    }
    address.scope = scope
    address.port = port
    address.family = family
    return address
  }
}
