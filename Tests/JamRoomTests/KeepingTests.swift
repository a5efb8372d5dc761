import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// What is kept of a room beyond the process's end, and the room that it becomes again.
@Suite struct KeepingTests {
  private static let kits = RandomKits()

  private final class Sounds {
    private let source = RandomSource(KeepingTests.kits)
    func room(_ items: [String: [KeptValue]]) -> KeptRoom { KeptRoom(items, from: source.library) }
  }

  /// What a journal holds.
  private struct Journal {
    var items: [String: [KeptValue]] = [:]
    private var last: RoomImage?

    mutating func keep(_ room: RandomRoom, at frame: Frames? = nil) {
      let image = RoomImage(of: room.state, at: frame ?? room.now)
      let change = RoomImage.change(from: last, to: image)
      last = image
      if change.isWhole { items = [:] }
      for name in change.gone {
        items = items.filter { $0.key != name && !$0.key.hasPrefix("\(name)/") }
      }
      for item in change.items { items[item.name] = item.values }
    }
  }

  private func whole(_ room: RandomRoom, at frame: Frames? = nil) -> [String: [KeptValue]] {
    var journal = Journal()
    journal.keep(room, at: frame)
    return journal.items
  }

  @Test("every setting that an edit may hold comes back as itself")
  func settingsOfEdits() throws {
    let told = Pad.all.flatMap { pad -> [Setting] in
      [.padName(pad), .padSeconds(pad), .padCategory(pad), .padLit(pad), .padPending(pad), .padPlays(pad)]
    }
    let name = try #require(PlayerName("Ann"))
    let settings =
      Setting.everyFixed.filter { !told.contains($0) } + [.channelGain(name), .channelMute(name), .channelSolo(name)]
    for setting in settings {
      var writer = KeptWriter()
      writer.put(RoomEdit(number: 1, setting: setting, before: .text("a"), after: .text("b")))
      var reader = KeptReader(writer.values, KeptSounds())
      #expect(try reader.take(RoomEdit.self).setting == setting)
      #expect(reader.isAtEnd)
    }
  }

  @Test("what is kept bit by bit is what would be kept at once", arguments: 0..<6)
  func changes(group: Int) {
    for seed in group * 5..<group * 5 + 5 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.delay = Frames(Int64(seed % 3) * 5_000)
      var journal = Journal()
      var count = 0
      room.play(seed: seed, count: 120) { room, _, _ in
        count += 1
        guard count % 3 == 0 else { return }
        journal.keep(room)
        var (kept, all) = (journal.items, whole(room))
        // It is kept with other changes only.
        (kept["moment"], all["moment"]) = (nil, nil)
        guard kept != all else { return }
        let names = Set(kept.keys).union(all.keys).filter { kept[$0] != all[$0] }.sorted()
        Issue.record("seed \(seed), \(count): other than all at once: \(names.prefix(5))")
      }
    }
  }

  @Test(
    "a room that comes back is what it was: its people, pads, loops, lanes, and all that can be undone",
    arguments: 0..<6)
  func comingBack(group: Int) {
    for seed in group * 5..<group * 5 + 5 {
      let sounds = Sounds()
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let items = whole(room)
      let before = sounds.room(items)
      #expect(before.problems == [], "seed \(seed)")
      let again = RandomRoom(Self.kits, tempo: before.tempo ?? .standard)
      again.comeBack(before)
      #expect(again.problems == [], "seed \(seed)")
      let (old, new) = (before.reading, sounds.room(whole(again, at: .zero)).reading)
      #expect(old.people.map(\.name) == new.people.map(\.name), "seed \(seed)")
      for (a, b) in zip(old.people, new.people) where a != b {
        Issue.record("seed \(seed): \(a.name) is another in \(differences(a, b))")
      }
      #expect(old.clock == new.clock, "seed \(seed)")
      #expect(old.mix == new.mix && old.parts == new.parts && old.lock == new.lock, "seed \(seed)")
      #expect(old.chat == new.chat && old.slotsPut <= new.slotsPut && old.sequence <= new.sequence, "seed \(seed)")
      #expect(old.roomDone == new.roomDone && old.roomUndone == new.roomUndone, "seed \(seed)")
    }
  }

  @Test(
    "what is named stays named: a room that begins once without its kits is what it was when they are back",
    arguments: 0..<6)
  func kitsThatAreAway(group: Int) {
    for seed in group * 5..<group * 5 + 5 {
      let sounds = Sounds()
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let before = sounds.room(whole(room))
      // One kit alone, then all of them with the instrument.
      for away in [["two"], ["two", "three", "tones"]] {
        let without = KeptRoom(whole(room), from: RandomSource(Self.kits, without: Set(away)).library)
        let again = RandomRoom(RandomKits(without: Set(away)), tempo: before.tempo ?? .standard)
        again.comeBack(without)
        #expect(again.problems == [], "seed \(seed)")
        let (old, new) = (before.reading, sounds.room(whole(again, at: .zero)).reading)
        #expect(old.people.map(\.name) == new.people.map(\.name), "seed \(seed)")
        for (a, b) in zip(old.people, new.people) where a != b {
          Issue.record("seed \(seed), without \(away): \(a.name) is another in \(differences(a, b))")
        }
      }
    }
  }

  @Test("a kit that comes back while the room plays sounds again, on pads, in loops and in lanes")
  func kitThatComesBack() throws {
    for seed in 0..<20 {
      let sounds = Sounds()
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let before = sounds.room(whole(room))
      let again = RandomRoom(Self.kits, without: ["two"], tempo: before.tempo ?? .standard)
      again.comeBack(KeptRoom(whole(room), from: RandomSource(Self.kits, without: ["two"]).library))
      let ids = again.state.roster.occupied
      again.add(try #require(Self.kits.kits.first { $0.kit.id == "two" }).kit)
      #expect(again.problems == [], "seed \(seed)")
      for id in ids { #expect(again.state.away(of: id).isEmpty, "seed \(seed)") }
      let (old, new) = (before.reading, sounds.room(whole(again, at: .zero)).reading)
      for (a, b) in zip(old.people, new.people) where a != b {
        Issue.record("seed \(seed): \(a.name) is another in \(differences(a, b))")
      }
    }
  }

  @Test(
    "the log of a room that came back is a score of its own: played again, the engine is asked the same",
    arguments: 0..<6)
  func score(group: Int) {
    var hits = 0
    defer { #expect(hits > 0) }
    for seed in group * 5..<group * 5 + 5 {
      let sounds = Sounds()
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let kept = sounds.room(whole(room))
      let again = RandomRoom(Self.kits, tempo: kept.tempo ?? .standard)
      again.comeBack(kept)
      let first = kept.reading.people.indices.first { !kept.reading.people[$0].hasLeft }
      if let first { again.welcome(PlayerID(index: UInt8(first))) }
      again.go(to: again.now + .seconds(12))
      let score = RandomRoom(Self.kits, tempo: kept.tempo ?? .standard)
      for entry in again.log { score.fold(entry) }
      #expect(score.problems == [], "seed \(seed)")
      let loopHits = again.log.count { if case .command(.loopHit) = $0.action { true } else { false } }
      hits += loopHits
      let other = zip(again.engine, score.engine).first { $0 != $1 }
      #expect(
        other == nil && again.engine.count == score.engine.count,
        "seed \(seed): \(again.engine.count), \(score.engine.count)")
    }
  }

  @Test("loops stand until somebody is there, and go round from the next bar line on")
  func resumption() throws {
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
    let ann = try #require(room.join("ann", isHost: true))
    room.step(.set(.loopBars, .integer(1)), by: ann, at: Moment(arrival: room.now))
    room.step(.loop(.record), by: ann, at: Moment(arrival: room.now))
    room.go(to: .seconds(2.5))
    room.step(.hit(Pad(1)!, .full), by: ann, at: Moment(arrival: room.now))
    room.go(to: .seconds(9))
    let kept = Sounds().room(whole(room))
    let again = RandomRoom(Self.kits, tempo: kept.tempo ?? .standard)
    again.comeBack(kept)
    func hits() -> [Frames] {
      again.log.compactMap { if case .command(.loopHit) = $0.action { $0.frame } else { nil } }
    }
    again.go(to: .seconds(5))
    #expect(hits() == [])
    #expect(again.state.roster.isDeserted)
    again.welcome(PlayerID(index: 0))
    #expect(!again.state.roster.isDeserted)
    again.go(to: .seconds(12))
    // The bar line at 6 s, and the hit where it lay in its bar; then each 2 s.
    let before = room.log.compactMap { if case .command(.loopHit) = $0.action { $0.frame } else { nil } }
    let place = try #require(before.first).count % 96_000
    #expect(hits() == [6, 8, 10].map { Frames($0 * 48_000 + place) })
  }

  @Test("who was kept and does not come is gone two minutes after the first who came, and its loop plays on")
  func absence() throws {
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
    for name in ["ann", "bob"] { _ = room.join(name) }
    let kept = Sounds().room(whole(room))
    let again = RandomRoom(Self.kits)
    again.comeBack(kept)
    again.go(to: .seconds(300))
    #expect(again.state.roster.people.map(\.name.text) == ["ann", "bob"])
    again.welcome(PlayerID(index: 1))
    again.go(to: .seconds(400))
    #expect(again.state.roster.people.count == 2)
    again.go(to: .seconds(421))
    #expect(again.state.roster.people.map(\.name.text) == ["bob"])
  }

  /// Another value than `value`; nil where there is none to choose freely.
  private func other(_ value: SettingValue, _ kind: SettingKind) -> SettingValue? {
    switch (kind, value) {
    case (.float(let range?, _), .float(let number)):
      .float(
        number == Float(range.lowerBound) ? Float(range.upperBound) : Float((range.lowerBound + Double(number)) / 2))
    case (.integer(let range?), .integer(let number)):
      .integer(Double(number) + 1 > range.upperBound ? number - 1 : number + 1)
    case (.bool, .bool(let isOn)): .bool(!isOn)
    case (.choice(let words), .text(let word)): words.last { $0 != word }.map { .text($0) }
    case (.signature, _): .signature(TimeSignature(beatsPerBar: 7, beatUnit: 8)!)
    default: nil
    }
  }

  @Test("a part of the groove of a player who has left rests after a restart, too, and its undo is there")
  func leftGroove() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    room.step(.groove(.any), by: ann, at: Moment(arrival: room.now))
    room.go(to: room.now + .seconds(3))
    room.step(.leave, by: ann, at: Moment(arrival: room.now))
    let bob = try #require(room.join("bob"))
    room.step(.set(.groove(.bass), .bool(false)), by: bob, at: Moment(arrival: room.now))
    room.go(to: room.now + .seconds(6))
    let again = RandomRoom(Self.kits)
    again.comeBack(Sounds().room(whole(room)))
    let back = try #require(again.state.roster.player(named: PlayerName("bob")!))
    again.welcome(back)
    again.go(to: again.now + .seconds(6))
    #expect(try again.state.value(of: .groovePlayer, for: back) == .text("ann"))
    #expect(try again.state.value(of: .groove(.drums), for: back) == .bool(true))
    #expect(try again.state.value(of: .groove(.bass), for: back) == .bool(false))
    again.step(.undo, by: back, at: Moment(arrival: again.now))
    #expect(try again.state.value(of: .groove(.bass), for: back) == .bool(true))
    #expect(again.problems == [])
  }

  @Test("a row that is lost costs itself alone: neither the key nor the pads go with it")
  func lostRows() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann", isHost: true))
    room.step(.chooseKit(.id("two")), by: ann, at: Moment(arrival: room.now))
    let set: [(Setting, SettingValue)] = [
      (.keyRoot, .text("F#")), (.scale, .text("blues")), (.leveller, .bool(false)), (.masterGain, .float(-9)),
      (.pad(.gain, Pad(3)!), .float(-6)),
    ]
    for (setting, value) in set { room.step(.set(setting, value), by: ann, at: Moment(arrival: room.now)) }
    room.go(to: room.now + .seconds(1))
    var items = whole(room)
    let kit = try #require(items.keys.first { $0.hasPrefix("player/") && $0.hasSuffix("/kit") })
    #expect(items.removeValue(forKey: "mix") != nil && items.removeValue(forKey: kit) != nil)
    let again = RandomRoom(Self.kits)
    again.comeBack(Sounds().room(items))
    let id = PlayerID(index: 0)
    for (setting, value) in set where setting != .masterGain {
      #expect(try again.state.value(of: setting, for: id) == value, "\(setting)")
    }
    #expect(try again.state.value(of: .masterGain, for: id) == .float(0))
    #expect(try again.state.value(of: .kit, for: id) == .text("two"))
  }

  @Test("rows of two moments, as of a disk that lied, make a loop that is as long as its longest layer")
  func tornLoop() throws {
    func items(bars: Int) throws -> [String: [KeptValue]] {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
      let ann = try #require(room.join("ann", isHost: true))
      room.step(.set(.loopBars, .integer(Int32(bars))), by: ann, at: Moment(arrival: room.now))
      room.step(.loop(.record), by: ann, at: Moment(arrival: room.now))
      room.go(to: .seconds(Double(2 * bars) + 1.5))
      room.step(.hit(Pad(1)!, .full), by: ann, at: Moment(arrival: room.now))
      room.go(to: .seconds(20))
      return whole(room)
    }
    func isLoop(_ name: String) -> Bool { name.hasSuffix("/loop") }
    for (loop, layers) in [(1, 2), (2, 1)] {
      let other = try items(bars: loop)
      var torn = try items(bars: layers)
      let row = try #require(torn.keys.first(where: isLoop))
      torn[row] = try #require(other.first { isLoop($0.key) }?.value)
      let again = RandomRoom(Self.kits)
      again.comeBack(Sounds().room(torn))
      let found = again.state.loopers[PlayerID(index: 0)].loop
      #expect(found.length == Beats(nearest: Double(4 * layers)) && found.layerCount == 1)
      #expect(again.state.broken(readsAll: true) == [])
    }
  }

  @Test("every setting is kept that can be set")
  func settings() throws {
    // A host's word, a vote that nobody counts yet, and roles have tests of their own.
    // What a hand does at the moment is not kept, and another instrument is told in `KeyTests`.
    // A groove's parts can be switched only where there is one; they are its lanes, which are kept.
    let others = Set([.host, .role, .tempoVote, .bend, .sustain, .instrument, .progressionOn] + Setting.ofGrooves)
    // A macro of the room's is held by a thumb.
    let held = RoomEffectSetting.allCases.filter(\.isMacro).map { Setting.roomEffect($0) }
    let all = (Setting.everyFixed + Setting.ofChannel(PlayerName("bob")!)).filter { !held.contains($0) }
    var count = 0
    for setting in all where setting.row.access != .read && !others.contains(setting) {
      let room = RandomRoom(Self.kits)
      let ann = try #require(room.join("ann", isHost: true))
      _ = room.join("bob")
      let value: SettingValue
      switch setting {
      case .kit: value = .text("two")
      case .padSample: value = .text("three/5")
      case .roleOf: value = .text("listener")
      case .padSteps: value = .integer(12)
      case .progression: value = .text("I V")
      case .duckPlayer: value = .text("bob")
      case .scene: value = .text("ann loop layer2; bob mute lane1*")
      case .sceneName: value = .text("Verse")
      default: value = try #require(other(try room.state.value(of: setting, for: ann), setting.row.kind), "\(setting)")
      }
      #expect(room.step(.set(setting, value), by: ann, at: Moment(arrival: room.now)) == nil, "\(setting)")
      room.go(to: room.now + .seconds(1))
      let was = try room.state.value(of: setting, for: ann)
      let kept = Sounds().room(whole(room))
      let again = RandomRoom(Self.kits, tempo: kept.tempo ?? .standard)
      again.comeBack(kept)
      #expect(try again.state.value(of: setting, for: PlayerID(index: 0)) == was, "\(setting) is not kept")
      count += 1
    }
    #expect(count > 16 * PadSetting.allCases.count)
  }

  @Test("an emptied pad is empty after a restart, too")
  func emptiedPad() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    let pad = Pad(4)!
    #expect(room.step(.set(.padSample(pad), .text("")), by: ann, at: Moment(arrival: room.now)) == nil)
    room.go(to: room.now + .seconds(1))
    let kept = Sounds().room(whole(room))
    let again = RandomRoom(Self.kits, tempo: kept.tempo ?? .standard)
    again.comeBack(kept)
    #expect(again.state.hands[PlayerID(index: 0)][pad].sample == .nothing)
    #expect(again.state.hands[PlayerID(index: 0)][pad].sound == nil)
  }

  @Test("a seat keeps its number, also that of who had left; an older journal numbers by the order of places")
  func seats() throws {
    let room = RandomRoom(Self.kits)
    let names = ["ann", "bob", "carl"]
    for name in names { _ = try #require(room.join(name)) }
    let ann = try #require(room.state.roster.player(named: PlayerName("ann")!))
    room.step(.leave, by: ann, at: Moment(arrival: room.now))
    func seats(_ items: [String: [KeptValue]]) -> [String: Int] {
      let again = RandomRoom(Self.kits)
      again.comeBack(Sounds().room(items))
      _ = again.join("ann")
      return Dictionary(
        uniqueKeysWithValues: again.state.roster.people.compactMap { person in
          again.state.roster.seats.seat(of: person.id).map { (person.name.text, $0) }
        })
    }
    var items = whole(room)
    #expect(seats(items) == ["ann": 1, "bob": 2, "carl": 3])
    let row = try #require(items["seats"])
    items["seats"] = nil
    #expect(seats(items) == ["ann": 3, "bob": 1, "carl": 2])
    // Seats that there are not, and a row that breaks off, cost themselves alone.
    items["seats"] = KeptWriter.row(0, PlayerName("bob")!, 65, PlayerName("carl")!, 7, PlayerName("ann")!)
    #expect(seats(items) == ["ann": 7, "bob": 1, "carl": 2])
    items["seats"] = Array(row.dropLast())
    #expect(seats(items) == ["ann": 3, "bob": 1, "carl": 2])
  }

  @Test("who comes back without a token goes on by its name, once those who have one had time to show it")
  func names() throws {
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
    let ann = try #require(room.join("ann", isHost: true))
    room.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: Moment(arrival: room.now))
    let kept = Sounds().room(whole(room))
    for (seconds, name, layers) in [(3.0, "ann-2", 0), (11.0, "ann", 1)] {
      let again = RandomRoom(Self.kits)
      again.comeBack(kept)
      again.go(to: .seconds(seconds))
      let id = try #require(again.join(expected: "ann"))
      let player = try #require(again.state[id])
      #expect(player.name.text == name && player.looper.loop.layerCount == layers)
      // It was a host's name, and is not a host by it.
      #expect(player.person.role == .player)
    }
  }

  @Test("who comes from where it came from before has its place at once, and no host's role by it")
  func addresses() throws {
    func visitor(_ address: String) -> Visitor { Visitor(address: SourceAddress(address), presence: .unproven) }
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
    let ann = try #require(room.join("ann", isHost: true, from: visitor("192.168.1.5")))
    room.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: Moment(arrival: room.now))
    room.step(.set(.pad(.gain, Pad(3)!), .float(-6)), by: ann, at: Moment(arrival: room.now))
    let kept = Sounds().room(whole(room))
    for (address, name, gain) in [("192.168.1.6", "ann-2", Float(0)), ("192.168.1.5", "ann", -6)] {
      let again = RandomRoom(Self.kits)
      again.comeBack(kept)
      let id = try #require(again.join(expected: "ann", from: visitor(address)))
      let player = try #require(again.state[id])
      #expect(player.name.text == name && player.hands[Pad(3)!].settings.gain == gain && player.person.role == .player)
    }
  }

  @Test("in a full room those who are expected and do not come make room, and their loops stay while they can")
  func fullOfGhosts() throws {
    var limits = Limits.standard
    limits.playersPerRoom = 4
    let room = RandomRoom(Self.kits, limits: limits)
    for number in 1...4 {
      let id = try #require(room.join("ghost-\(number)"))
      guard number > 1 else { continue }
      room.step(.set(.step(Pad(1)!, 1), .float(1)), by: id, at: Moment(arrival: room.now))
    }
    let again = RandomRoom(Self.kits, limits: limits)
    again.comeBack(Sounds().room(whole(room)))
    again.welcome(PlayerID(index: 3))
    #expect(again.state.roster.isFull)
    let place = try #require(again.makeRoom(for: Visitor(address: SourceAddress("10.0.0.1"), presence: .unproven)))
    #expect(place == PlayerID(index: 0))
    #expect(again.join("new") == PlayerID(index: 0))
    #expect(again.state.roster.people.map(\.name.text) == ["new", "ghost-2", "ghost-3", "ghost-4"])
    // Whoever is there keeps its place; the next ghost leaves its loop.
    #expect(again.makeRoom(for: .server) == PlayerID(index: 1))
    #expect(again.state.roster.gone(PlayerName("ghost-2")!) == PlayerID(index: 1))
  }

  private func differences(_ a: KeptReading.Person, _ b: KeptReading.Person) -> [String] {
    zip(Mirror(reflecting: a).children, Mirror(reflecting: b).children).compactMap { a, b in
      "\(a.value)" == "\(b.value)"
        ? nil : "\(a.label ?? ""): \("\(a.value)".prefix(300)) and \("\(b.value)".prefix(300))"
    }
  }

  @Test("a room goes on counting, whatever numbers its rows hold") func brokenCounts() throws {
    let rows: [String: [KeptValue]] = [
      "moment": KeptWriter.row(Int64(0), Beats.zero, UInt64.max, UInt64.max), "history": KeptWriter.row(UInt64.max),
    ]
    let reading = KeptReading(rows, KeptSounds())
    #expect(reading.problems == [])
    #expect([reading.sequence, reading.slotsPut, reading.roomEdits].allSatisfy { $0 == 1 << 60 })
  }
}
