/// All addresses of the server as a tree that describes itself in JSON, for OSCQuery.
///
/// The tree comes from the address table alone. A view says which players, kits, instruments,
/// layers and seats there are, and which values the nodes have.
///
/// Thread: any; immutable.
/// - Source: OSCQuery proposal, draft of `github.com/Vidvox/OSCQueryProposal`.
public struct QueryTree: Sendable {
  public static let standard = QueryTree(.standard)

  public init(_ table: AddressTable) {}

  /// The answer to `GET <path>?<wish>`.
  /// - Parameters:
  ///   - path: any text, after percent decoding; `/` is the root.
  ///   - wish: nil is an unknown attribute. `hostInfo` is answered by `QueryHostInfo`, and is 400
  ///     here.
  public func answer(path: String, wish: QueryWish?, view: QueryView) -> QueryAnswer {
    QueryAnswer(.notFound)
  }

  /// Whether there is such a node.
  public func contains(_ path: String, in view: QueryView) -> Bool { false }

  /// The values that can be read at the node and below it, in the tree's order, for `LISTEN`. An
  /// address in a branch that answers leave out (see `answer`) is among them if it has a value.
  public func values(at path: String, in view: QueryView) -> [OSCMessage] { [] }

  /// The paths that differ between two views of the same asker.
  public func difference(from old: QueryView, to new: QueryView) -> QueryDifference { QueryDifference() }
}
