public import JamCore

/// One moment of a score, and its messages.
public struct ScoreBundle: Hashable, Sendable {
  public var frame: Frames
  public var messages: [OSCMessage]

  public init(frame: Frames, messages: [OSCMessage]) {
    self.frame = frame
    self.messages = messages
  }
}

/// The faults of a score file, with their places.
public enum ScoreError: Error, Hashable, CustomStringConvertible {
  case packet(OSCError, offset: Int)
  case badLength(UInt32, offset: Int)
  /// The file ends inside a bundle.
  case truncated(offset: Int)
  case notABundle(offset: Int)
  /// The bundle is earlier than one before it by more than a live hit could have been sent ahead.
  case outOfOrder(offset: Int)

  public var description: String {
    switch self {
    case .packet(let error, let offset): "the bundle at byte \(offset) is broken: \(error)"
    case .badLength(let length, let offset):
      """
      at byte \(offset) a bundle's length is expected (int32, big-endian, a multiple of 4), not \
      \(Int32(bitPattern: length))
      """
    case .truncated(let offset): "the file ends inside the bundle at byte \(offset)"
    case .notABundle(let offset): "at byte \(offset) there is no bundle: a score is bundles alone"
    case .outOfOrder(let offset):
      """
      the bundle at byte \(offset) is more than \(Int(saturating: Limits.standard.timetagAhead.seconds)) s \
      earlier than one before it
      """
    }
  }
}

/// Writes scores: bundles with their lengths in front, and timetags in seconds from 0.
///
/// Thread: one at a time; no I/O.
public enum ScoreWriter {
  /// The bundle's bytes in the file.
  public static func encode(_ bundle: ScoreBundle) -> [UInt8] {
    Framing.lengthPrefix.frame(OSCPacket.encode(bundle.messages, at: OSCTimetag(scoreFrame: bundle.frame)))
  }
}

/// Reads a score piece by piece.
///
/// Bundles are in the order in which they were played. This is the order of their frames, except
/// for hits that were sent ahead of their time. A bundle with inner bundles becomes one bundle for
/// each timetag, in the same order.
/// Thread: one at a time; no I/O.
public struct ScoreReader: Sendable {
  /// The largest length of a bundle: more than any packet on a network has.
  public static let bundleLimit = 16 << 20

  private var pending: [UInt8] = []
  private var start = 0
  /// The offset in the file of `pending[start]`.
  private var offset = 0
  private var last = Frames.zero
  private var latest = Frames.zero
  private var packet = OSCPacket()

  public init() {}

  /// Reads the file's next bytes, and returns the bundles that they complete.
  /// - Throws: `ScoreError`, with the offset of the faulty bundle.
  public mutating func receive(_ bytes: some Collection<UInt8>) throws(ScoreError) -> [ScoreBundle] {
    var bundles: [ScoreBundle] = []
    try receive(bytes, into: &bundles)
    return bundles
  }

  /// Reads the file's next bytes. After an error, `bundles` still holds the bundles before the
  /// faulty one.
  public mutating func receive(_ bytes: some Collection<UInt8>, into bundles: inout [ScoreBundle]) throws(ScoreError) {
    pending.append(contentsOf: bytes)
    while pending.count - start >= 4 {
      let length = pending[Range(from: start, to: start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      guard length % 4 == 0, length >= 16, length <= UInt32(ScoreReader.bundleLimit) else {
        throw .badLength(length, offset: offset)
      }
      guard pending.count - start - 4 >= Int(length) else { break }
      try read(start + 4..<start + 4 + Int(length), into: &bundles)
      start += 4 + Int(length)
      offset += 4 + Int(length)
    }
    // The bytes are moved once for each piece, and not for each bundle.
    pending.removeFirst(start)
    start = 0
  }

  /// Call it at the end of the file.
  /// - Throws: `ScoreError.truncated`.
  public func finish() throws(ScoreError) {
    guard pending.isEmpty else { throw .truncated(offset: offset) }
  }

  private mutating func read(_ range: Range<Int>, into bundles: inout [ScoreBundle]) throws(ScoreError) {
    guard pending[range.lowerBound] == UInt8(ascii: "#") else { throw .notABundle(offset: offset) }
    let result = pending.withUnsafeBytes { bytes in
      Result { () throws(OSCError) in
        try packet.decode(UnsafeRawBufferPointer(rebasing: bytes[range]), limit: ScoreReader.bundleLimit)
      }
    }
    if case .failure(let error) = result { throw .packet(error, offset: offset) }
    if let refusal = packet.refusals.first { throw .packet(refusal, offset: offset) }
    // The number that the packet had live precedes the messages that it numbers.
    var number = packet.sequence.map { [OSCMessage("/seq", .int32($0))] } ?? []
    for element in packet.elements {
      let frame = element.timetag.isImmediate ? last : element.timetag.scoreFrame
      guard frame + Limits.standard.timetagAhead >= latest else { throw .outOfOrder(offset: offset) }
      latest = max(latest, frame)
      // No player hears anything in a score. The reader of the messages refuses `/heard` with that
      // reason.
      if let heard = element.heard { number.append(OSCMessage("/heard", .int64(Int64(heard)))) }
      if frame == last, !bundles.isEmpty, bundles[bundles.count - 1].frame == frame {
        bundles[bundles.count - 1].messages += number + [element.message]
      } else {
        bundles.append(ScoreBundle(frame: frame, messages: number + [element.message]))
      }
      number = []
      last = frame
    }
  }
}
