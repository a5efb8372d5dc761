/// The faults that the bytes of an OSC packet can have.
public enum OSCError: Error, Hashable, CustomStringConvertible {
  case empty
  case tooLong(bytes: Int, limit: Int)
  /// OSC sizes are multiples of four.
  case unaligned(bytes: Int, address: String = "")
  case notOSC
  case unterminatedAddress
  case addressUnprintable
  case missingComma(address: String)
  case unterminatedTypes(address: String)
  case unknownType(Character, address: String)
  case truncatedArguments(address: String)
  /// The packet has more bytes after the last argument.
  case wrongLength(address: String)
  case textNotUTF8(address: String)
  case bundleTooDeep(limit: Int)
  case bundleTruncated
  /// An element claims more bytes than its bundle has.
  case elementPastEnd(claimed: Int, available: Int)

  /// The address of the faulty message, where it could be read.
  public var address: String {
    switch self {
    case .missingComma(let address), .unterminatedTypes(let address), .unknownType(_, let address),
      .truncatedArguments(let address), .wrongLength(let address), .textNotUTF8(let address),
      .unaligned(_, let address):
      address
    case .bundleTooDeep, .bundleTruncated, .elementPastEnd: "#bundle"
    default: ""
    }
  }

  public var description: String {
    switch self {
    case .empty: "the packet is empty"
    case .tooLong(let bytes, let limit): "the packet has \(bytes) bytes or more: \(limit) is the limit"
    case .unaligned(let bytes, let address):
      "\(bytes) bytes is no multiple of 4: OSC pads everything to 4 bytes" + (address.isEmpty ? "" : " (\(address))")
    case .notOSC: "this is no OSC packet: one begins with / or #bundle"
    case .unterminatedAddress: "the address does not end: it needs a zero byte"
    case .addressUnprintable: "the address has characters that it may not have: it is printable text without spaces"
    case .missingComma(let address):
      """
      the type tags are missing, and without them only one float or int can be read: they begin with a \
      comma, as ,ff (\(address))
      """
    case .unterminatedTypes(let address): "the type tags do not end: they need a zero byte (\(address))"
    case .unknownType(let type, let address):
      "type '\(type)' is not understood: use i f h d s S b t c m T F N I (\(address))"
    case .truncatedArguments(let address): "the packet ends before its last argument (\(address))"
    case .wrongLength(let address): "the packet goes on after its last argument (\(address))"
    case .textNotUTF8(let address): "a text is not UTF-8 (\(address))"
    case .bundleTooDeep(let limit): "bundles are nested more than \(limit) deep"
    case .bundleTruncated: "the bundle ends in the middle of an element"
    case .elementPastEnd(let claimed, let available):
      "a bundle element claims \(claimed) bytes, and \(available) are left"
    }
  }
}
