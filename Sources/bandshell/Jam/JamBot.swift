import JamCore
import JamWire

/// A player that is a program: it comes into a room, plays a groove, and changes it every eight
/// bars.
///
/// The bot takes messages in and gives orders; it has no socket and no clock. The same messages
/// lead to the same orders.
struct JamBot {
  /// A message for the server.
  enum Order: Equatable {
    case now(OSCMessage)
    /// In a bundle with that timetag.
    case at(OSCTimetag, OSCMessage)
  }

  /// Bars between two changes.
  static let barsPerTurn = 8

  let name: String
  let room: String
  let password: String
  let token: String
  let mood: GrooveMood
  /// It leaves after so many bars; nil stays.
  let mostBars: Int?

  /// Its name in the room; empty before it is in.
  private(set) var player = ""
  private var told = Told()
  /// The reason why the bot cannot go on.
  private(set) var failure: String?
  /// Lines for the bot's user.
  private(set) var notices: [String] = []
  private var hasGroove = false
  private var categories: [Int: String] = [:]
  /// Lanes with a part of its groove.
  private var lanes: Set<Int> = []
  /// The part that rests for these bars.
  private var resting: GroovePart?
  private var beatsPerBar = 4

  init(
    name: String, room: String = "", password: String = "", token: String = "",
    mood: GrooveMood = .any,
    mostBars: Int? = nil
  ) {
    self.name = name
    self.room = room
    self.password = password
    self.token = token
    self.mood = mood
    self.mostBars = mostBars
  }

  /// The beats of which it was told.
  private struct Told {
    /// Bars that began.
    var bars = 0
    /// The place of the last beat; both count from 1.
    private var bar = 0
    private var beat = 0

    /// - Returns: false for a beat that was told already: after a change of the tempo the room
    ///   tells the next beat again.
    mutating func take(bar: Int, beat: Int) -> Bool {
      guard (bar, beat) != (self.bar, self.beat) else { return false }
      (self.bar, self.beat) = (bar, beat)
      if beat == 1 { bars += 1 }
      return true
    }
  }

  /// Bars that it heard begin.
  var bars: Int { told.bars }

  /// Whether it has played as long as it was to.
  var isOver: Bool { mostBars.map { bars > $0 } ?? false }

  /// The bot's first messages.
  var greeting: [OSCMessage] {
    [OSCMessage("/hello", .string(name), .string(room), .string(password), .string(token))]
  }

  /// The bot's last messages: its music goes with it.
  var farewell: [OSCMessage] {
    lanes.sorted().map { OSCMessage("/lane/\($0)/clear") } + [OSCMessage("/bye")]
  }

  mutating func takeNotices() -> [String] {
    defer { notices = [] }
    return notices
  }

  /// - Parameter timetag: of the message's bundle.
  mutating func receive(_ message: OSCMessage, at timetag: OSCTimetag = .immediate) -> [Order] {
    switch message.address {
    case "/welcome": return comeIn(message)
    case "/error": refused(message)
    case "/kicked": failure = "a host has put the bot out of the room"
    case "/signature":
      if let beats = message.arguments.first?.number {
        beatsPerBar = max(1, Int(saturating: beats))
      }
    case "/groove/parts": hasGroove = message.arguments.first?.text?.isEmpty == false
    case "/beat/next": return beat(message, at: timetag)
    default: learn(message)
    }
    return []
  }

  private mutating func comeIn(_ message: OSCMessage) -> [Order] {
    player = message.arguments.dropFirst().first?.text ?? name
    notices.append(
      "\(player) is in the room \(message.arguments.first?.text ?? "") and plays. Ctrl-C ends it.")
    return [
      .now(OSCMessage("/subscribe", .string("state"), .string("beat"))),
      .now(OSCMessage("/groove", .string(mood.word))),
    ]
  }

  private mutating func refused(_ message: OSCMessage) {
    guard message.arguments.count > 1, let address = message.arguments[0].text,
      let reason = message.arguments[1].text
    else { return }
    switch address {
    case "/hello", "/password": failure = MessageVeil.printable(reason)
    case "/groove":
      // Later it goes on with the groove that it has.
      if hasGroove {
        notices.append(MessageVeil.printable(reason))
      } else {
        failure = MessageVeil.printable(reason)
      }
    default: break
    }
  }

  /// Notes facts of its pads and lanes: `/pad/3/category`, `/lane/2/1`.
  private mutating func learn(_ message: OSCMessage) {
    let parts = message.address.split(separator: "/")
    guard parts.count == 3, let number = Int(parts[1]), let text = message.arguments.first?.text
    else { return }
    if parts[0] == "pad", parts[2] == "category" { categories[number] = text }
    guard parts[0] == "lane", parts[2] == "1" else { return }
    if GroovePart.allCases.contains(where: { $0.blockName == text }) {
      lanes.insert(number)
    } else {
      lanes.remove(number)
    }
  }

  // MARK: Beats

  /// The room tells each beat one beat ahead: at this one the last bar before a turn has begun.
  private var turningBeat: Int { min(2, beatsPerBar) }

  /// A beat that comes next: `bar beat bpm`, in a bundle with its moment.
  private mutating func beat(_ message: OSCMessage, at timetag: OSCTimetag) -> [Order] {
    let numbers = message.arguments.compactMap(\.number)
    guard numbers.count > 2, hasGroove else { return [] }
    let (beat, bpm) = (Int(saturating: numbers[1]), numbers[2])
    guard told.take(bar: Int(saturating: numbers[0]), beat: beat) else { return [] }
    // The last bar before a turn has a fill, and orders what follows.
    guard bars > 0, bars % JamBot.barsPerTurn == 0 else { return [] }
    let changes = beat == turningBeat ? turn().map { Order.now($0) } : []
    guard beat > beatsPerBar - 2 else { return changes }
    return changes + fill(from: timetag, bpm: bpm, isLast: beat == beatsPerBar)
  }

  /// The change for the next bar line.
  private mutating func turn() -> [OSCMessage] {
    if let part = resting {
      resting = nil
      return [OSCMessage("/groove/\(part.word)", .int32(1))]
    }
    let dice = Chance.mixed(UInt64(bars) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(name.utf8.count))
    guard dice % 3 == 0 else { return [OSCMessage("/groove", .string(mood.word))] }
    let part = GroovePart.allCases[Int(dice / 3 % UInt64(GroovePart.allCases.count))]
    resting = part
    return [OSCMessage("/groove/\(part.word)", .int32(0))]
  }

  /// Sixteenths of one beat on toms, or on the snare.
  private func fill(from timetag: OSCTimetag, bpm: Double, isLast: Bool) -> [Order] {
    guard !timetag.isImmediate, bpm >= 1 else { return [] }
    func pads(_ category: String) -> [Int] {
      categories.filter { $0.value == category }.keys.sorted()
    }
    // The highest tom first; in kits the highest tom has the highest number.
    let toms = Array(pads("tom").reversed())
    let played = toms.isEmpty ? Array(pads("snare").prefix(1)) : toms
    guard !played.isEmpty else { return [] }
    let sixteenth = Int64(saturating: 15e9 / bpm)
    // The beat before the last has two.
    return (isLast ? [0, 1, 2, 3] : [2, 3]).map { step in
      let place = (isLast ? step : step - 2) * played.count / 4
      let pad = played[min(place, played.count - 1)]
      let velocity = Float(isLast ? 0.6 + 0.1 * Double(step) : 0.5)
      return .at(
        timetag.advanced(byNanoseconds: sixteenth * Int64(step)),
        OSCMessage("/pad/\(pad)", .float(velocity)))
    }
  }
}
