/// The form of a node that can be set and has contents, such as `/tempo` with `/tempo/tap`.
public enum QueryStyle: Hashable, Sendable {
  /// The node has `ACCESS` and `VALUE` beside `CONTENTS`, as libossia has it.
  case full
  /// The node has `ACCESS` 0 and no `VALUE` in an answer with `CONTENTS`. The single attributes
  /// tell both. python-oscquery 0.4.0 refuses a whole tree with a node of the full form; its
  /// requests have the `User-Agent` `python-requests`.
  case separate

  /// - Parameter userAgent: the header of the request; nil where it has none.
  public init(userAgent: String?) {
    self = userAgent?.hasPrefix("python-requests/") == true ? .separate : .full
  }
}
