import JamCore
import JamEngine
import JamRealtime

@testable import JamRoom
@testable import JamWire

/// One life of the server's process: its room, its keeper, and what was played in it.
final class JamServer {
  /// A room's frames begin with each process; so does the machine's clock here.
  static let anchor = ClockAnchor(origin: HostTime(nanoseconds: 0))
  static let clock = ServerClock(origin: HostTime(nanoseconds: 0), wallNanoseconds: 0)

  let room: RandomRoom
  private let kits: RandomKits
  private let tempo: Tempo
  /// Kits that the room did not know as it began.
  private let away: Set<String>
  /// Frames of the jam that were over before this life.
  private let begun: Frames
  private let keeper = RoomKeeper { _ in }
  private(set) var voices = VoiceBook()
  /// How much was logged and sent before a kit came that had been away.
  private var kitCame: (entries: Int, commands: Int)?
  private var deleted: Set<String> = []
  /// Deleted kits that somebody came back to when nobody had them in memory any more, each behind so
  /// many entries of the log: they are silent from there on.
  private var gone: [(entries: Int, kit: String)] = []
  private var seenEntries = 0
  private var reader = CommandReader()
  private var packet = OSCPacket()
  /// When hits of loops were last moved by another swing.
  private(set) var swung = Frames(-1_000_000)
  private(set) var commands = 0
  private(set) var refused = 0
  /// The command that came last, for whoever looks for the reason of a problem.
  private(set) var last = "nothing"

  init(_ kits: RandomKits, without away: Set<String>, _ kept: KeptRoom?, tempo: Tempo, at begun: Frames, delay: Frames)
  {
    self.kits = kits
    self.away = away
    self.tempo = kept?.tempo ?? tempo
    self.begun = begun
    room = RandomRoom(kits, without: away, tempo: self.tempo)
    room.delay = delay
    room.seesCommand = { [unowned self] in voices.note($0) }
    room.seesEffect = { [unowned self] in see($0) }
    if let kept { room.comeBack(kept) }
    keeper.note(at: room.now)
  }

  /// As a live room does: what passes by itself is not kept.
  private func see(_ effect: Effect) {
    switch effect {
    case .log(let entry): if !entry.action.goesBy { keeper.note(at: room.now) }
    case .tell(let event, let audience): if audience != .asker, !event.goesBy { keeper.note(at: room.now) }
    default: break
    }
  }

  // MARK: Time

  /// The room's frame at a moment of the jam. A room begins a little later than its process.
  func frame(at now: Frames) -> Frames { now - begun + Frames(1_000) }

  func go(to now: Frames) {
    room.go(to: frame(at: now))
    look()
  }

  /// When the room is to be handed on, in frames of the jam.
  var keepDue: Frames { keeper.deadline.map { $0 + begun - Frames(1_000) } ?? Frames(.max) }

  /// The room as it is, where it is to be kept now.
  func takeImage() -> RoomImage? {
    keeper.takeDue(at: room.now) ? RoomImage(of: room.state, at: room.now) : nil
  }

  private var swing: Float = 0

  private func look() {
    lookAtSwing()
    defer { seenEntries = room.log.count }
    guard !deleted.isEmpty else { return }
    let hands = room.state.present.map { room.state.hands[$0].kit }
    for kit in deleted.sorted()
    where room.state.library.loaded[kit]?.isAway == true || hands.contains(where: { $0.isAway && $0.kit.id == kit }) {
      deleted.remove(kit)
      gone.append((seenEntries, kit))
    }
  }

  private func lookAtSwing() {
    guard room.state.clock.swing != swing else { return }
    swing = room.state.clock.swing
    swung = room.now
  }

  // MARK: Players

  /// The tokens that the clients hold. Each coming in gives another one, as a live server does.
  var tokens: [PlayerName: String] = [:]
  /// Whether a scene was launched. It mutes pads, and nobody can take that back.
  var hasLaunchedScenes = false

  /// The player that a client is, by its token; nil where it is not here.
  func player(_ name: PlayerName) -> PlayerID? { tokens[name].flatMap { room.state.roster.player(token: $0) } }

  /// A client shows its token, or comes in.
  private func enter(_ name: PlayerName, isHost: Bool) -> PlayerID? {
    guard let id = player(name) else {
      let token = "\(name) \(begun.count) \(room.now.count)"
      guard let id = room.join(name.text, token: token, isHost: isHost) else { return nil }
      tokens[name] = token
      return id
    }
    if room.state.roster[id].isExpected || room.state.roster[id].isAway { room.welcome(id) }
    return id
  }

  /// - Returns: what the packet asked for; empty where it says nothing of the room.
  func receive(_ bytes: [UInt8], from name: PlayerName, at arrival: Frames, _ joined: (PlayerID) -> Void) -> [String] {
    let isRead = bytes.withUnsafeBytes { bytes in (try? packet.decode(bytes)) != nil }
    guard isRead, packet.refusals.isEmpty else { return ["it cannot be decoded: \(bytes)"] }
    let isNew = player(name) == nil
    // A host now and then, so that each right is used and missed.
    guard let id = enter(name, isHost: name != RandomRoom.names[1]) else { return [] }
    if isNew { joined(id) }
    for element in packet.elements {
      var moment = Moment(arrival: frame(at: arrival), heard: element.heard)
      if !element.timetag.isImmediate {
        moment.tagged = frame(at: JamServer.anchor.frame(at: JamServer.clock.time(of: element.timetag)))
      }
      do throws(WireError) {
        guard let addressed = try reader.read(element.message) else { continue }
        carryOut(addressed.request, by: id, at: moment)
      } catch {
        refused += 1
      }
    }
    look()
    return []
  }

  private func carryOut(_ request: Request, by id: PlayerID, at moment: Moment) {
    switch request {
    case .command(let command): step(command, by: id, at: moment)
    case .commands(let commands): for command in commands { step(command, by: id, at: moment) }
    case .session(.host(let word)): step(.becomeHost(word), by: id, at: moment)
    case .session(.bye): step(.leave, by: id, at: moment)
    case .session(.sync): step(.readAll, by: id, at: moment)
    case .session: break
    }
  }

  private func step(_ command: Command, by id: PlayerID, at moment: Moment) {
    commands += 1
    last = "\(command) by \(room.state.roster[id].name) at \(moment.arrival.count)"
    if room.step(command, by: id, at: moment) != nil {
      refused += 1
    } else if case .launchScene = command {
      hasLaunchedScenes = true
    }
  }

  // MARK: Kits

  func kitGoes(_ kit: String) {
    room.remove(kit: kit)
    deleted.insert(kit)
  }

  func kitComes(_ kit: String) {
    guard away.contains(kit) else { return }
    if kitCame == nil { kitCame = (room.log.count, room.engine.count) }
    room.add(kits.kit(kit).kit)
  }

  // MARK: Checks

  /// What sounds, and no command of the engine's ends it.
  func hangingVoices() -> [String] { voices.hanging(at: room.now) }

  /// The log, played as a score in a fresh room, asks the engine for the same.
  /// - Returns: what differs.
  func differencesOfScore() -> [String] {
    let score = RandomRoom(kits, without: away, tempo: tempo)
    score.missing = away
    // A score has a kit from its beginning on, or not at all: a kit that comes later ends the comparison.
    let (entries, commands) = kitCame ?? (room.log.count, room.engine.count)
    // The last entry behind each command of the score, for whoever looks for the reason.
    var reasons: [LogEntry] = []
    // From that command on a deleted kit is silent in the score.
    var silentFrom = Int.max
    for (index, entry) in room.log.prefix(entries).enumerated() {
      // What is named of it from then on is silent, as it was. Until then players had it in memory.
      for (_, kit) in gone.filter({ $0.entries == index }) {
        score.remove(kit: kit)
        silentFrom = min(silentFrom, score.engine.count)
      }
      score.fold(entry)
      reasons += repeatElement(entry, count: score.engine.count - reasons.count)
    }
    let live = room.engine.prefix(commands)
    // What is away is silent in the score, too, and told.
    var problems = score.problems.filter { !$0.contains("Away(") }.prefix(2).map { "the score says: \($0)" }
    let differing = zip(live, score.engine).enumerated().first { index, pair in
      !isSame(pair.0, pair.1, mayBeSilent: index >= silentFrom)
    }
    if let (index, pair) = differing {
      problems.append("live command \(index) is \(pair.0), of the score \(pair.1), by \(reasons[index])")
    } else if live.count != score.engine.count {
      let longer = live.count > score.engine.count ? Array(live) : score.engine
      let index = min(live.count, score.engine.count)
      problems.append("live there are \(live.count) commands, of the score \(score.engine.count): \(longer[index])")
    }
    return problems
  }

  /// Who held a sound of a deleted kit in memory is heard still, live or in the score; the other
  /// finds it nowhere.
  private func isSame(_ live: String, _ score: String, mayBeSilent: Bool) -> Bool {
    func silent(_ command: String) -> String { command.replacing(/\ of \d+$/, with: " of 1") }
    return live == score || mayBeSilent && (silent(live) == score || live == silent(score))
  }
}
