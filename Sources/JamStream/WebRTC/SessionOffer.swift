/// The parts of a WebRTC offer that our answer depends on.
///
/// - Source: RFC 8866 (SDP), RFC 8829 (JSEP), RFC 8839 (ICE), RFC 8842 (DTLS), RFC 7587 (Opus).
package struct SessionOffer: Hashable, Sendable {
  /// One `m=` line: the answer has as many, in the same order (RFC 3264 §6).
  struct Media: Hashable, Sendable {
    /// `audio`, `video`, `application` …
    var kind: String
    var transport: String
    var formats: [String]
    var mid: String?
  }

  var media: [Media]
  /// The index in `media` of the section that will carry the sound.
  var audio: Int
  var payloadType: UInt8
  var hasNACK: Bool
  var hasBundle: Bool
  var ufrag: String
  var fingerprints: [Fingerprint]

  /// The most bytes of an offer; a longer one is refused.
  static let mostBytes = 64 << 10
  private static let mostMedia = 32

  /// A section of the offer: its attributes by name, in order.
  private struct Section {
    var media: Media?
    var isRejected = false
    var attributes: [(name: String, value: String)] = []
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
    func all(_ name: String) -> [String] { attributes.filter { $0.name == name }.map(\.value) }
    func has(_ name: String) -> Bool { attributes.contains { $0.name == name } }
  }

  /// - Throws: `StreamError.offer`, which says what is wrong; `.noOpus` where the offer is valid
  ///   but asks for nothing that we have.
  package init(_ text: String) throws(StreamError) {
    var sections = try SessionOffer.sections(text)
    let session = sections.removeFirst()
    guard !sections.isEmpty else { throw .offer("it has no m= line: ask to receive audio") }
    guard let audio = sections.firstIndex(where: { SessionOffer.opus($0) != nil && !$0.isRejected }),
      let payloadType = SessionOffer.opus(sections[audio])
    else { throw .noOpus }
    let section = sections[audio]
    guard !section.has("sendonly") && !section.has("inactive") else { throw .noOpus }
    guard section.has("rtcp-mux") else { throw .offer("a=rtcp-mux is missing: RTP and RTCP share one port here") }
    guard let ufrag = section["ice-ufrag"] ?? session["ice-ufrag"], (4...256).contains(ufrag.utf8.count),
      ufrag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "/") })
    else { throw .offer("a=ice-ufrag is missing or malformed: it is 4 to 256 letters and digits") }
    let setup = section["setup"] ?? session["setup"] ?? "actpass"
    guard setup == "actpass" || setup == "active" else {
      throw .offer("a=setup:\(setup) will not do: this server is passive in DTLS, so offer actpass or active")
    }
    let written = section.all("fingerprint") + session.all("fingerprint")
    let fingerprints = written.compactMap(Fingerprint.init)
    guard !fingerprints.isEmpty else {
      throw .offer(
        written.isEmpty
          ? "a=fingerprint is missing: without it nobody knows who answers"
          : "a=fingerprint is malformed or of an unknown hash: use sha-256")
    }
    self.media = sections.compactMap(\.media)
    self.audio = audio
    self.payloadType = payloadType
    hasNACK = section.all("rtcp-fb").contains { $0 == "\(payloadType) nack" || $0 == "* nack" }
    hasBundle = session.all("group").contains { group in
      let words = group.split(separator: " ")
      return words.first == "BUNDLE" && section.media?.mid.map { words.dropFirst().contains($0[...]) } == true
    }
    self.ufrag = ufrag
    self.fingerprints = fingerprints
  }

  /// Cuts the text at its `m=` lines.
  private static func sections(_ text: String) throws(StreamError) -> [Section] {
    guard text.utf8.count <= mostBytes else { throw .offer("it is longer than \(mostBytes) bytes") }
    var sections = [Section()]
    let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline }
    guard lines.first == "v=0" else { throw .offer("it is no SDP: its first line is v=0") }
    for (number, line) in lines.enumerated() {
      let bytes = line.utf8
      guard bytes.count >= 2, bytes[bytes.index(after: bytes.startIndex)] == UInt8(ascii: "="),
        !bytes.contains(where: { $0 < 0x20 && $0 != 9 })
      else { throw .offer("line \(number + 1) is no SDP: each line is a letter, = and a value") }
      let value = line.dropFirst(2)
      switch line.first {
      case "m":
        guard sections.count <= mostMedia else { throw .offer("it has more than \(mostMedia) m= lines") }
        sections.append(try media(value, line: number + 1))
      case "a":
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, rest) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        sections[sections.count - 1].attributes.append((name, rest))
        if name == "mid" {
          guard (1...64).contains(rest.utf8.count), !rest.contains(" ") else {
            throw .offer("a=mid:\(rest) is no name")
          }
          sections[sections.count - 1].media?.mid = rest
        }
      default: break
      }
    }
    return sections
  }

  /// Reads the value of an `m=` line: `audio 9 UDP/TLS/RTP/SAVPF 111 0`.
  private static func media(_ value: Substring, line: Int) throws(StreamError) -> Section {
    let words = value.split(separator: " ")
    guard words.count >= 4, let port = UInt16(words[1].prefix { $0 != "/" }) else {
      throw .offer("line \(line) is no media: m=audio 9 UDP/TLS/RTP/SAVPF 111")
    }
    let media = Media(kind: String(words[0]), transport: String(words[2]), formats: words.dropFirst(3).map(String.init))
    // Port 0 rejects the media, unless a bundle-only section says otherwise (RFC 8843 §6).
    return Section(media: media, isRejected: port == 0)
  }

  /// The payload type of stereo Opus; nil where the section has none that we could send.
  private static func opus(_ section: Section) -> UInt8? {
    guard let media = section.media, media.kind == "audio", media.transport.hasSuffix("TLS/RTP/SAVPF") else {
      return nil
    }
    for map in section.all("rtpmap") {
      let words = map.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[1].lowercased() == "opus/48000/2", let type = UInt8(words[0]), type < 128,
        media.formats.contains(String(words[0]))
      else { continue }
      return type
    }
    return nil
  }
}

/// The fingerprint that identifies a certificate.
///
/// - Source: RFC 8122 §5.
package struct Fingerprint: Hashable, Sendable {
  package enum Hash: String, CaseIterable, Sendable {
    case sha1 = "sha-1"
    case sha256 = "sha-256"
    case sha384 = "sha-384"
    case sha512 = "sha-512"

    var byteCount: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }
  }

  var hash: Hash
  var bytes: [UInt8]

  init(hash: Hash, bytes: [UInt8]) {
    self.hash = hash
    self.bytes = bytes
  }

  /// - Parameter text: `sha-256 4A:AD:…`
  package init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let hash = Hash(rawValue: words[0].lowercased()) else { return nil }
    let pairs = words[1].split(separator: ":", omittingEmptySubsequences: false)
    let bytes = pairs.compactMap { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
    guard pairs.count == hash.byteCount, bytes.count == hash.byteCount else { return nil }
    self.init(hash: hash, bytes: bytes)
  }

  package var text: String {
    hash.rawValue + " "
      + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
  }
}
