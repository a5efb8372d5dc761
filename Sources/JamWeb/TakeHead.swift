import Glibc
import JamCore

/// The elements in the head of a take's page that messengers read. Messengers run no scripts.
///
/// - Source: The Open Graph protocol (ogp.me).
struct TakeHead {
  let take: TakeItem
  /// The address of the room as the visitor used it, with a slash at its end; nil where the request
  /// does not tell it.
  let room: String?

  /// The elements, each on a line of its own. Texts that people wrote are escaped.
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
    // Before that, there is no picture and no sound of the take.
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

  /// - Parameter content: escaped text.
  private static func fact(_ property: String, _ content: String) -> String {
    "<meta property=\"\(property)\" content=\"\(content)\">"
  }

  /// The take's name, or the moment when it was played.
  private var title: String { take.name.isEmpty ? "Take of \(TakeHead.date(take.began))" : take.name }

  /// The players, the length and the tempo.
  private var about: String {
    // Names are used in addresses, where `_` stands for a space.
    let players = take.players.map { $0.split(separator: "_", omittingEmptySubsequences: false).joined(separator: " ") }
    let length = "\(seconds / 60):\(HTTPDate.twoDigits(seconds % 60))"
    return [players.joined(separator: ", "), take.isRecording ? "" : length, "\(tempo) bpm"]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private var seconds: Int { max(0, Int(saturating: take.seconds)) }

  /// The tempo, with a decimal where it is not a whole number.
  private var tempo: String {
    let scaled = Double(take.bpm) * 10 + 0.5
    let tenths = Int(saturating: scaled)
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// The moment in the server's time zone, as in a take's address.
  private static func date(_ seconds: Int64) -> String {
    var moment = time_t(seconds)
    var parts = tm()
    localtime_r(&moment, &parts)
    let day = [parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday].map { HTTPDate.twoDigits($0) }
    let time = [parts.tm_hour, parts.tm_min].map { HTTPDate.twoDigits($0) }
    return "\(day.joined(separator: "-")) \(time.joined(separator: ":"))"
  }
}
