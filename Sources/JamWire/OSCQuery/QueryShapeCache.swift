/// The shape of a view as it was found last. It follows from the view's values, so it makes no two
/// views differ.
struct QueryShapeCache: Hashable, Sendable {
  var shape: QueryShape?

  static func == (a: QueryShapeCache, b: QueryShapeCache) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension QueryTree {
  /// Finds the variable parts of the tree in a view once, for all questions about it. A value that
  /// adds a node, or takes a seat, ends this.
  public func prepare(_ view: inout QueryView) {
    if view.found.shape == nil { view.found.shape = shape(of: view) }
  }
}
