internal import JamCore

/// A part of addresses, and the parts that may follow. A part with numbers or names is one node for
/// all of them.
struct QueryNode: Sendable {
  enum Part: Hashable, Sendable {
    case root
    case word(String)
    case number(Numbers)
    case name(Names)
  }

  /// A list of numbers.
  enum Numbers: Hashable, Sendable {
    case all(ClosedRange<Int>)
    /// All keys. The whole tree has the parts of those alone that are in use.
    case keys
    /// The layers that there are.
    case layers
    /// Seats, or a pad's or a key's steps. All of them exist, but an answer about more than the
    /// list itself shows only those that are in use.
    case seats, padSteps, keySteps
  }

  /// A list of names.
  enum Names: Hashable, Sendable {
    case players, kits, instruments, topics
    /// Of a player's own mix: those who are here, and those whom the mix remembers.
    case mixed
  }

  let part: Part
  /// The row whose address ends here; nil where none does.
  var method: QueryMethod?
  /// Indices of nodes in the table's order.
  var children: [Int] = []
  /// The children that are words.
  var words: [String: Int] = [:]

  /// All numbers of the list that exist.
  static func numbers(_ numbers: Numbers, _ shape: QueryShape) -> [Int] {
    switch numbers {
    case .all(let range): Array(range)
    case .keys: Array(0..<Pad.keyCount)
    case .layers: shape.layers.sorted()
    case .seats: Array(1...Limits.standard.playersPerRoom)
    case .padSteps, .keySteps: Array(1...Limits.standard.steps)
    }
  }

  /// The numbers of the list that are in use.
  /// - Parameter owner: the number in front of the list in the address: the pad or key of a step.
  static func used(_ numbers: Numbers, of owner: Int, _ shape: QueryShape) -> [Int] {
    switch numbers {
    case .all, .keys, .layers: return QueryNode.numbers(numbers, shape)
    case .seats: return shape.seats
    case .padSteps: return Array(Range(from: 1, to: shape.steps(ofPad: owner) + 1))
    case .keySteps: return Array(Range(from: 1, to: (shape.keySteps[owner] ?? 0) + 1))
    }
  }

  /// The number that the part of an address spells; nil where the list has no such number.
  static func number(_ part: Substring, in numbers: Numbers, _ shape: QueryShape) -> Int? {
    switch numbers {
    case .all(let range): QueryShape.number(part, in: range)
    case .keys: QueryShape.number(part, in: 0...(Pad.keyCount - 1))
    case .layers:
      QueryShape.number(part, in: 1...Limits.standard.layersPerLoop).flatMap {
        shape.layers.contains($0) ? $0 : nil
      }
    case .seats: QueryShape.number(part, in: 1...Limits.standard.playersPerRoom)
    case .padSteps, .keySteps: QueryShape.number(part, in: 1...Limits.standard.steps)
    }
  }

  static func names(_ names: Names, _ shape: QueryShape) -> Set<String> {
    switch names {
    case .players: shape.players
    case .mixed: shape.players.union(shape.mixed)
    case .kits: shape.kits
    case .instruments: shape.instruments
    case .topics: topics
    }
  }

  private static let topics = Set(Topics.words.map(\.word))
}

/// A node of the tree at a concrete address.
struct QueryPlace {
  var node: Int
  /// The node of names, where a word of the table is also a name: a player called `away` has the
  /// parts of both.
  var named: Int?
  /// The last number of the address.
  var number = 0
}
