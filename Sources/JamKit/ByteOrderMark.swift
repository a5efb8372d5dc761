extension [UInt8] {
  /// A text without the mark that some editors put in front of UTF-8: it is no part of what is said.
  package var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...] }
}
