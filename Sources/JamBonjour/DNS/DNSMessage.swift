/// One message of multicast DNS: questions, or answers.
///
/// Thread: any.
/// - Source: RFC 1035 §4.1; RFC 6762 §18.
package struct DNSMessage: Hashable, Sendable {
  /// 0 in multicast messages; an answer to a plain resolver repeats that one's number.
  package var id: UInt16 = 0
  package var isResponse: Bool
  /// More known answers follow in another message.
  package var isTruncated = false
  package var questions: [DNSQuestion] = []
  /// The answers; in a question, the records that the asker knows already.
  package var answers: [DNSRecord] = []
  /// The records that a prober wants to own.
  package var authorities: [DNSRecord] = []
  package var additionals: [DNSRecord] = []

  /// The most questions and records of a message that is read. Networks with 200 printers exist;
  /// a message that says less in more is a flood.
  static let mostEntries = 512
  /// The most bytes of a message with its headers. Source: RFC 6762 §17.
  package static let mostBytes = 9_000

  package init(isResponse: Bool) { self.isResponse = isResponse }

  /// Reads a message. Any bytes may come: what is no message throws.
  /// - Throws: `DNSError`.
  package init(_ bytes: UnsafeRawBufferPointer) throws(DNSError) {
    var reader = DNSReader(bytes)
    id = try reader.short()
    let flags = try reader.short()
    isResponse = flags & 0x8000 != 0
    isTruncated = flags & 0x0200 != 0
    // Another kind of operation, or an error, says nothing in mDNS (RFC 6762 §18.3 and §18.11).
    guard flags & 0x780f == 0 else { throw .malformedData }
    let counts = [
      Int(try reader.short()), Int(try reader.short()), Int(try reader.short()),
      Int(try reader.short()),
    ]
    guard counts.reduce(0, +) <= DNSMessage.mostEntries else { throw .tooManyEntries }
    for _ in 0..<counts[0] { questions.append(try reader.question()) }
    for _ in 0..<counts[1] { answers.append(try reader.record()) }
    for _ in 0..<counts[2] { authorities.append(try reader.record()) }
    for _ in 0..<counts[3] { additionals.append(try reader.record()) }
  }

  /// The bytes to send. Names are compressed.
  package func encoded() -> [UInt8] {
    var writer = DNSWriter(compresses: true)
    writer.write(id)
    // An answer has authority for what it says (RFC 6762 §18.4).
    writer.write(UInt16(isResponse ? 0x8400 : 0) | (isTruncated ? 0x0200 : 0))
    for count in [questions.count, answers.count, authorities.count, additionals.count] {
      writer.write(UInt16(clamping: count))
    }
    for question in questions { writer.write(question) }
    for record in answers + authorities + additionals { writer.write(record) }
    return writer.bytes
  }
}
