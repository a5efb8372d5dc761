internal import JamCore

/// Writes nodes of the tree as JSON.
///
/// A whole tree has thousands of nodes, so all that never changes was made into bytes before.
struct QueryWriter {
  private let tree: QueryTree
  private let view: QueryView
  private let shape: QueryShape
  private let style: QueryStyle
  /// Whether the answer is about the whole tree.
  private var isOfRoot = false
  /// The taken seats of which the whole tree has all parts.
  private let shownSeats: Set<Int>
  private(set) var json: [UInt8] = []

  init(tree: QueryTree, view: QueryView, style: QueryStyle) {
    self.tree = tree
    self.style = style
    self.view = view
    shape = view.shape
    shownSeats = Set(shape.seats.prefix(QueryWriter.mostShownSeats))
  }

  /// A room may have 64, and `/player` has the same rows.
  private static let mostShownSeats = 8

  /// The node that the answer is about, with everything below it.
  mutating func writeNode(_ place: QueryPlace, path: String) {
    isOfRoot = place.node == QueryTree.root
    if isOfRoot { json.reserveCapacity(QueryWriter.wholeTree) }
    write(place, path, isTop: true, isDescribed: true)
  }

  private static let wholeTree = 400_000

  /// One attribute as an object.
  /// - Returns: false where the node has no such attribute. Nothing is written then.
  mutating func writeAttribute(_ attribute: QueryAttribute, of place: QueryPlace, path: String)
    -> Bool
  {
    let method = tree.method(at: place)
    let start = json.count
    isOfRoot = place.node == QueryTree.root
    append("{\"\(attribute.rawValue)\":")
    var isThere = true
    switch attribute {
    case .fullPath: appendQuoted(path)
    case .contents:
      isThere = !tree.children(of: place).isEmpty
      if isThere { writeContents(of: place, path, isTop: true, isDescribed: true) }
    case .access: append("\(method.map { access(to: $0, at: path).rawValue } ?? 0)")
    case .value: isThere = method.map { appendValue(of: $0, at: path) } ?? false
    case .description: isThere = appendDescription(of: method, at: path, place, isDescribed: true)
    case .range where method?.choices != nil: appendChoices(method?.choices, of: place)
    case .type, .range, .unit, .clipMode, .tags:
      let fact = method?.facts[attribute]
      isThere = fact != nil
      json += fact ?? []
    }
    append("}")
    if !isThere { json.removeSubrange(start...) }
    return isThere
  }

  // MARK: Nodes

  /// - Parameters:
  ///   - isTop: whether the answer is about this node.
  ///   - isDescribed: whether the last number, or player's name, in the path is the first of its
  ///     list in the answer, or belongs to the path that was asked for.
  private mutating func write(_ place: QueryPlace, _ path: String, isTop: Bool, isDescribed: Bool) {
    append("{\"FULL_PATH\":")
    appendQuoted(path)
    let isContainer = hasParts(place)
    if let method = tree.method(at: place) {
      json += method.members
      if let choices = method.choices {
        append(",\"RANGE\":")
        appendChoices(choices, of: place)
      }
    }
    if let method = tree.method(at: place), style == .full || !isContainer {
      appendAccess(of: method, at: path)
    } else {
      append(",\"ACCESS\":0")
    }
    let start = json.count
    append(",\"DESCRIPTION\":")
    if !appendDescription(of: tree.method(at: place), at: path, place, isDescribed: isDescribed) {
      json.removeSubrange(start...)
    }
    if isContainer {
      append(",\"CONTENTS\":")
      writeContents(of: place, path, isTop: isTop, isDescribed: isDescribed)
    }
    append("}")
  }

  /// Whether the answer has something below the place.
  private func hasParts(_ place: QueryPlace) -> Bool {
    let children = tree.children(of: place)
    switch tree.nodes[place.node].part {
    case .number(.keys) where isOfRoot && shape.keySteps[place.number] == nil: return false
    case .number(.seats) where isOfRoot && !shownSeats.contains(place.number): return false
    default: return !children.isEmpty
    }
  }

  /// Whether the child has no row of its own, and is a list of which nothing is in use.
  private func isUnused(_ child: Int, of number: Int) -> Bool {
    guard tree.nodes[child].method == nil, tree.nodes[child].children.count == 1,
      case .number(let numbers) = tree.nodes[tree.nodes[child].children[0]].part
    else { return false }
    return QueryNode.used(numbers, of: number, shape).isEmpty
  }

  private mutating func writeContents(
    of place: QueryPlace, _ path: String, isTop: Bool, isDescribed: Bool
  ) {
    let branch = path == "/" ? path : path + "/"
    let names = nameNode(of: place)
    append("{")
    var isFirst = true
    for child in tree.children(of: place) {
      switch tree.nodes[child].part {
      case .root: break
      case .word where isUnused(child, of: place.number): break
      case .word(let word):
        let named = names.flatMap { node, names in names.contains(word) ? node : nil }
        member(
          word, QueryPlace(node: child, named: named, number: place.number), branch, &isFirst,
          isDescribed: isDescribed)
      case .number(let numbers):
        let list =
          isTop
          ? QueryNode.numbers(numbers, shape) : QueryNode.used(numbers, of: place.number, shape)
        for number in list {
          // Of the keys of the whole tree, the example has all parts.
          let isExample = numbers == .keys && isOfRoot && number == QueryShape.exampleKey
          member(
            "\(number)", QueryPlace(node: child, number: number), branch, &isFirst,
            isDescribed: number == list.first || isExample)
        }
      case .name(let names):
        let words = tree.nodes[place.node].words
        let list = QueryNode.names(names, shape).sorted()
        for name in list where words[name] == nil {
          member(
            name, QueryPlace(node: child, number: place.number), branch, &isFirst,
            isDescribed: names != .players && names != .mixed || name == list.first)
        }
      }
    }
    append("}")
  }

  /// The child of the place that stands for names, with the names.
  private func nameNode(of place: QueryPlace) -> (Int, Set<String>)? {
    for child in tree.nodes[place.node].children {
      if case .name(let names) = tree.nodes[child].part {
        return (child, QueryNode.names(names, shape))
      }
    }
    return nil
  }

  private mutating func member(
    _ name: String, _ place: QueryPlace, _ branch: String, _ isFirst: inout Bool, isDescribed: Bool
  ) {
    if !isFirst { append(",") }
    isFirst = false
    appendQuoted(name)
    append(":")
    write(place, branch + name, isTop: false, isDescribed: isDescribed)
  }

  // MARK: Attributes

  /// A bit for each direction.
  private struct Access: OptionSet {
    let rawValue: Int
    static let read = Access(rawValue: 1)
    static let write = Access(rawValue: 2)
  }

  private func access(to method: QueryMethod, at path: String) -> Access {
    var access: Access = []
    if value(of: method, at: path) != nil { access.insert(.read) }
    if method.isSettable, !method.isHost || view.asker != .player { access.insert(.write) }
    return access
  }

  private func value(of method: QueryMethod, at path: String) -> [UInt8]? {
    guard method.isReadable else { return nil }
    return view.values[path].flatMap { method.value($0) }
  }

  private mutating func appendValue(of method: QueryMethod, at path: String) -> Bool {
    guard let value = value(of: method, at: path) else { return false }
    json += value
    return true
  }

  /// `ACCESS` and `VALUE`. python-oscquery takes no node that can be set and has no value, so that
  /// a node that cannot be read has the value of a control that nobody touches.
  private mutating func appendAccess(of method: QueryMethod, at path: String) {
    let value = value(of: method, at: path)
    let canSet = method.isSettable && (!method.isHost || view.asker != .player)
    append(",\"ACCESS\":")
    json.append(UInt8(ascii: "0") + (value == nil ? 0 : 1) + (canSet ? 2 : 0))
    guard value != nil || canSet else { return }
    append(",\"VALUE\":")
    json += value ?? method.resting
  }

  /// - Returns: false where there is nothing to say.
  private mutating func appendDescription(
    of method: QueryMethod?, at path: String, _ place: QueryPlace, isDescribed: Bool
  ) -> Bool {
    let title = title(of: place, at: path)
    let text = method.flatMap { $0.isNumerous && !isDescribed ? nil : $0.description } ?? []
    guard title != nil || !text.isEmpty else { return false }
    append("\"")
    if let title {
      json += title.quotedJSON.utf8.dropFirst().dropLast()
      if !text.isEmpty { append(": ") }
    }
    json += text
    append("\"")
    return true
  }

  /// The name of the pad, scene or seat at the path, or the title that the view gives it.
  private func title(of place: QueryPlace, at path: String) -> String? {
    if place.node == QueryTree.root { return QueryWriter.rootTitle }
    if let title = view.titles[path] { return title }
    guard case .number = tree.nodes[place.node].part, tree.nodes[place.node].words["name"] != nil,
      let name = view.values[path + "/name"]?.first?.text, !name.isEmpty
    else { return nil }
    return name
  }

  private static let rootTitle = "Bandshell: everything that its room takes and tells over OSC."

  private mutating func appendChoices(_ choices: QueryMethod.Choices?, of place: QueryPlace) {
    let names: Set<String> =
      switch choices {
      case .kits: shape.kits
      case .instruments: shape.instruments
      case nil: []
      }
    let ofTable = tree.nodes[place.node].words
    let words = names.filter { ofTable[$0] == nil }.sorted()
    append("[")
    append(
      words.isEmpty ? "null" : "{\"VALS\":[\(words.map(\.quotedJSON).joined(separator: ","))]}")
    append("]")
  }

  // MARK: Bytes

  private mutating func append(_ text: String) { json += text.utf8 }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func appendQuoted(_ text: String) {
    json.append(UInt8(ascii: "\""))
    // Addresses and words of the table need no escapes; only names of players may.
    if text.utf8.allSatisfy(QueryWriter.isPlain) {
      json += text.utf8
    } else {
      json += text.quotedJSON.utf8.dropFirst().dropLast()
    }
    json.append(UInt8(ascii: "\""))
  }
}
