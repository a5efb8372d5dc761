import JamCore
import JamEngine
import JamKit
import Testing

@testable import JamRoom

/// A room's music as a thing with a name: kept, opened in another room, and taken over.
@Suite struct ProjectTests {
  private static let kits = RandomKits()
  private let source = RandomSource(ProjectTests.kits)

  private func image(_ room: RandomRoom) -> ProjectImage { ProjectImage(of: room.state) }

  private func project(_ items: [KeptItem]) -> KeptProject { KeptProject(items, from: source.library) }

  /// Opens a project as a player asks for it.
  private func open(_ project: KeptProject, in room: RandomRoom, by id: PlayerID, named name: String = "song") {
    room.step(.project(.open(name, version: nil)), by: id, at: Moment(arrival: room.now))
    guard let order = room.orders.last else {
      Issue.record("nothing was ordered")
      return
    }
    room.answer(order, .opened(OpenProject(name: name, measures: project.measures), project, .opened))
  }

  /// Records a hit on `pad`, which is not held, a beat behind each other bar line.
  private func record(_ pad: Int, bars: Int = 1, by id: PlayerID, in room: RandomRoom) {
    room.step(.set(.loopBars, .integer(Int32(bars))), by: id, at: Moment(arrival: room.now))
    room.step(.loop(.record), by: id, at: Moment(arrival: room.now))
    let line = room.state.clock.barLine(atOrAfter: room.now + RoomState.liveDelay)
    room.go(to: room.state.clock.view.frame(at: line + Beats(1)))
    room.step(.hit(Pad(pad)!, .full), by: id, at: Moment(arrival: room.now))
    room.go(to: room.state.clock.view.frame(at: line + Beats(4 * bars)) + .seconds(0.2))
  }

  /// What is no player's.
  private func others(_ items: [KeptItem]) -> [KeptItem] { items.filter { !$0.name.hasPrefix("part/") } }

  /// Lanes that play once have come to their end.
  private func playedOut(_ parts: [ProjectPart]) -> [ProjectPart] {
    var parts = parts
    for part in parts.indices {
      for lane in parts[part].music.lanes.indices where parts[part].music.lanes[lane].playing == .play {
        parts[part].music.lanes[lane].playing = nil
      }
    }
    return parts
  }

  private func loopHits(_ room: RandomRoom, from first: Int = 0) -> [(frame: Frames, player: String)] {
    room.log.dropFirst(first).compactMap { entry in
      if case .command(.loopHit) = entry.action { (entry.frame, entry.player.text) } else { nil }
    }
  }

  @Test("what is saved, opened elsewhere and saved again is the same, at once and later", arguments: 0..<6)
  func roundTrip(group: Int) throws {
    var layers = 0
    defer { #expect(layers > 0) }
    for seed in group * 5..<group * 5 + 5 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let items = image(room).items
      let first = project(items)
      #expect(first.problems == [], "seed \(seed)")
      layers += first.music.parts.reduce(0) { $0 + $1.music.loop.layers.count }
      // The rows alone tell what the project needs.
      let needs = ProjectNeeds(items)
      #expect(needs.kits == first.kits && needs.ownSounds == first.ownSounds, "seed \(seed)")
      #expect(needs.players == first.players && needs.measures == first.measures && needs.bpm == first.bpm)
      let slots = first.music.parts.flatMap { $0.music.lanes.flatMap { $0.slots.compactMap { $0 } } }
      for case .voicing(let voicing) in slots.flatMap(\.block.hits).map(\.sound) {
        switch voicing.sample {
        case .pad(_, let kit): #expect(needs.allKits.contains(kit), "seed \(seed)")
        case .own(let hash): #expect(needs.allOwnSounds.contains(hash), "seed \(seed)")
        case .patch, .nothing: break
        }
      }
      let other = RandomRoom(Self.kits)
      // One who has a part, if anybody has, and somebody else.
      let somebody = try #require(other.join("zoe", isHost: true))
      _ = first.music.parts.first.map { other.join($0.name.text) }
      open(first, in: other, by: somebody)
      #expect(other.state.session.opening == nil && !other.state.session.isOpeningProject)
      #expect(other.problems == [], "seed \(seed)")
      #expect(image(other).items == items, "seed \(seed)")
      other.go(to: other.now + .seconds(7))
      let later = image(other).items
      #expect(others(later) == others(items), "seed \(seed), later")
      #expect(project(later).music.parts == playedOut(first.music.parts), "seed \(seed), later")
    }
  }

  @Test(
    "the log of a room that opens projects is a score: played again, the engine is asked the same", arguments: 0..<6)
  func score(group: Int) throws {
    var hits = 0
    defer { #expect(hits > 0) }
    for seed in group * 5..<group * 5 + 5 {
      let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 240))
      room.play(seed: seed, count: 150)
      let kept = project(image(room).items)
      let other = RandomRoom(Self.kits)
      let ann = try #require(other.join("ann", isHost: true))
      record(5, by: ann, in: other)
      other.go(to: other.now + .seconds(3))
      let before = other.log.count
      open(kept, in: other, by: ann)
      other.go(to: other.now + .seconds(9))
      hits += loopHits(other, from: before).count
      if let gone = other.state.players.first(where: \.person.hasLeft) {
        #expect(other.step(.takePart(gone.name), by: ann, at: Moment(arrival: other.now)) == nil)
      }
      other.go(to: other.now + .seconds(6))
      #expect(other.problems == [], "seed \(seed)")
      let score = RandomRoom(Self.kits)
      for entry in other.log { score.fold(entry) }
      #expect(score.problems == [], "seed \(seed)")
      let different = zip(other.engine, score.engine).first { $0 != $1 }
      #expect(
        different == nil && other.engine.count == score.engine.count,
        "seed \(seed): \(other.engine.count), \(score.engine.count): \(different.map { "\($0)" } ?? "")")
    }
  }

  @Test("a project begins on the next bar line, and what played before sounds until there")
  func line() throws {
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 120))
    let ann = try #require(room.join("ann"))
    record(1, by: ann, in: room)
    let kept = project(image(room).items)
    let other = RandomRoom(Self.kits, tempo: Tempo(clamping: 60))
    let bob = try #require(other.join("bob"))
    record(6, by: bob, in: other)
    // The second beat of a bar of four seconds, in which a loop of one bar hits on the second beat.
    other.go(to: .seconds(16.5))
    let before = other.log.count
    open(kept, in: other, by: bob)
    #expect(other.state.session.opening != nil)
    #expect(other.step(.project(.open("more", version: nil)), by: bob, at: Moment(arrival: other.now)) == .projectBusy)
    other.go(to: .seconds(26))
    let hits = loopHits(other, from: before)
    // Bob's at 17 s, and from the bar line at 20 s on Ann's every two seconds: a beat is half a second now.
    #expect(hits.map(\.player) == ["bob", "ann", "ann", "ann"])
    #expect(hits.map { $0.frame.count / 2_400 } == [340, 410, 450, 490])
    #expect(other.state.clock.map.view.tempo(at: other.state.clock.view.beat(at: other.now)) == Tempo(clamping: 120))
  }

  @Test("a part belongs to whoever has its player's name, also to one who comes later")
  func owners() throws {
    let room = RandomRoom(Self.kits)
    let ids = try ["ann", "bob"].map { try #require(room.join($0)) }
    for id in ids { record(7, by: id, in: room) }
    let kept = project(image(room).items)
    let other = RandomRoom(Self.kits)
    let ann = try #require(other.join("ann"))
    open(kept, in: other, by: ann)
    #expect(other.state[ann]?.looper.loop.layerCount == 1)
    #expect(other.state.roster.people.map(\.name.text) == ["ann"])
    let bob = try #require(other.join("bob"))
    #expect(other.state[bob]?.looper.loop.layerCount == 1)
    #expect(other.state[bob]?.looper.loop.isPlaying == true)
  }

  @Test("one at the door gets no part: it plays on under a free name, until somebody who is in takes it over")
  func atTheDoor() throws {
    let room = RandomRoom(Self.kits)
    let ids = try ["ann", "bass"].map { try #require(room.join($0)) }
    for id in ids { record(7, by: id, in: room) }
    let kept = project(image(room).items)
    let other = RandomRoom(Self.kits)
    let ann = try #require(other.join("ann", isHost: true))
    #expect(other.step(.set(.door, .bool(true)), by: ann, at: Moment(arrival: other.now)) == nil)
    let stranger = Visitor(address: SourceAddress("10.0.0.7"), presence: .connected)
    let bass = try #require(other.join("bass", from: stranger))
    #expect(other.state.roster.door.waits(bass))
    open(kept, in: other, by: ann)
    #expect(other.state[bass]?.looper.loop.hasNothing == true)
    let partName = try #require(PlayerName("bass-2"))
    let part = try #require(other.state.roster.gone(partName))
    #expect(other.state.loopers[part].loop.layerCount == 1)
    #expect(other.state[ann]?.looper.loop.layerCount == 1)
    #expect(!other.state.roster.known.tokens.contains(""))
    let name = try #require(PlayerName("bass"))
    #expect(other.step(.admit(name), by: ann, at: Moment(arrival: other.now)) == nil)
    #expect(other.step(.takePart(partName), by: bass, at: Moment(arrival: other.now)) == nil)
    #expect(other.state[bass]?.looper.loop.layerCount == 1)
  }

  @Test("what somebody left playing goes on without a gap in whoever takes it over, and comes back by undo")
  func takingOver() throws {
    let room = RandomRoom(Self.kits)
    let (ann, bob) = (try #require(room.join("ann")), try #require(room.join("bob")))
    record(1, by: ann, in: room)
    record(6, bars: 2, by: bob, in: room)
    room.go(to: room.now + .seconds(1))
    room.step(.leave, by: bob, at: Moment(arrival: room.now))
    let nobody = try #require(PlayerName("nobody"))
    let name = try #require(PlayerName("bob"))
    #expect(
      room.step(.takePart(nobody), by: ann, at: Moment(arrival: room.now)) == .noSuchPart(nobody, left: [name]))
    let frames = loopHits(room).filter { $0.player == "bob" }.map(\.frame)
    #expect(room.step(.takePart(name), by: ann, at: Moment(arrival: room.now)) == nil)
    let before = room.log.count
    room.go(to: room.now + .seconds(12.5))
    let hits = loopHits(room, from: before)
    #expect(hits.allSatisfy { $0.player == "ann" })
    let beat = try #require(frames.first)
    #expect(hits.count == 3)
    #expect(hits.allSatisfy { ($0.frame - beat).count % (4 * 48_000) == 0 })
    #expect(room.state.players.count == 1)
    #expect(room.state[ann]?.looper.loop.length == Beats(8))
    room.step(.undo, by: ann, at: Moment(arrival: room.now))
    #expect(room.state[ann]?.looper.loop.length == Beats(4))
    #expect(room.problems == [])
  }

  @Test("a new project is empty, its loops are as long as it says, and undo brings back one's own")
  func new() throws {
    let room = RandomRoom(Self.kits, tempo: Tempo(clamping: 90))
    let ann = try #require(room.join("ann"))
    record(1, by: ann, in: room)
    room.step(.project(.new("song", measures: 8)), by: ann, at: Moment(arrival: room.now))
    let order = try #require(room.orders.last)
    room.answer(order, .opened(OpenProject(name: "song", measures: 8), KeptProject(measures: 8), .begun))
    room.go(to: room.now + .seconds(4))
    #expect(room.state[ann]?.looper.loop.isEmpty == true)
    #expect(room.state[ann]?.looper.loop.shownBars == 8)
    let bob = try #require(room.join("bob"))
    #expect(room.state[bob]?.looper.loop.shownBars == 8)
    #expect(room.state.session.project == OpenProject(name: "song", measures: 8))
    #expect(room.state.clock.map.view.tempo(at: room.state.clock.view.beat(at: room.now)) == Tempo(clamping: 90))
    room.step(.undo, by: ann, at: Moment(arrival: room.now))
    #expect(room.state[ann]?.looper.loop.layerCount == 1)
    #expect(room.state[ann]?.looper.loop.isPlaying == true)
  }

  @Test("steps that were lit go dark, and those of the project and of a part that is taken over are lit")
  func steps() throws {
    let room = RandomRoom(Self.kits)
    let (ann, bob) = (try #require(room.join("ann")), try #require(room.join("bob")))
    let moment = Moment(arrival: room.now)
    room.step(.set(.step(Pad(1)!, 1), .float(1)), by: ann, at: moment)
    room.step(.set(.step(Pad(5)!, 3), .float(1)), by: bob, at: moment)
    let kept = project(image(room).items)
    room.step(.leave, by: bob, at: moment)
    room.keepsTold = true
    func lit(_ room: RandomRoom) -> [String] {
      room.told.filter { $0.contains("player(JamCore.PlayerID(index: 0)) value(JamCore.Setting.step(") }
    }
    open(KeptProject(measures: 4), in: room, by: ann)
    room.go(to: room.now + .seconds(4))
    #expect(lit(room).count == 1)
    let cyd = RandomRoom(Self.kits)
    let id = try #require(cyd.join("ann"))
    cyd.keepsTold = true
    open(kept, in: cyd, by: id)
    #expect(lit(cyd).count == 1)
    let name = try #require(PlayerName("bob"))
    cyd.step(.takePart(name), by: id, at: Moment(arrival: cyd.now))
    // Its own goes dark, the other's is lit.
    #expect(lit(cyd).count == 3)
  }

  @Test("a project that another room plays is not this room's any more, and the music plays on without a name")
  func elsewhere() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    record(1, by: ann, in: room)
    open(project(image(room).items), in: room, by: ann)
    room.go(to: room.now + .seconds(3))
    let before = room.state[ann]?.looper.loop.layers
    room.state.projectGone(GoneProject(name: "another", deed: .elsewhere))
    #expect(room.state.session.project.name == "song")
    room.state.projectGone(GoneProject(name: "song", deed: .elsewhere))
    #expect(room.state.session.project == OpenProject())
    #expect(room.state.projectReport.deed == .elsewhere)
    #expect(room.state[ann]?.looper.loop.layers == before)
  }

  @Test("what a host has locked stays: only hosts open projects then, and only hosts delete them")
  func rights() throws {
    let room = RandomRoom(Self.kits)
    let host = try #require(room.join("ann", isHost: true))
    let player = try #require(room.join("bob"))
    let moment = Moment(arrival: room.now)
    for lock in [Lock.tempo, .loops, .kits, .key] {
      room.step(.set(.lock, .text(lock.word)), by: host, at: moment)
      #expect(room.step(.project(.open("song", version: nil)), by: player, at: moment) == .locked(lock))
      #expect(room.step(.project(.new("song", measures: nil)), by: player, at: moment) == .locked(lock))
    }
    #expect(room.step(.project(.delete("song")), by: player, at: moment) == .hostOnly(.deleteProject))
    #expect(room.step(.project(.new("a/b", measures: nil)), by: host, at: moment) == .badProjectName)
    #expect(room.orders == [])
    #expect(room.step(.project(.open("song", version: nil)), by: host, at: moment) == nil)
    let order = try #require(room.orders.last)
    room.keepsTold = true
    room.answer(order, .refused(.noSuchProject("song")))
    #expect(room.told.contains { $0.contains("noSuchProject") })
    // And another may be opened.
    #expect(room.step(.project(.open("song", version: nil)), by: host, at: moment) == nil)
  }

  @Test("whoever asked may be gone by then: somebody else opens it, or nobody does")
  func gone() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    record(1, by: ann, in: room)
    let kept = project(image(room).items)
    let other = RandomRoom(Self.kits)
    let bob = try #require(other.join("bob"))
    other.step(.project(.open("song", version: nil)), by: bob, at: Moment(arrival: other.now))
    other.step(.leave, by: bob, at: Moment(arrival: other.now))
    let order = try #require(other.orders.last)
    other.answer(order, .opened(OpenProject(name: "song"), kept, .opened))
    #expect(other.state.session.project.name == "")
    #expect(!other.state.session.isOpeningProject)
    let cyd = try #require(other.join("cyd"))
    open(kept, in: other, by: cyd)
    #expect(other.state.session.project.name == "song")
  }

  @Test("items that cannot be are left out, and told")
  func damage() throws {
    let room = RandomRoom(Self.kits)
    let ann = try #require(room.join("ann"))
    record(1, by: ann, in: room)
    room.step(.set(.laneSlot(1, 1), .text("house four on the floor")), by: ann, at: Moment(arrival: room.now))
    room.step(.lane(1, .loop), by: ann, at: Moment(arrival: room.now))
    room.go(to: room.now + .seconds(1))
    let items = image(room).items
    for index in items.indices {
      for place in items[index].values.indices {
        for value in [KeptValue.integer(-1), .integer(.max), .number(.nan), .text("\u{0}"), .flag(true)] {
          var bad = items
          bad[index].values[place] = value
          let kept = project(bad)
          let other = RandomRoom(Self.kits)
          let bob = try #require(other.join("bob"))
          open(kept, in: other, by: bob)
          other.go(to: .seconds(0.2))
        }
      }
      var short = items
      short[index].values.removeLast()
      #expect(!project(short).problems.isEmpty)
    }
    #expect(project([]).music.parts == [])
  }
}
