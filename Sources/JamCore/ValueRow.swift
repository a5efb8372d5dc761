/// All facts about one value of a `Root`: a value of a patch, or of a channel's effects.
///
/// Thread: any; immutable.
public struct ValueRow<Root>: Sendable {
  /// The name in files and addresses.
  public let path: String
  /// The name of the value.
  public let argument: String
  public let kind: SettingKind
  /// One line of text.
  public let summary: String
  private let place: ValuePlace<Root>

  init(_ path: String, _ argument: String, _ kind: SettingKind, _ place: ValuePlace<Root>, _ summary: String) {
    self.path = path
    self.argument = argument
    self.kind = kind
    self.place = place
    self.summary = summary
  }

  public func value(in root: Root) -> SettingValue {
    switch place {
    case .float(let path): .float(root[keyPath: path])
    case .integer(let path): .integer(Int32(root[keyPath: path]))
    case .bool(let path): .bool(root[keyPath: path])
    case .word(let words, let read, _): .text(words[read(root)])
    }
  }

  /// A value of another type, an unknown word and NaN change nothing. A value out of range sets the
  /// nearest one.
  public func set(_ value: SettingValue, in root: inout Root) {
    switch (place, kind.nearest(value)) {
    case (.float(let path), .float(let number)):
      // NaN has no nearest value.
      if number == number { root[keyPath: path] = number }
    case (.integer(let path), .integer(let number)): root[keyPath: path] = Int8(clamping: number)
    case (.bool(let path), .bool(let isOn)): root[keyPath: path] = isOn
    case (.word(let words, _, let write), .text(let word)):
      if let index = words.firstIndex(of: word) { write(&root, index) }
    default: break
    }
  }

  /// The value as a number, in the form of an engine's command: on is 1, and a word is its place in
  /// the list of words.
  public func number(in root: Root) -> Float {
    switch place {
    case .float(let path): root[keyPath: path]
    case .integer(let path): Float(root[keyPath: path])
    case .bool(let path): root[keyPath: path] ? 1 : 0
    case .word(_, let read, _): Float(read(root))
    }
  }
}

/// The property of a `Root` that holds the value.
enum ValuePlace<Root>: Sendable {
  case float(WritableKeyPath<Root, Float> & Sendable)
  case integer(WritableKeyPath<Root, Int8> & Sendable)
  case bool(WritableKeyPath<Root, Bool> & Sendable)
  /// One of several words, read and written by its place in the list of words.
  case word([String], read: @Sendable (Root) -> Int, write: @Sendable (inout Root, Int) -> Void)

  static func word<Word: SettingWord>(_ path: WritableKeyPath<Root, Word> & Sendable) -> ValuePlace {
    let all = Array(Word.allCases)
    return .word(
      all.map(\.word), read: { root in all.firstIndex(of: root[keyPath: path]) ?? 0 },
      write: { root, index in root[keyPath: path] = all[index] })
  }
}

/// The type of a setting whose value is one of several words.
public protocol SettingWord: CaseIterable, Equatable, Sendable {
  var word: String { get }
}

extension SettingWord where Self: RawRepresentable, RawValue == String {
  public var word: String { rawValue }
}
