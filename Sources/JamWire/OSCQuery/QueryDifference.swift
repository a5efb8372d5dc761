/// The paths that differ between two views of a tree, for `PATH_ADDED`, `PATH_REMOVED` and
/// `PATH_CHANGED`. A path stands for all nodes below it.
public struct QueryDifference: Hashable, Sendable {
  /// Paths of nodes that the old view had not.
  public var added: [String] = []
  /// Paths of nodes that the new view has not.
  public var removed: [String] = []
  /// Paths of nodes with other contents, another access or another description. The containers of
  /// the added and removed nodes are among them, because some clients know only `PATH_CHANGED`.
  public var changed: [String] = []

  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}
