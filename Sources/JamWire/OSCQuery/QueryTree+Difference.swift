internal import JamCore

extension QueryTree {
  /// The paths that differ between two views. Values that differ are no difference of the tree, but
  /// names are, because descriptions tell them. More than a hundred changed paths become `/`.
  public func difference(from old: QueryView, to new: QueryView) -> QueryDifference {
    var difference = QueryDifference()
    guard old.asker == new.asker else {
      difference.changed = ["/"]
      return difference
    }
    let (before, after) = (old.shape, new.shape)
    for (branch, left, right) in QueryTree.names(before, after) where left != right {
      let (added, removed) = (right.subtracting(left), left.subtracting(right))
      difference.added += added.filter { !isWord($0, in: branch) }.map { "\(branch)/\($0)" }
      difference.removed += removed.filter { !isWord($0, in: branch) }.map { "\(branch)/\($0)" }
      difference.changed.append(branch)
    }
    if before.seats != after.seats { difference.changed.append("/seat") }
    for pad in 1...Pad.count where before.steps(ofPad: pad) != after.steps(ofPad: pad) {
      difference.changed.append("/step/\(pad)")
    }
    for key in Set(before.keySteps.keys).union(after.keySteps.keys)
    where before.keySteps[key] != after.keySteps[key] {
      difference.changed.append("/key/\(key)")
    }
    let told =
      difference.added + difference.removed + difference.changed.filter { !QueryTree.hasNames($0) }
    let nodes = changedNodes(from: old, to: new)
    difference.changed += nodes.filter { path in
      !told.contains { path == $0 || path.hasPrefix($0 + "/") }
    }
    difference.added.sort()
    difference.removed.sort()
    difference.changed = Set(difference.changed).sorted()
    // A client reads the whole tree sooner than a hundred nodes.
    if difference.changed.count > QueryTree.mostChanges { difference.changed = ["/"] }
    return difference
  }

  private static let mostChanges = 100

  /// The containers whose parts come and go.
  private static func names(_ old: QueryShape, _ new: QueryShape) -> [(
    String, Set<String>, Set<String>
  )] {
    [
      ("/player", old.players, new.players), ("/kit", old.kits, new.kits),
      ("/mix", QueryNode.names(.mixed, old), QueryNode.names(.mixed, new)),
      ("/instrument", old.instruments, new.instruments),
      ("/layer", Set(old.layers.map(String.init)), Set(new.layers.map(String.init))),
    ]
  }

  /// Whether the table has the word there. Such a node stays when a thing of that name comes or
  /// goes.
  private func isWord(_ name: String, in branch: String) -> Bool {
    nodes[QueryTree.root].words[String(branch.dropFirst())].flatMap { nodes[$0].words[name] } != nil
  }

  /// Whether the change of the path is told for its contents' names alone. Its other nodes may
  /// differ, too.
  private static func hasNames(_ path: String) -> Bool {
    ["/player", "/mix", "/kit", "/instrument", "/layer"].contains(path)
  }

  /// Nodes with another title, and those of which a value is known in one of the views alone.
  private func changedNodes(from old: QueryView, to new: QueryView) -> Set<String> {
    var changed: Set<String> = []
    for (address, arguments) in new.values {
      let before = old.values[address]
      guard before != arguments else { continue }
      if address.hasSuffix("/name"), let owner = owner(ofName: address, new.shape) {
        changed.insert(owner)
      }
      let wasReadable = before.map { isReadable(address, $0, old.shape) } ?? false
      if wasReadable != isReadable(address, arguments, new.shape) { changed.insert(address) }
    }
    for (address, arguments) in old.values where new.values[address] == nil {
      if address.hasSuffix("/name"), let owner = owner(ofName: address, new.shape) {
        changed.insert(owner)
      }
      if isReadable(address, arguments, old.shape) { changed.insert(address) }
    }
    for address in Set(old.titles.keys).union(new.titles.keys)
    where old.titles[address] != new.titles[address] {
      changed.insert(address)
    }
    return changed.filter { find($0, new.shape) != nil }
  }

  /// The pad, scene or seat whose name is told at the address.
  private func owner(ofName address: String, _ shape: QueryShape) -> String? {
    let owner = String(address.dropLast("/name".count))
    guard let place = find(owner, shape), case .number = nodes[place.node].part else { return nil }
    return owner
  }
}
