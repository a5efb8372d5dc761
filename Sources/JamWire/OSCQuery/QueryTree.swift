internal import JamCore

/// All addresses of the server as a tree that describes itself in JSON, for OSCQuery.
///
/// The tree comes from the address table alone. A view says which players, kits, instruments,
/// layers and seats there are, and which values the nodes have.
///
/// Thread: any; immutable.
/// - Source: OSCQuery proposal, `github.com/Vidvox/OSCQueryProposal`.
public struct QueryTree: Sendable {
  public static let standard = QueryTree(.standard)

  /// The first one is the root.
  let nodes: [QueryNode]

  /// Longer paths are no addresses of the server.
  private static let longestPath = 512
  static let root = 0

  public init(_ table: AddressTable) {
    var nodes = [QueryNode(part: .root)]
    for (index, entry) in table.entries.enumerated() {
      var place = QueryTree.root
      for part in QueryTree.parts(of: entry) {
        if let known = nodes[place].children.first(where: { nodes[$0].part == part }) {
          place = known
          continue
        }
        nodes.append(QueryNode(part: part))
        nodes[place].children.append(nodes.count - 1)
        if case .word(let word) = part { nodes[place].words[word] = nodes.count - 1 }
        place = nodes.count - 1
      }
      // A row that is only sent, at the address of a control, does not hide that control.
      guard nodes[place].method == nil || entry.access != .sent && !nodes[place].isSettable else {
        continue
      }
      nodes[place].method = QueryMethod(entry, isReadable: table.isReadable(index))
    }
    self.nodes = nodes
  }

  private static func parts(of entry: AddressEntry) -> [QueryNode.Part] {
    var ranges = entry.numbers.map(\.range)[...]
    let head = entry.segments.first ?? ""
    return entry.segments.map { segment in
      guard segment.first == "<" else { return .word(String(segment)) }
      guard AddressEntry.isNumber(segment), let range = ranges.popFirst() else {
        return .name(names[head] ?? .topics)
      }
      switch (head, segment) {
      case ("seat", _): return .number(.seats)
      case ("layer", _): return .number(.layers)
      case ("step", "<step>"): return .number(.padSteps)
      case ("key", "<step>"): return .number(.keySteps)
      case ("key", _): return .number(.keys)
      default: return .number(.all(range))
      }
    }
  }

  /// The names in addresses, by the first part. Those of `/subscribe/<port>` are topics.
  private static let names: [Substring: QueryNode.Names] = [
    "player": .players, "mix": .mixed, "kit": .kits, "instrument": .instruments,
  ]

  /// The answer to `GET <path>?<wish>`.
  ///
  /// An answer about a branch leaves out seats that are free, and steps that do not go round; the
  /// answer about the list itself, `/seat` or `/step/3`, has them. The whole tree has no parts of
  /// keys that have no steps, except for the middle C; `/key` has them. It has parts of the first
  /// eight seats that are taken. A branch describes a row with many addresses only at the first
  /// number, and one with a player's name only at the first name.
  /// - Parameters:
  ///   - path: any text, after percent decoding; `/` is the root.
  ///   - wish: nil is an unknown attribute. `hostInfo` is answered by `QueryHostInfo`, and is 400
  ///     here.
  public func answer(
    path: String, wish: QueryWish?, view: QueryView, style: QueryStyle = .full
  ) -> QueryAnswer {
    guard let wish, wish != .hostInfo, path.utf8.first == UInt8(ascii: "/") else {
      return QueryAnswer(.badRequest)
    }
    guard let place = find(path, view.shape) else { return QueryAnswer(.notFound) }
    var writer = QueryWriter(tree: self, view: view, style: style)
    switch wish {
    case .hostInfo: return QueryAnswer(.badRequest)
    case .node:
      writer.writeNode(place, path: path)
      return QueryAnswer(.found, json: writer.json)
    case .attribute(let attribute):
      let isThere = writer.writeAttribute(attribute, of: place, path: path)
      return isThere ? QueryAnswer(.found, json: writer.json) : QueryAnswer(.noContent)
    }
  }

  /// Whether there is such a node.
  public func contains(_ path: String, in view: QueryView) -> Bool { find(path, view.shape) != nil }

  /// The values that can be read at the node and below it, for `LISTEN`, sorted by their addresses.
  /// Answers about a branch may leave some of them out.
  public func values(at path: String, in view: QueryView) -> [OSCMessage] {
    guard let place = find(path, view.shape) else { return [] }
    guard !children(of: place).isEmpty else {
      guard let value = view.values[path], isReadable(path, value, view.shape) else { return [] }
      return [OSCMessage(path, value)]
    }
    let branch = path == "/" ? path : path + "/"
    return view.values.filter { address, arguments in
      guard address == path || address.hasPrefix(branch) else { return false }
      return isReadable(address, arguments, view.shape)
    }.map { OSCMessage($0.key, $0.value) }.sorted { $0.address < $1.address }
  }

  /// Whether there is a node that has these arguments as its value.
  func isReadable(_ address: String, _ arguments: [OSCArgument], _ shape: QueryShape) -> Bool {
    guard let method = find(address, shape).flatMap({ method(at: $0) }), method.isReadable else {
      return false
    }
    return method.value(arguments) != nil
  }

  // MARK: Places

  /// - Returns: nil where there is no such node.
  func find(_ path: String, _ shape: QueryShape) -> QueryPlace? {
    guard path.utf8.count <= QueryTree.longestPath, path.utf8.first == UInt8(ascii: "/") else {
      return nil
    }
    var place = QueryPlace(node: QueryTree.root)
    guard path != "/" else { return place }
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let next = child(part, of: place, shape) else { return nil }
      place = next
    }
    return place
  }

  private func child(_ part: Substring, of place: QueryPlace, _ shape: QueryShape) -> QueryPlace? {
    var found: QueryPlace?
    for parent in [place.node, place.named].compactMap(\.self) {
      if let word = nodes[parent].words[String(part)] {
        found = QueryPlace(node: word, number: place.number)
      }
      for child in nodes[parent].children {
        switch nodes[child].part {
        case .number(let numbers):
          guard let number = QueryNode.number(part, in: numbers, shape) else { continue }
          found = QueryPlace(node: child, number: number)
        case .name(let names) where QueryNode.names(names, shape).contains(String(part)):
          if found == nil {
            found = QueryPlace(node: child, number: place.number)
          } else {
            found?.named = child
          }
        case .name, .word, .root: break
        }
      }
    }
    return found
  }

  func method(at place: QueryPlace) -> QueryMethod? {
    nodes[place.node].method ?? place.named.flatMap { nodes[$0].method }
  }

  /// The parts below the place, of which each is in the tree once.
  func children(of place: QueryPlace) -> [Int] {
    nodes[place.node].children + (place.named.map { nodes[$0].children } ?? [])
  }
}

extension QueryNode {
  fileprivate var isSettable: Bool { method?.isSettable ?? false }
}

extension AddressTable {
  /// Whether the row's address has a value, the light of a control, or the latest state of an
  /// event.
  fileprivate func isReadable(_ index: Int) -> Bool {
    let entry = entries[index]
    if entry.tellsState || entry.setting != nil { return true }
    let numbers = entry.numbers.map(\.range.lowerBound)
    let texts = entry.segments.filter { $0.first == "<" && !AddressEntry.isNumber($0) }
    let resolution = Resolution(
      entry: index, numbers: (numbers.first ?? 0, numbers.dropFirst().first ?? 0),
      texts: texts.map { _ in PlayerName.anybody.text }, seat: entry.isOfSeat ? numbers.first : nil)
    return setting(of: resolution) != nil
  }
}
