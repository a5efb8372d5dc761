import JamCore

@testable import JamRoom
@testable import JamWire

/// One room's life by chance: messages of the whole address table, at random moments, by players who come, go and are renamed.
struct FuzzRun {
  /// Times between commands: all at once, a busy jam, an idle one.
  private enum Pace: CaseIterable { case burst, busy, idle }

  private let kits: FuzzKits
  private let seed: UInt64
  private var dice: FuzzDice
  private var maker: MessageMaker
  private var reader = CommandReader()
  private var room: FuzzRoom
  private var places: [PlayerID?]
  private var pace: Pace
  private(set) var commands = 0
  private(set) var refused = 0

  init(_ kits: FuzzKits, seed: UInt64) {
    self.kits = kits
    self.seed = seed
    dice = FuzzDice(seed: seed)
    maker = MessageMaker(seed: dice.word())
    var limits = Limits.standard
    limits.rememberedCommands = 2_048
    // What is kept small is full soon.
    if dice.once(in: 2) {
      (limits.layersPerLoop, limits.hitsPerLayer, limits.pendingHits) = (3, 12, 64)
      (limits.editsPerPlayer, limits.editsPerRoom, limits.blocksPerRoom, limits.ownSounds) = (40, 80, 6, 3)
      limits.editWeightPerPlayer = 500
      (limits.tempoChangesAhead, limits.tempoChangesKept) = (48, 32)
    }
    if dice.once(in: 3) { limits.playersPerRoom = 4 }
    room = FuzzRoom(
      kits, seed: dice.word(), limits: limits, tempo: Tempo(clamping: Double(20 + dice.below(281))))
    places = Array(repeating: nil, count: 3 + dice.below(8))
    pace = dice.one(of: Pace.allCases)
  }

  /// - Returns: what did not hold, with the seed that brings it about again.
  mutating func play(_ count: Int) -> [String] {
    for number in 0..<count {
      if dice.once(in: 500) { pace = dice.one(of: Pace.allCases) }
      goOn()
      send()
      guard number % 250 == 249 || number == count - 1 else { continue }
      let broken = room.problems + room.broken()
      if !broken.isEmpty { return broken.map { "seed \(seed), command \(number): \($0)" } }
    }
    return []
  }

  private mutating func goOn() {
    let step =
      switch pace {
      case .burst: dice.once(in: 8) ? dice.below(40) : 0
      case .busy: dice.below(400)
      case .idle: dice.once(in: 10) ? dice.below(60_000) : dice.below(3_000)
      }
    switch dice.below(300) {
    case 0: room.stall(until: room.now + Frames(Int64(dice.below(100_000))))
    // A clock that runs backwards.
    case 1: room.tick(at: room.now - Frames(Int64(dice.below(100_000))))
    case 2: room.now > Frames(5) ? room.tick(at: room.now) : ()
    default: room.go(to: room.now + Frames(Int64(step)))
    }
  }

  /// Past, future, equal, far off.
  private mutating func moment() -> Moment {
    var moment = Moment(arrival: room.now)
    switch dice.below(10) {
    case 0: moment.arrival = room.now - Frames(Int64(dice.below(72_000)))
    case 1: moment.arrival = room.now + Frames(Int64(dice.below(500)))
    case 2...5: moment.arrival = room.now - Frames(Int64(dice.below(240)))
    default: break
    }
    switch dice.below(20) {
    case 0...2: moment.tagged = moment.arrival + Frames(Int64(dice.below(72_000)))
    case 3, 4: moment.tagged = moment.arrival - Frames(Int64(dice.below(72_000)))
    case 5: moment.tagged = moment.arrival
    case 6: moment.tagged = moment.arrival + Frames(Int64(dice.below(480_000)))
    case 7: moment.tagged = Frames(Int64(bitPattern: dice.word()) >> 16).earlier(than: moment.arrival)
    default: break
    }
    if dice.once(in: 12) {
      moment.heard = UInt32(truncatingIfNeeded: (moment.arrival - Frames(Int64(dice.below(110_000)))).count)
    }
    return moment
  }

  private func isHere(_ place: Int) -> Bool { places[place].map { room.state.roster.isHere($0) } == true }

  private mutating func send() {
    var place = dice.below(places.count)
    let moment = moment()
    if !isHere(place) {
      places[place] = PlayerName(dice.one(of: MessageMaker.names)).flatMap { room.join($0, at: moment) }
    }
    // Whoever is kept out, because the room is full, leaves the turn to somebody who is in it.
    if !isHere(place), let other = places.indices.first(where: isHere) { place = other }
    guard isHere(place), let id = places[place] else { return }
    if dice.once(in: 150) { return room.happen(to: id, at: moment) }
    commands += 1
    do throws(WireError) {
      guard let addressed = try reader.read(maker.message()) else { return }
      switch addressed.request {
      case .command(let command): room.receive(command, by: id, at: moment)
      case .commands(let commands): for command in commands { room.receive(command, by: id, at: moment) }
      case .session(.hello(let name, _, _, _)):
        if dice.once(in: 4) {
          places[place] = room.join(name, at: moment)
        } else {
          room.rename(id, to: name, at: moment)
        }
      case .session(.host(let word)): room.receive(.becomeHost(word), by: id, at: moment)
      // Not everybody who may leave does.
      case .session(.bye): if dice.once(in: 4) { room.receive(.leave, by: id, at: moment) }
      case .session(.sync): room.receive(.readAll, by: id, at: moment)
      case .session: break
      }
    } catch {
      refused += 1
    }
  }
}

extension Frames {
  fileprivate func earlier(than other: Frames) -> Frames { self < other ? self : other }
}
