internal import JamCore

extension QueryTree {
  /// The paths that differ between two views. Values that differ are no difference of the tree, but
  /// names are, because descriptions tell them.
  public func difference(from old: QueryView, to new: QueryView) -> QueryDifference {
    var difference = QueryDifference()
    guard old.asker == new.asker else {
      difference.changed = ["/"]
      return difference
    }
    let (before, after) = (shape(of: old), shape(of: new))
    for (branch, left, right) in QueryTree.names(before, after) where left != right {
      let (left, right) = (Set(left), Set(right))
      difference.added += right.subtracting(left).map { "\(branch)/\($0)" }
      difference.removed += left.subtracting(right).map { "\(branch)/\($0)" }
      difference.changed.append(branch)
    }
    if before.seats != after.seats { difference.changed.append("/seat") }
    for pad in before.padSteps.indices where before.padSteps[pad] != after.padSteps[pad] {
      difference.changed.append("/step/\(pad + 1)")
    }
    for key in Set(before.keySteps.keys).union(after.keySteps.keys)
    where before.keySteps[key] != after.keySteps[key] {
      difference.changed.append("/key/\(key)")
    }
    let told = difference.added + difference.removed + difference.changed.filter { !QueryTree.hasNames($0) }
    let nodes = changedNodes(from: (old, before), to: (new, after))
    difference.changed += nodes.filter { path in !told.contains { path == $0 || path.hasPrefix($0 + "/") } }
    difference.added.sort()
    difference.removed.sort()
    difference.changed = Set(difference.changed).sorted()
    return difference
  }

  /// The containers whose parts come and go.
  private static func names(_ old: QueryShape, _ new: QueryShape) -> [(String, [String], [String])] {
    [
      ("/player", old.players, new.players), ("/kit", old.kits, new.kits),
      ("/instrument", old.instruments, new.instruments),
      ("/layer", old.layers.map(String.init), new.layers.map(String.init)),
    ]
  }

  /// Whether the change of the path is told for its contents' names alone. Its other nodes may
  /// differ, too.
  private static func hasNames(_ path: String) -> Bool {
    ["/player", "/kit", "/instrument", "/layer"].contains(path)
  }

  /// Nodes with another title, and those of which a value is known in one of the views alone.
  private func changedNodes(
    from old: (view: QueryView, shape: QueryShape), to new: (view: QueryView, shape: QueryShape)
  ) -> Set<String> {
    var changed: Set<String> = []
    for (address, arguments) in new.view.values {
      let before = old.view.values[address]
      guard before != arguments else { continue }
      if address.hasSuffix("/name"), let owner = owner(ofName: address, new.shape) { changed.insert(owner) }
      let wasReadable = before.map { isReadable(address, $0, old.shape) } ?? false
      if wasReadable != isReadable(address, arguments, new.shape) { changed.insert(address) }
    }
    for (address, arguments) in old.view.values where new.view.values[address] == nil {
      if address.hasSuffix("/name"), let owner = owner(ofName: address, new.shape) { changed.insert(owner) }
      if isReadable(address, arguments, old.shape) { changed.insert(address) }
    }
    for address in Set(old.view.titles.keys).union(new.view.titles.keys)
    where old.view.titles[address] != new.view.titles[address] {
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
