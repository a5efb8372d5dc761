/// News of the announcing, for the operator's log.
package enum BonjourNews: Hashable, Sendable {
  /// The networks know the server under this name. It differs from the wanted one where another
  /// server has that.
  case announced(name: String, by: Speaker)
  /// Nothing is announced now, for the reason.
  case silent(String)
  /// No controllers are looked for, for the reason.
  case blind(String)

  /// The program that speaks multicast DNS.
  package enum Speaker: String, Hashable, Sendable {
    case avahi, own
  }
}
