import JamCore

@testable import JamRoom

/// What somebody plays for certain times, by chance: presses and releases of pads, keys and chords,
/// the pedal, and now and then a panic.
struct FuzzSchedule {
  struct Message {
    var frame: Frames
    var command: Command
  }

  /// Sent before anything is played.
  private(set) var settings: [Command] = []
  /// In the order of their frames, of which no two are the same.
  private(set) var messages: [Message] = []
  /// In frames before its own, when each of them is sent.
  private var leads: [Frames] = []
  /// Whether what sounds hangs on nothing but the messages: no line of a grid plays, and no number
  /// shapes a sound.
  private(set) var isPlain = true

  /// Everything is sent at least so long before its time.
  static let least = Frames.milliseconds(50)
  static let begin = Frames(480_000)
  static let end = begin + .seconds(4)

  init(seed: UInt64) {
    var dice = FuzzDice(seed: seed)
    set(&dice)
    // Few places, so that they meet.
    let pads = (0..<2 + dice.below(4)).map { _ in Pad(1 + dice.below(16))! }
    let keys = dice.once(in: 3) ? [] : (0..<1 + dice.below(3)).map { _ in Pad(key: 48 + dice.below(24))! }
    if !keys.isEmpty { isPlain = false }
    var frames: Set<Int64> = []
    for _ in 0..<4 + dice.below(44) {
      let near = dice.once(in: 3) ? frames.randomElement(&dice) : nil
      frames.insert(near.map { $0 + Int64(1 + dice.below(700)) } ?? Int64(dice.below(120_000)))
    }
    for frame in frames.sorted() {
      messages.append(Message(frame: FuzzSchedule.begin + Frames(frame), command: deed(on: pads + keys, &dice)))
      leads.append(lead(&dice))
    }
    // Nothing goes on for good.
    for (number, place) in (pads + keys).enumerated() {
      messages.append(Message(frame: FuzzSchedule.begin + Frames(125_000 + Int64(number)), command: .release(place)))
      leads.append(lead(&dice))
    }
  }

  private mutating func set(_ dice: inout FuzzDice) {
    func add(_ commands: Command..., isPlain: Bool = false) {
      settings += commands
      if !isPlain { self.isPlain = false }
    }
    if dice.once(in: 4) {
      let mode = dice.one(of: ArpeggioMode.allCases)
      add(.set(.arpMode, .text(mode.rawValue)), .set(.arpRate, .text(dice.one(of: ["1/16", "1/8", "1/32"]))))
      if dice.once(in: 3) { add(.set(.arpLatch, .bool(true))) }
    }
    if dice.once(in: 4) { add(.set(.padLayout, .text(dice.one(of: PadLayout.allCases).rawValue))) }
    if dice.once(in: 6) { add(.set(.chordSize, .integer(3))) }
    if dice.once(in: 6) { add(.set(.repeatsAll, .bool(true))) }
    if dice.once(in: 6) { add(.set(.quantize, .text(dice.one(of: ["1/16", "1/8", "1/4"])))) }
    if dice.once(in: 4) { add(.set(.progression, .text("C Am F G"))) }
    if dice.once(in: 4) { add(.loop(.overdub)) }
    for pad in Pad.all where dice.once(in: 6) {
      let mode = dice.one(of: [PadMode.oneShot, .gate, .loop])
      add(.set(.pad(.mode, pad), .text(mode.rawValue)), isPlain: true)
      add(.set(.pad(.choke, pad), .integer(Int32(dice.below(3)))), isPlain: true)
      add(.set(.pad(.voices, pad), .integer(Int32(1 + dice.below(3)))), isPlain: true)
    }
    // Else the kit's own rolls make it hang on the grid.
    if !dice.once(in: 3) {
      for pad in Pad.all where pad.index % 4 == 3 {
        add(.set(.pad(.mode, pad), .text(dice.once(in: 2) ? "gate" : "oneshot")), isPlain: true)
      }
    } else {
      isPlain = false
    }
  }

  private func deed(on places: [Pad], _ dice: inout FuzzDice) -> Command {
    let place = dice.one(of: places)
    switch dice.below(24) {
    case 0...10: return .strike(place, Strike(Float(1 + dice.below(100)) / 100)!)
    case 11...20: return .release(place)
    case 21: return .set(.sustain, .bool(dice.once(in: 2)))
    case 22: return dice.once(in: 3) ? .panic : .release(place)
    default:
      guard settings.contains(.set(.progression, .text("C Am F G"))) else { return .release(place) }
      return .pressChord(1 + dice.below(4), dice.once(in: 2) ? nil : Strike(0.5))
    }
  }

  private func lead(_ dice: inout FuzzDice) -> Frames {
    let least = FuzzSchedule.least.count
    return Frames(least + Int64(dice.once(in: 3) ? dice.below(480) : dice.below(48_000 * 9)))
  }

  /// All with timetags, sent ahead in any order.
  var tagged: [(command: Command, moment: Moment)] {
    zip(messages, leads).map { ($0.command, Moment(arrival: $0.frame - $1, tagged: $0.frame)) }
      .sorted { $0.1.arrival < $1.1.arrival }
  }

  /// The same without timetags, each so that it takes effect at its time.
  var untagged: [(command: Command, moment: Moment)] {
    messages.map { ($0.command, Moment(arrival: $0.frame - RoomState.liveDelay)) }
  }

  /// Plays both ways.
  /// - Returns: what differs, with the seed that brings it about again.
  static func problems(_ seed: UInt64, _ kits: FuzzKits, isHeard: Bool) -> [String] {
    let schedule = FuzzSchedule(seed: seed)
    let (tagged, untagged) = (FuzzStage(kits, schedule.settings), FuzzStage(kits, schedule.settings))
    tagged.play(schedule.tagged)
    untagged.play(schedule.untagged)
    var problems = untagged.difference(from: tagged)
    if isHeard, schedule.isPlain {
      let (first, second) = (
        FuzzStage(kits, schedule.settings, isHeard: true), FuzzStage(kits, schedule.settings, isHeard: true)
      )
      first.play(schedule.tagged)
      second.play(schedule.untagged)
      if first.samples != second.samples { problems.append("the samples differ") }
      if !first.samples.contains(where: { $0 != 0 }), untagged.starts > 0, !schedule.hasPanic {
        problems.append("nothing is heard")
      }
    }
    return problems.map { "schedule \(seed): \($0)" }
  }

  private var hasPanic: Bool { messages.contains { $0.command == .panic } }
}

extension Set<Int64> {
  fileprivate func randomElement(_ dice: inout FuzzDice) -> Int64? { isEmpty ? nil : dice.one(of: sorted()) }
}
