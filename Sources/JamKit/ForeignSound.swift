/// Kinds of sound files that are not read. Phones and browsers make them, so the error should name
/// the kind.
enum ForeignSound {
  /// The kind's usual name; nil where the file begins like none of them.
  /// - Source: file(1), `magic/Magdir/animation`, `audio` and `matroska`.
  static func kind(of bytes: some Collection<UInt8>) -> String? {
    // A box's length stands before its name (ISO/IEC 14496-12 §4.2).
    if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return "MPEG-4, as .m4a and .mp4 are" }
    if bytes.first == 0xff, let second = bytes.dropFirst().first, second & 0xf6 == 0xf0 { return "raw AAC" }
    // The first packet of an Ogg file begins behind a page's header.
    if bytes.starts(with: "OggS".utf8), bytes.dropFirst(28).starts(with: "Speex".utf8) { return "Speex" }
    return beginnings.first { bytes.starts(with: $0.bytes) }?.kind
  }

  private static let beginnings: [(bytes: [UInt8], kind: String)] = [
    ([0x1a, 0x45, 0xdf, 0xa3], "WebM or Matroska"), ([0x30, 0x26, 0xb2, 0x75], "WMA"), (Array("wvpk".utf8), "WavPack"),
    (Array("MAC ".utf8), "Monkey's Audio"), (Array("#!AMR".utf8), "AMR"), (Array("MThd".utf8), "MIDI"),
  ]
}
