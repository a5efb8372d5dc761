internal import JamKit

/// An SFZ file's text, without its comments.
enum SFZText {
  /// UTF-8, UTF-16 with its mark in front, or Latin-1. Each comment is one space, or the line's end
  /// that it holds.
  static func scalars(_ bytes: [UInt8]) -> (text: [Unicode.Scalar], isOpen: Bool) {
    withoutComments(Array(characters(bytes).unicodeScalars))
  }

  private static func characters(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xff, 0xfe]) { return wide(bytes.dropFirst(2), first: 0) }
    if bytes.starts(with: [0xfe, 0xff]) { return wide(bytes.dropFirst(2), first: 8) }
    return XMLText.characters(bytes.withoutByteOrderMark)
  }

  /// - Parameter first: by how many bits the first byte of two counts.
  private static func wide(_ bytes: ArraySlice<UInt8>, first: UInt16) -> String {
    let starts = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
    return String(
      decoding: starts.map { UInt16(bytes[$0]) << first | UInt16(bytes[$0 + 1]) << (8 - first) }, as: UTF16.self)
  }

  /// From left to right: what is in a line's comment begins no other one, so that `//****` ends
  /// with its line.
  /// - Returns: whether a comment `/*` has no end; it has taken the rest.
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

  /// What names of opcodes and definitions are made of.
  static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
