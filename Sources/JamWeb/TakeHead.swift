import Glibc
import JamCore

/// What the head of a take's page tells messengers, which run no scripts.
///
/// - Source: The Open Graph protocol (ogp.me).
struct TakeHead {
  let take: TakeItem
  /// The address of the room as the visitor asked for it, with a slash at its end; nil where the
  /// request does not tell.
  let room: String?

  /// The elements, each on a line of its own; texts that people wrote are escaped.
  var html: String {
    let (name, told) = (HTMLText.escaped(title), HTMLText.escaped(about))
    var lines = [
      "<title>\(name) · Bandshell</title>",
      "<meta name=\"description\" content=\"\(told)\">",
      TakeHead.fact("og:type", "music.song"),
      TakeHead.fact("og:site_name", "Bandshell"),
      TakeHead.fact("og:title", name),
      TakeHead.fact("og:description", told),
    ]
    if !take.isRecording { lines.append(TakeHead.fact("music:duration", "\(seconds)")) }
    // Nothing can be seen or heard of it before.
    if let room, !take.isRecording, !take.peaks.isEmpty { lines += files(in: HTMLText.escaped(room)) }
    return lines.joined(separator: "\n")
  }

  private func files(in room: String) -> [String] {
    let id = HTMLText.escaped(take.id)
    return [
      TakeHead.fact("og:url", "\(room)take/\(id)"),
      TakeHead.fact("og:image", "\(room)take/\(id).png"),
      TakeHead.fact("og:image:type", "image/png"),
      TakeHead.fact("og:image:width", "\(TakePicture.width)"),
      TakeHead.fact("og:image:height", "\(TakePicture.height)"),
      TakeHead.fact("og:audio", "\(room)takes/\(id).opus"),
      TakeHead.fact("og:audio:type", "audio/ogg"),
      "<meta name=\"twitter:card\" content=\"summary_large_image\">",
    ]
  }

  /// - Parameter content: escaped.
  private static func fact(_ property: String, _ content: String) -> String {
    "<meta property=\"\(property)\" content=\"\(content)\">"
  }

  /// Its name, or else when it was played.
  private var title: String { take.name.isEmpty ? "Take of \(TakeHead.date(take.began))" : take.name }

  /// Who played it, how long it is, how fast.
  private var about: String {
    // Names stand in addresses, and have `_` for spaces.
    let players = take.players.map { $0.split(separator: "_", omittingEmptySubsequences: false).joined(separator: " ") }
    let length = "\(seconds / 60):\(HTTPDate.twoDigits(seconds % 60))"
    return [players.joined(separator: ", "), take.isRecording ? "" : length, "\(tempo) bpm"]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var seconds: Int { max(0, Int(saturating: take.seconds)) }

  /// With a decimal where it is no whole number.
  private var tempo: String {
    let scaled = Double(take.bpm) * 10 + 0.5
    let tenths = Int(saturating: scaled)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// In the server's own time, as in a take's address.
  private static func date(_ seconds: Int64) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    let day = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { HTTPDate.twoDigits($0) }
    let time = [parts.tm_hour, parts.tm_min].map { HTTPDate.twoDigits($0) }
    return "\(day.joined(separator: "-")) \(time.joined(separator: ":"))"
  }
}
