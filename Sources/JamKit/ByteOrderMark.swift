extension [UInt8] {
  /// The bytes without the byte order mark that some editors put in front of UTF-8. The mark is no
  /// part of the text.
  package var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xef, 0xbb, 0xbf]) ? dropFirst(3) : self[...] }
}
