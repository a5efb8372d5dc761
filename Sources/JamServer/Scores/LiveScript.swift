import Glibc
import JamCommand
import JamCore
import JamRoom
import JamWire

/// The script of `render --live`: commands with their times, as a live room would get them. It is a
/// text that people write, or a score's file.
struct LiveScript {
  /// The time of a line, or of the script's end.
  enum Time: Hashable {
    case seconds(Frames)
    /// A place on the room's clock. Bars and beats count from 1; a beat may have a fraction.
    case bar(Int, beat: Double)
  }

  struct Line {
    var time: Time
    var player: PlayerName
    var action: LogAction
    /// The address, for the text of errors.
    var address: String
  }

  let path: String
  private(set) var lines: [Line] = []
  private(set) var end: Time?
  private(set) var room = PlayerName("score")!
  private(set) var tempo = Tempo.standard

  /// The player of lines that name none.
  private static let nobody = PlayerName("player")!
  private static let mostBytes = 16 << 20

  /// Reads a script or a score.
  /// - Throws: `RenderError` that names the line.
  static func read(_ path: String) throws(RenderError) -> LiveScript {
    guard let file = fopen(path, "rb") else { throw .unreadable(path, errno) }
    var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
    let count = fread(&bytes, 1, bytes.count, file)
    let isFailed = ferror(file) != 0
    fclose(file)
    guard !isFailed else { throw .unreadable(path, EISDIR) }
    guard count > 0 else { throw .nothing(in: path) }
    // A score begins with the length of its first bundle. That is 16 MiB at most, so the first byte
    // is zero.
    guard bytes[0] != 0 else { return LiveScript(score: try ScoreFile(path: path)) }
    guard count <= mostBytes, let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
      throw RenderError(
        "\(path) is neither a score nor a text in UTF-8 of \(mostBytes >> 20) MiB at most", .badData)
    }
    return try LiveScript(text: text, path: path)
  }

  private init(score: ScoreFile) {
    path = score.path
    (room, tempo) = (score.room, score.tempo)
    lines = score.steps.map {
      Line(time: .seconds($0.frame), player: $0.player, action: $0.action, address: $0.message.address)
    }
  }

  init(text: String, path: String) throws(RenderError) {
    self.path = path
    var reader = CommandReader(isScore: true)
    var time = Time.seconds(.zero)
    var last = Frames.zero
    // Some editors write a byte order mark in front of the text.
    let text = text.hasPrefix("\u{feff}") ? text.dropFirst() : text[...]
    let texts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in texts.enumerated() {
      func wrong(_ reason: String) -> RenderError { RenderError("\(path):\(index + 1): \(reason)", .badData) }
      var words: [LiveWord]
      do throws(LiveWord.Problem) { words = try LiveWord.words(of: line) } catch { throw wrong(error.description) }
      guard let first = words.first else { continue }
      if !first.text.hasPrefix("/") || first.isQuoted {
        guard let named = LiveScript.time(first.text, after: last) else {
          throw wrong(
            "“\(first.text)” is no time: seconds (2.5), seconds after the line before (+0.5), or bar:beat (3:1)")
        }
        if case .seconds(let frame) = named {
          guard frame >= last else { throw wrong("\(first.text) s lies before the line above") }
          guard frame <= .seconds(86_400) else { throw wrong("24 h is the limit") }
          last = frame
        }
        time = named
        words.removeFirst()
      }
      guard end == nil else { throw wrong("nothing stands behind the end") }
      guard let address = words.first else {
        throw wrong("an address is missing behind the time, as /pad/1; or the word end")
      }
      if address.text == "end", words.count == 1 {
        end = time
        continue
      }
      guard address.text.hasPrefix("/") else { throw wrong("“\(address.text)” is no address: they begin with a slash") }
      let message = OSCMessage(address.text, words.dropFirst().map(\.argument))
      do throws(WireError) {
        guard let addressed = try reader.read(message) else { continue }
        append(addressed, message, at: time)
      } catch {
        throw wrong("\(address.text): \(error)")
      }
    }
    guard !lines.isEmpty else { throw .nothing(in: path) }
  }

  private mutating func append(_ addressed: AddressedRequest, _ message: OSCMessage, at time: Time) {
    // A tempo without a player at second 0 is the tempo with which the room begins. No player joins
    // for it.
    if case .command(.set(.tempo, .float(let bpm))) = addressed.request, addressed.player == nil, lines.isEmpty,
      time == .seconds(.zero)
    {
      room = addressed.room ?? room
      tempo = Tempo(clamping: Double(bpm))
      return
    }
    let player = addressed.player ?? LiveScript.nobody
    let actions: [LogAction] =
      switch addressed.request {
      case .command(let command): [.command(command)]
      case .commands(let commands): commands.map { .command($0) }
      case .session(.hello(let name, _, _, _)): addressed.player == nil || name == player ? [.join] : [.rename(name)]
      case .session(.bye): [.command(.leave)]
      case .session: []
      }
    var sender = player
    if case .session(.hello(let name, _, _, _)) = addressed.request, addressed.player == nil { sender = name }
    lines += actions.map { Line(time: time, player: sender, action: $0, address: message.address) }
  }

  private static func time(_ text: String, after last: Frames) -> Time? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let bar = Int(parts[0]), (1...100_000).contains(bar), let beat = Double(parts[1]), beat >= 1, beat < 129
      else { return nil }
      return .bar(bar, beat: beat)
    }
    let isRelative = text.hasPrefix("+")
    guard parts.count == 1, let seconds = Double(isRelative ? text.dropFirst() : text[...]), seconds >= 0,
      seconds <= 1_000_000
    else { return nil }
    return .seconds((isRelative ? last : .zero) + .seconds(seconds))
  }
}

/// A word of a line: a number, a text in quotation marks, or any other word.
struct LiveWord {
  enum Problem: Error, CustomStringConvertible {
    case unclosed
    var description: String { "a quotation mark is not closed" }
  }

  var text: String
  var isQuoted: Bool

  var argument: OSCArgument {
    if isQuoted { return .string(text) }
    if let number = Int32(text) { return .int32(number) }
    if let number = Float(text), number.isFinite { return .float(number) }
    return switch text {
    case "true": .true
    case "false": .false
    default: .string(text)
    }
  }

  /// The words up to the end of the line, or up to a `#` that begins a word.
  static func words(of line: Substring) throws(Problem) -> [LiveWord] {
    var words: [LiveWord] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first, first != "#" {
      if first == "\"" {
        rest = rest.dropFirst()
        guard let close = rest.firstIndex(of: "\"") else { throw .unclosed }
        words.append(LiveWord(text: String(rest[..<close]), isQuoted: true))
        rest = rest[close...].dropFirst()
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        words.append(LiveWord(text: String(word), isQuoted: false))
        rest = rest[word.endIndex...]
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }
}
