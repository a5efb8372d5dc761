internal import CLiblo
internal import JamCore

/// An address with OSC's wildcards. A wildcard stays within its part of the address.
///
/// - Source: OSC 1.0, "OSC Message Dispatching and Pattern Matching".
struct AddressPattern {
  /// The longest part between two slashes: enough for about forty notes in braces.
  static let mostBytes = 128
  static let mostStars = 4

  let room: PlayerName?
  private let parts: [String]

  /// Whether a part of an address cannot hold the byte.
  static func isReserved(_ byte: UInt8) -> Bool {
    isSpecial(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: ",")
  }

  static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// - Throws: `WireError` where the pattern matches more than the sender's settings, is broken, or
  ///   is too long to be matched cheaply.
  init(_ address: String) throws(WireError) {
    var parts = address.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    var room: PlayerName?
    if parts.count > 2 && parts[0] == "room" {
      guard !parts[1].utf8.contains(where: AddressPattern.isSpecial) else { throw .patternNotAllowed(address: address) }
      guard let name = PlayerName(parts[1]) else { throw .badName(argument: "room", name: parts[1], address: address) }
      room = name
      parts.removeFirst(2)
    }
    guard !["player", "seat", "room"].contains(parts.first) else {
      throw .patternNotAllowed(address: address)
    }
    for part in parts {
      // The matcher tries every split at every star. Few stars and short parts limit that work.
      guard part.utf8.count <= AddressPattern.mostBytes,
        part.utf8.count(where: { $0 == UInt8(ascii: "*") }) <= AddressPattern.mostStars
      else { throw .patternTooLong(address: address) }
      guard AddressPattern.isBalanced(part) else { throw .patternBroken(address: address) }
    }
    self.room = room
    self.parts = parts
  }

  /// Whether each part of the pattern matches the segment at its place.
  func matches(_ segments: [String]) -> Bool {
    guard segments.count == parts.count else { return false }
    for (part, segment) in zip(parts, segments) where lo_pattern_match(segment, part) == 0 { return false }
    return true
  }

  /// The place of each segment among the words in the braces of its part, for a match; 0 where the
  /// part has no braces, or several. It gives matches the order in which the pattern names them.
  func order(of segments: [String]) -> Int {
    var order = 0
    for (part, segment) in zip(parts, segments) {
      let pieces = part.split(omittingEmptySubsequences: false) { $0 == "{" || $0 == "}" }
      guard pieces.count == 3 else { continue }
      let words = pieces[1].split(separator: ",", omittingEmptySubsequences: false)
      let place = words.firstIndex {
        lo_pattern_match(segment, "\(pieces[0])\($0)\(pieces[2])") != 0
      }
      // A part has 128 bytes at most, and so fewer words.
      order = order &* 128 &+ (place ?? 0)
    }
    return order
  }

  /// Whether the pattern contains all words of a row's address unchanged, so that its wildcards
  /// only stand for numbers.
  func spells(_ segments: [Substring]) -> Bool {
    guard segments.count == parts.count else { return false }
    return zip(parts, segments).allSatisfy { part, segment in AddressEntry.isNumber(segment) || part == segment }
  }

  private static func isBalanced(_ part: String) -> Bool {
    var open: UInt8?
    for byte in part.utf8 {
      switch (open, byte) {
      case (nil, UInt8(ascii: "[")): open = UInt8(ascii: "]")
      case (nil, UInt8(ascii: "{")): open = UInt8(ascii: "}")
      case (nil, UInt8(ascii: "]")), (nil, UInt8(ascii: "}")): return false
      case (let close?, _) where byte == close: open = nil
      case (.some, UInt8(ascii: "[")), (.some, UInt8(ascii: "{")): return false
      default: break
      }
    }
    return open == nil
  }
}
