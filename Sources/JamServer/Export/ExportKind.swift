package import JamCore
import JamExport
import JamRoom

/// A form in which music can be written, and its options. Its text is the ending of the file's name
/// with the options behind it: `stems.zip?by=pad&wet=1`.
package struct ExportKind: Hashable, Sendable {
  let form: ExportForm
  var stems = StemPlan()
  var format = WAVFormat.pcm24
  /// The bars that are written, counted from 1; nil is the part that is heard.
  var bars: ClosedRange<Int>?

  package init(_ form: ExportForm) { self.form = form }

  package enum Problem: Error, Hashable {
    case form(String)
    case option(String, String)

    package var refusal: Refusal {
      switch self {
      case .form(let form): .noSuchForm(form)
      case .option(let name, let value): .badExportOption("\(name)=\(value)")
      }
    }
  }

  package init(parsing text: String) throws(Problem) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let options = parts.count > 1 ? parts[1].split(separator: "&") : []
    try self.init(
      String(parts[0]),
      options.map { option in
        let sides = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
      })
  }

  /// - Parameter options: the wanted options. Those that do not concern the form are ignored.
  package init(_ form: String, _ options: [(name: String, value: String)]) throws(Problem) {
    guard let form = ExportForm(rawValue: form == "midi" ? "mid" : form == "ogg" ? "opus" : form) else {
      throw .form(form)
    }
    self.init(form)
    for (name, value) in options { try set(name, value) }
    let asked = self
    self = ExportKind(form)
    if hasStems { stems = asked.stems }
    if hasStems || form == .wav { format = asked.format }
    if form != .score { bars = asked.bars }
  }

  private mutating func set(_ name: String, _ value: String) throws(Problem) {
    switch (name, value) {
    case ("by", _):
      guard let division = StemPlan.Division(rawValue: value) else { throw .option(name, value) }
      stems.division = division
    case ("wet", "1"), ("wet", "0"): stems.isShaped = value == "1"
    case ("format", "24"): format = .pcm24
    case ("format", "float"): format = .float32
    case ("bars", _):
      let numbers = value.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count <= 2, let first = numbers[0], let last = numbers[numbers.count - 1], first >= 1, last >= first
      else { throw .option(name, value) }
      // In order: the guard has checked `first <= last`.
      bars = first...last
    default: throw .option(name, value)
    }
  }

  /// Whether the mix has to be divided into stems for this form.
  var hasStems: Bool { [.stems, .dawproject, .rpp].contains(form) }

  /// Whether the file contains the music's title: in tags, in markers, or in the names of an
  /// archive's files.
  var holdsTitle: Bool {
    switch form {
    case .wav, .flac, .opus, .midi, .stems, .dawproject, .rpp, .labels: true
    case .score: false
    }
  }

  /// The form and its options as text. Equal kinds have equal texts.
  var text: String {
    let options = options
    return options.isEmpty ? form.rawValue : "\(form.rawValue)?\(options.joined(separator: "&"))"
  }

  private var options: [String] {
    var options: [String] = []
    if stems.division != .player { options.append("by=\(stems.division.rawValue)") }
    if stems.isShaped { options.append("wet=1") }
    if format == .float32 { options.append("format=float") }
    if let bars { options.append("bars=\(bars.lowerBound)-\(bars.upperBound)") }
    return options
  }

  /// The form and its options as a part of a file's name.
  var fileName: String { (options.map { $0.replacing("=", with: "-") } + [form.rawValue]).joined(separator: ".") }

  package var mediaType: String {
    switch form {
    case .wav: "audio/wav"
    case .flac: "audio/flac"
    case .opus: "audio/ogg"
    case .midi: "audio/midi"
    case .score: "application/octet-stream"
    case .labels: "text/plain; charset=utf-8"
    case .stems, .dawproject, .rpp: "application/zip"
    }
  }
}
