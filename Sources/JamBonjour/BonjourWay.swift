/// How a server announces itself: the values of `--mdns`.
package enum BonjourWay: String, CaseIterable, Sendable {
  /// By Avahi while its daemon answers, and by the responder of our own otherwise.
  case auto
  /// By Avahi alone.
  case avahi
  /// By the responder of our own alone.
  case own
  case off
}
