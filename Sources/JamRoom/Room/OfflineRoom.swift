public import JamCore
internal import JamEngine
internal import JamKit
internal import JamRealtime

/// A room without a clock of its own: stepped and rendered at full speed, for scores and tests.
///
/// State and engine are a live room's: the same commands at the same frames give the same samples.
/// Thread: any one at a time.
public final class OfflineRoom {
  public var state: RoomState { carrier.state }
  private let carrier: EffectCarrier
  /// They keep the memory that the carrier's rings lie in.
  public let parts: EngineParts
  /// The events that nobody has taken yet.
  public private(set) var told: [Event] = []
  public private(set) var log: [LogEntry] = []
  /// The mix's parts in the order in which they first sounded.
  private var stemParts: [StemPart] = []
  private var stemNumbers: [StemPart: UInt16] = [:]
  private let answers: PromptAnswers
  private let isLive: Bool
  /// Up to where a live room's clock has gone.
  private var went = Frames(-1)
  /// The frame of the command that is being carried out.
  private var frame = Frames.zero

  /// - Parameters:
  ///   - tapeSeconds: of mix that the tape keeps; read it before that is over.
  ///   - stems: how the mix is taken apart beside it, for `takeStems`; nil where nobody asks.
  ///   - isLive: commands work as in a live room, undo too; false plays scores with their outcomes.
  public init(
    name: PlayerName, kits kitStore: KitStore, firstKit: PlayableKit, tempo: Tempo = .standard, tapeSeconds: Int = 2,
    stems: StemPlan? = nil, isLive: Bool = false
  ) {
    answers = PromptAnswers(from: kitStore)
    var limits = Limits.standard
    limits.tapeSeconds = tapeSeconds
    parts = EngineParts(
      limits: limits, isLevelled: true,
      stems: stems.map { StemsOwner(count: StemPlan.most, isShaped: $0.isShaped, hasOneOfBus: $0.division == .player) })
    carrier = EffectCarrier(
      RoomState(
        name: name, kits: kitStore.kits, firstKit: firstKit, anchor: ClockAnchor(origin: HostTime(nanoseconds: 0)),
        tempo: tempo, hostWord: OfflineRoom.hostWord, reservedNames: isLive ? [RoomState.mixName] : [],
        instruments: kitStore.instruments), to: parts)
    self.isLive = isLive
    if let stems { carrier.shape = { [unowned self] in $0.stem = number(of: $1, pad: $0.pad, stems) } }
    RealtimeThread.flushDenormals()
    carrier.state.begin()
    carryOut()
  }

  /// Offline everybody may do everything: what a score holds was allowed when it was played.
  private static let hostWord = "offline"

  /// Frames rendered so far.
  public var end: Frames { parts.tape.tape.end }

  /// The player of that name, who joins now if it is the first time.
  /// - Throws: `Refusal` where the room is full.
  public func player(_ name: PlayerName, at frame: Frames) throws(Refusal) -> PlayerID {
    if let id = carrier.state.roster.player(named: name) { return id }
    let id = try carrier.state.joinScore(name, at: Moment(arrival: frame - RoomState.liveDelay))
    carryOut()
    return id
  }

  /// Carries out a command that takes effect at `frame` exactly.
  public func step(_ command: Command, by player: PlayerID, at frame: Frames) {
    // A score's file, played as a script, says an instrument by all of its patch.
    let isScores = if case .usePatch = command { true } else { false }
    guard isLive, !isScores else {
      // A player who is here needs no place.
      if let name = carrier.state[player]?.name { try? play(.command(command), by: name, at: frame) }
      return
    }
    self.frame = frame
    carrier.state.sendWaiting(at: frame - RoomState.liveDelay)
    carryOut()
    // As if it came one constant delay earlier: live and tagged commands then agree on the frame.
    carrier.state.step(command, by: player, at: Moment(arrival: frame - RoomState.liveDelay))
    carryOut()
  }

  /// Plays a live room's loops, lanes, rolls, build-ups to `time`; a score's room decides nothing.
  public func go(to time: Frames) {
    guard isLive else { return }
    while case let due = carrier.state.findDeadline(), due <= time {
      let now = max(due, went + Frames(1))
      guard now <= time else { break }
      went = now
      frame = now + RoomState.liveDelay
      carrier.state.tick(at: now)
      carryOut()
    }
  }

  /// A live room plays a project without its players from now on: its loops go round by themselves.
  /// - Throws: `Refusal` where the room is full.
  public func open(_ project: KeptProject) throws(Refusal) {
    // The opening player has a name of no part.
    let taken = Set(project.players)
    let name = (1...).lazy.map { "player\($0)" }.first { !taken.contains($0) }.flatMap { PlayerName($0) }
    let id = try player(name ?? PlayerName("player")!, at: end)
    carrier.state.prepare(project, OpenProject(), .opened, by: id, at: end + RoomState.liveDelay)
    carryOut()
  }

  /// Another name for somebody who is here.
  public func rename(_ player: PlayerID, to name: PlayerName, at frame: Frames) {
    carrier.state.rename(player, to: name, at: Moment(arrival: frame - RoomState.liveDelay))
    carryOut()
  }

  /// Plays one line of a score; a player who is not here yet joins.
  /// - Parameter number: as first played, for equal chance; its frame is final then. Nil is a line
  ///   by hand: it takes the next number, and its player's grid moves its hits.
  /// - Throws: `Refusal` where the room is full.
  public func play(
    _ action: LogAction, by name: PlayerName, at frame: Frames, number: UInt64? = nil
  ) throws(Refusal) {
    self.frame = frame
    carrier.state.sendWaiting(at: frame - RoomState.liveDelay)
    carryOut()
    try carrier.state.replay(action, by: name, at: frame, number: number)
    carryOut()
  }

  /// Renders the next 120 frames onto the tape.
  public func render() {
    carrier.state.sendWaiting(at: end)
    carrier.state.showPending(until: end)
    carryOut()
    parts.engine.engine.pointee.render()
    carrier.hearEngine()
    carrier.letGo()
    carryOut()
  }

  /// Renders the next 120 frames, and reads their mix.
  /// - Parameter buffer: takes the mix, interleaved; as long as that.
  package func render(into buffer: UnsafeMutableBufferPointer<Float>) {
    let start = end
    render()
    let isThere = parts.tape.tape.read(buffer.baseAddress!, from: start, count: Int(Frames.perBuffer))
    precondition(isThere, "the buffer that was just rendered is on the tape")
  }

  /// Stem frames not taken yet. The first buffer's are more than 120, by the limiter's look-ahead.
  public var stemFrames: Int { parts.stems?.stems.pointee.filled ?? 0 }

  /// Hands over the stems' frames since the last call: behind each `render`.
  /// - Parameter body: takes a sounding part's number and its two channels, `stemFrames` long.
  public func takeStems(_ body: (Int, UnsafePointer<Float>, UnsafePointer<Float>) -> Void) {
    parts.stems?.stems.pointee.take(body)
  }

  /// The part of the stem with that number.
  public func stemPart(_ number: Int) -> StemPart {
    number < StemPlan.most ? stemParts[number] : StemPlan.returns[number - StemPlan.most]
  }

  /// Whether anything sounds or waits to sound.
  public var isSounding: Bool {
    carrier.state.queue.next != nil || parts.engine.status.soundingVoices > 0 || parts.engine.status.waitingHits > 0
      || parts.commands.ring.count > 0 || parts.engine.engine.pointee.isRinging
  }

  /// The sixteen pads of a player's kit; nil where nobody of that name is here.
  public func pads(of name: PlayerName) -> [KitPad?]? {
    carrier.state.roster.holder(of: name).map { carrier.state.hands[$0].kit.kit.pads }
  }

  /// The patch of keys whose player chose no instrument.
  public var firstPatch: Patch { Patch(carrier.state.setup.instruments.first) }

  public func takeTold() -> [Event] {
    defer { told = [] }
    return told
  }

  /// Lets go of events and log: over hours they add up.
  public func forgetTold() {
    told.removeAll(keepingCapacity: true)
    log.removeAll(keepingCapacity: true)
  }

  private func carryOut() { carrier.carryOut { answer($0) } }

  private func number(of entry: LogEntry, pad: Pad, _ plan: StemPlan) -> UInt16 {
    guard var part = plan.part(of: entry) else { return 0 }
    if plan.division == .pad { part.kind = pad.isKey ? .keys : .pad(pad) }
    if let number = stemNumbers[part] { return number }
    let number = UInt16(clamping: min(stemParts.count, StemPlan.most - 1))
    stemNumbers[part] = number
    if stemParts.count < StemPlan.most { stemParts.append(part) }
    return number
  }

  private func answer(_ effect: Effect) {
    switch effect {
    case .log(let entry): log.append(entry)
    case .tell(let event, _): told.append(event)
    case .loadKit(let id) where !isLive: bring(kit: id)
    case .loadOwnSound(let hash) where !isLive: bring(ownSound: hash)
    // The log keeps the intention; late or refused commands are told.
    default: answers.answer(effect, at: frame, in: carrier)
    }
  }
  // A kit or sound of a score that is not here is silent: with an earlier one it would be another
  // piece.

  private func bring(kit id: String) {
    let kit: PlayableKit
    do throws(KitError) {
      kit = try answers.kit(id)
    } catch {
      told.append(.refused(.chooseKit(.id(id)), .kitUnreadable(error.description)))
      kit = .away(id)
    }
    carrier.state.kitArrived(kit, at: frame)
  }

  private func bring(ownSound hash: String) {
    let sound: OwnSound?
    do throws(KitError) {
      sound = try answers.ownSound(hash)
    } catch {
      told.append(.refused(.listSamples(Library.ownCategory), .soundUnreadable(error.description)))
      sound = .away(.own(hash))
    }
    guard let sound else { return }
    carrier.state.ownSoundArrived(sound, at: frame)
  }
}
