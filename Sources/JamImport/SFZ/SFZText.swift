internal import JamKit

/// An SFZ file's text, without its comments.
enum SFZText {
  /// Decodes UTF-8, UTF-16 with a byte order mark, or Latin-1. Each comment becomes one space, or
  /// the line end that it holds.
  static func scalars(_ bytes: [UInt8]) -> (text: [Unicode.Scalar], isOpen: Bool) {
    withoutComments(Array(characters(bytes).unicodeScalars))
  }

  private static func characters(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xff, 0xfe]) { return wide(bytes.dropFirst(2), first: 0) }
    if bytes.starts(with: [0xfe, 0xff]) { return wide(bytes.dropFirst(2), first: 8) }
    return XMLText.characters(bytes.withoutByteOrderMark)
  }

  /// - Parameter first: the shift in bits of the first byte of each pair.
  private static func wide(_ bytes: ArraySlice<UInt8>, first: UInt16) -> String {
    let starts = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    return String(
      decoding: starts.map { UInt16(bytes[$0]) << first | UInt16(bytes[$0 + 1]) << (8 - first) }, as: UTF16.self)
  }

  /// Goes from left to right: inside a line's comment no other comment begins, so that `//****`
  /// ends with its line.
  /// - Returns: whether a comment `/*` has no end; it then covers the rest.
  private static func withoutComments(_ text: [Unicode.Scalar]) -> (text: [Unicode.Scalar], isOpen: Bool) {
    var kept: [Unicode.Scalar] = []
    kept.reserveCapacity(text.count)
    var position = 0
    while position < text.count {
      let next = position + 1 < text.count ? text[position + 1] : " "
      if text[position] == "/", next == "/" {
        while position < text.count, !isLineEnd(text[position]) { position += 1 }
      } else if text[position] == "/", next == "*" {
        position += 2
        var hasLineEnd = false
        while position + 1 < text.count, !(text[position] == "*" && text[position + 1] == "/") {
          hasLineEnd = hasLineEnd || isLineEnd(text[position])
          position += 1
        }
        guard position + 1 < text.count else { return (kept, true) }
        position += 2
        kept.append(hasLineEnd ? "\n" : " ")
      } else {
        kept.append(text[position])
        position += 1
      }
    }
    return (kept, false)
  }

  static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\u{a0}" || scalar == "\u{feff}" || scalar == "\u{b}"
      || scalar == "\u{c}"
  }

  /// The characters of names of opcodes and definitions.
  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
