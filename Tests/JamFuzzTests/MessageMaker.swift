import JamCore

@testable import JamWire

/// Messages by chance over the whole address table: numbers and arguments in, at the edges of and beyond their ranges.
struct MessageMaker {
  /// What players, kits, blocks and sounds are called.
  static let names = [
    "ann", "bob", "cleo", "dora", "emil", "fay", "gus", "hal", flags, zalgo, "a name of 32 characters, or so it",
  ]
  static let flags = String(repeating: "🇩🇪", count: 16)
  static let zalgo = "a" + String(repeating: "\u{301}", count: 63)
  static let kits = ["one", "two", "three", "saved-0", "saved-1"]
  private static let blocks = ["a", "b", "rock straight", "funk one", "rock fill", flags]
  private static let words =
    [
      "", "word", "wrong", "own", "kick", "snare", "none", "tempo", "loops", "kits", "host", "player", "listener",
      "x/y", ".",
    ]
    + ["one/1", "two/16", "three/7", "own/" + String(repeating: "0", count: 64), "grabbed", "recorded"]

  var dice: FuzzDice
  private let table = AddressTable.standard
  /// Rows that make more happen than others.
  private let busy: [AddressEntry]
  private let all: [AddressEntry]

  init(seed: UInt64) {
    dice = FuzzDice(seed: seed)
    all = table.entries.filter { $0.access != .sent }
    busy = all.filter { entry in
      ["/pad/<n>", "/loop", "/tempo", "/play", "/stop", "/step", "/lane", "/undo", "/buildup", "/layer"].contains {
        entry.template == $0 || $0 != "/pad/<n>" && entry.template.hasPrefix($0)
      }
    }
  }

  mutating func message() -> OSCMessage {
    if dice.below(4) == 0 { return hit() }
    let entry = dice.once(in: 200) ? dice.one(of: table.entries) : dice.one(of: dice.below(2) == 0 ? busy : all)
    var arguments: [OSCArgument] = []
    for spec in entry.arguments {
      if spec.isOptional, dice.once(in: 4) { break }
      for _ in 0..<(spec.repeats ? dice.below(3) + 1 : 1) { arguments.append(argument(spec)) }
    }
    if dice.once(in: 60) { arguments.append(anything()) }
    if dice.once(in: 60), !arguments.isEmpty { arguments.removeLast() }
    return OSCMessage(address(of: entry), arguments)
  }

  /// Of few pads, so that they meet.
  private mutating func hit() -> OSCMessage {
    let pad = dice.once(in: 8) ? 1 + dice.below(16) : 1 + dice.below(4)
    return OSCMessage("/pad/\(pad)", .float(dice.below(3) == 0 ? 0 : Float(dice.share())))
  }

  private mutating func address(of entry: AddressEntry) -> String {
    var address = ""
    var numbers = entry.numbers[...]
    for segment in entry.segments {
      address += "/"
      if segment.first != "<" {
        address += segment
      } else if let next = numbers.first, next.name == segment {
        numbers.removeFirst()
        address += number(in: next.range)
      } else {
        address += segment == "<id>" ? dice.one(of: Self.kits) : name()
      }
    }
    if dice.once(in: 100) { address = "/player/\(name())" + address }
    return address
  }

  private mutating func number(in range: ClosedRange<Int>) -> String {
    switch dice.below(40) {
    case 0: "\(range.upperBound + 1)"
    case 1: "\(range.lowerBound - 1)"
    case 2: dice.one(of: ["99999999999999999999", "-0", "01", "", "*", "[1-3]"])
    case 3...5: "\(range.upperBound)"
    case 6...12: "\(range.lowerBound + dice.below(range.count))"
    default: "\(range.lowerBound + dice.below(min(4, range.count)))"
    }
  }

  private mutating func name() -> String { dice.one(of: Self.names) }

  private mutating func argument(_ spec: ArgumentSpec) -> OSCArgument {
    if dice.once(in: 40) { return anything() }
    switch spec.kind {
    case .float(let range): return number(range ?? -1_000...1_000, isWhole: false)
    case .integer(let range): return number(range ?? -1_000...1_000, isWhole: true)
    case .long, .timestamp: return .int64(Int64(bitPattern: dice.word()) >> Int64(dice.below(64)))
    case .bool: return dice.one(of: [.true, .false, .int32(1), .int32(0), .float(0.5)])
    case .text: return .string(text(called: spec.name))
    case .name: return .string(name())
    case .choice(let words): return choice(words)
    case .textOrIndex: return dice.once(in: 3) ? .int32(Int32(dice.below(8)) - 2) : .string(dice.one(of: Self.kits))
    case .pad: return number(1...16, isWhole: true)
    case .port: return number(1...65_535, isWhole: true)
    case .velocity: return dice.once(in: 8) ? number(0...127, isWhole: true) : number(0...1, isWhole: false)
    case .timetag: return .timetag(OSCTimetag(raw: dice.word()))
    case .any: return clock()
    }
  }

  private mutating func choice(_ words: [String]) -> OSCArgument {
    switch dice.below(12) {
    case 0: .int32(Int32(dice.below(words.count + 2)) - 1)
    case 1: .string("no such word")
    default: .string(dice.one(of: words))
    }
  }

  private mutating func text(called name: String) -> String {
    if dice.once(in: 6) { return dice.one(of: Self.words) }
    switch name {
    case "kit", "id": return dice.one(of: Self.kits)
    case "sample", "sound": return "\(dice.one(of: Self.kits))/\(1 + dice.below(16))"
    case "name", "copy", "block": return dice.one(of: Self.blocks)
    default: return dice.one(of: Self.words + Self.names + Self.blocks)
    }
  }

  private mutating func number(_ range: ClosedRange<Double>, isWhole: Bool) -> OSCArgument {
    let inside = range.lowerBound + (range.upperBound - range.lowerBound) * dice.share()
    let value: Double =
      switch dice.below(24) {
      case 0: range.lowerBound
      case 1: range.upperBound
      case 2: range.upperBound * 1.001 + 1
      case 3: range.lowerBound - 1
      case 4: dice.one(of: [.nan, .infinity, -.infinity, 1e300, -1e300, 1e-300, 0, -0.0, 9.3e18])
      // Small values meet more often.
      case 5...12: range.lowerBound + (range.upperBound - range.lowerBound) * dice.share() * dice.share() * 0.1
      default: inside
      }
    let number = isWhole && value.isFinite ? value.rounded() : value
    switch dice.below(4) {
    case 0: return .double(number)
    case 1: return .int64(Int64(saturating: number))
    case 2 where isWhole: return .int32(Int32(saturating: Float(number)))
    default: return .float(Float(number))
    }
  }

  /// Ticks, most of the time.
  private mutating func clock() -> OSCArgument {
    switch dice.below(16) {
    case 0: .midi(0xfa_0000)
    case 1: .midi(0xfb_0000)
    case 2: .midi(0xfc_0000)
    case 3: .midi(0xf2_0000 | UInt32(dice.below(1 << 16)))
    case 4: .blob((0..<dice.below(5)).map { _ in UInt8(truncatingIfNeeded: dice.word()) })
    default: .midi(0xf8_0000)
    }
  }

  private mutating func anything() -> OSCArgument {
    switch dice.below(12) {
    case 0: .nil
    case 1: .infinitum
    case 2: .blob([1, 2, 3])
    case 3: .character(65)
    case 4: .midi(0xf8_0000)
    case 5: .timetag(OSCTimetag(raw: dice.word()))
    case 6: .string(dice.one(of: Self.words + Self.names))
    case 7: .true
    case 8: .int32(.min)
    case 9: .int64(.max)
    case 10: .float(.nan)
    default: .double(-.infinity)
    }
  }
}
