internal import JamCore

/// Something that is kept beyond the process as a row of values.
protocol Kept {
  func keep(in writer: inout KeptWriter)
  /// - Throws: `KeptError` where the row is another one's.
  init(from reader: inout KeptReader) throws(KeptError)
}

/// A kept row is not of the kind that is read.
enum KeptError: Error, Hashable {
  /// The row ends too early.
  case missing
  /// A value of another type, or one that cannot be.
  case unexpected(KeptValue)
}

/// Writes a row of values, as `KeptReader` reads it.
struct KeptWriter {
  private(set) var values: [KeptValue] = []
  /// Those that the row holds already: each is written once.
  private var voicings: [Voicing: Int] = [:]

  static func row(_ things: any Kept...) -> [KeptValue] {
    var writer = KeptWriter()
    for thing in things { thing.keep(in: &writer) }
    return writer.values
  }

  mutating func put(_ value: KeptValue) { values.append(value) }
  mutating func put(_ thing: some Kept) { thing.keep(in: &self) }

  /// - Returns: the number of the voicing in the row; nil if it must be written now.
  mutating func number(of voicing: Voicing) -> Int? {
    if let number = voicings[voicing] { return number }
    voicings[voicing] = voicings.count
    return nil
  }
}

/// Reads a row of values in the order in which they were written.
struct KeptReader {
  private let values: [KeptValue]
  private var next = 0
  private(set) var voicings: [Voicing] = []
  /// The sounds of the row's hits.
  let sounds: KeptSounds

  init(_ values: [KeptValue], _ sounds: KeptSounds) {
    self.values = values
    self.sounds = sounds
  }

  var isAtEnd: Bool { next == values.count }

  mutating func take() throws(KeptError) -> KeptValue {
    guard next < values.count else { throw .missing }
    defer { next += 1 }
    return values[next]
  }

  /// The next value, which stays.
  var peek: KeptValue? { next < values.count ? values[next] : nil }

  mutating func take<Thing: Kept>(_ type: Thing.Type = Thing.self) throws(KeptError) -> Thing {
    try Thing(from: &self)
  }

  /// The number of a list's elements, which come behind it.
  mutating func takeCount() throws(KeptError) -> Int {
    let count = try take(Int.self)
    // More than a row has.
    guard (0...1 << 24).contains(count) else { throw .unexpected(.integer(Int64(count))) }
    return count
  }

  mutating func note(_ voicing: Voicing) { voicings.append(voicing) }
}

// MARK: The simplest

extension Int64: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.integer(self)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let value = try reader.take()
    guard case .integer(let number) = value else { throw .unexpected(value) }
    self = number
  }
}

extension Int: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.integer(Int64(self))) }
  init(from reader: inout KeptReader) throws(KeptError) { self = Int(try Int64(from: &reader)) }
}

extension UInt64: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.integer(Int64(bitPattern: self))) }
  init(from reader: inout KeptReader) throws(KeptError) { self = UInt64(bitPattern: try Int64(from: &reader)) }
}

extension Float: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.number(self)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let value = try reader.take()
    guard case .number(let number) = value, number.isFinite else { throw .unexpected(value) }
    self = number
  }
}

extension Bool: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.flag(self)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let value = try reader.take()
    guard case .flag(let isOn) = value else { throw .unexpected(value) }
    self = isOn
  }
}

extension String: Kept {
  func keep(in writer: inout KeptWriter) { writer.put(.text(self)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let value = try reader.take()
    guard case .text(let text) = value else { throw .unexpected(value) }
    self = text
  }
}

extension Optional: Kept where Wrapped: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(self != nil)
    if let self { writer.put(self) }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    self = try reader.take(Bool.self) ? try Wrapped(from: &reader) : nil
  }
}

extension Array: Kept where Element: Kept {
  func keep(in writer: inout KeptWriter) {
    writer.put(count)
    for element in self { writer.put(element) }
  }
  init(from reader: inout KeptReader) throws(KeptError) {
    self = []
    for _ in 0..<(try reader.takeCount()) { append(try Element(from: &reader)) }
  }
}

/// A word of an enumeration.
extension Kept where Self: RawRepresentable<String> {
  func keep(in writer: inout KeptWriter) { writer.put(.text(rawValue)) }
  init(from reader: inout KeptReader) throws(KeptError) {
    let word = try reader.take(String.self)
    guard let value = Self(rawValue: word) else { throw .unexpected(.text(word)) }
    self = value
  }
}

extension LaneAction: Kept {}
extension Lock: Kept {}
extension Role: Kept {}
extension TempoMode: Kept {}
