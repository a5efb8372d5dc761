import JamListen
import JamNet

/// The server that `bandshell jam` plays at.
enum JamAddress: Equatable {
  /// Its OSC port.
  case osc(Listening)
  /// Its page, which tells the OSC port.
  case page(ListenURL)

  /// Reads `host:8000`, `osc.tcp://host:8000`, `http://host:8088` and
  /// `http://host:8088/rooms/<room>`.
  /// - Returns: nil where the text is none of these.
  init?(_ text: String) {
    if text.lowercased().hasPrefix("http://") {
      guard let url = ListenURL(text) else { return nil }
      self = .page(url)
      return
    }
    let schemes = ["osc.tcp://", "osc://", "tcp://"]
    let rest =
      schemes.first { text.lowercased().hasPrefix($0) }.map { text.dropFirst($0.count) }
      ?? Substring(text)
    guard !rest.contains("/"), let place = try? Listening(String(rest), option: "URL") else {
      return nil
    }
    self = .osc(place)
  }

  /// The room that the address names; nil is none.
  var room: String? { if case .page(let url) = self { url.room } else { nil } }
}
