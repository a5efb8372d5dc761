/// Decides how well one player hears the room, and what is wrong: a machine without a clock.
///
/// The light gets worse at once and better slowly, so that it does not flicker, and so that a
/// player can read it. It is never green while sound is made up, nor while nothing tells of the
/// sound.
///
/// Thread: any, but one at a time. Not real-time.
public struct Lateness: Hashable, Sendable {
  public private(set) var light = PlayerLight.off
  private var report: HearingReport?
  private var reported = Frames.zero
  /// After so long without a report, the light says so.
  private var patience = Lateness.patience
  /// Hits since the last look that came after their timetag, and those of the look before.
  private var newLateHits: Float = 0
  private var lateHits: Float = 0
  /// How often the server was too late in the last second.
  private var serverEvents: Float = 0
  /// The delay that the player's recent hits tell by `/heard`.
  private var heard = HeardDelay()
  /// Since when the light could be better.
  private var calmSince: Frames?
  /// When the lamp or the cause changed last; nil before the first time.
  private var changed: Frames?

  /// Clients report each two seconds; two may be lost.
  public static let patience = Frames.seconds(7)
  /// Receiver reports come each five seconds, or less often where many listen.
  public static let patienceForReceiverReports = Frames.seconds(20)
  /// The light stays worse for so long after the cause is gone.
  static let hold = Frames.seconds(5)
  /// A light that went out goes on again after so long: a client that says both all the time does
  /// not flood hosts.
  static let dark = Frames.seconds(1)
  /// To get better, a value has to be below this part of its threshold.
  static let ease: Float = 0.8

  public init() {}

  /// Takes what the player's client tells of the sound.
  /// - Parameters:
  ///   - now: on the room's frame clock, as of every function here.
  ///   - patience: the time in which the next report is expected.
  /// - Returns: whether the light has changed.
  public mutating func take(
    _ report: HearingReport, at now: Frames, patience: Frames = Lateness.patience
  ) -> Bool {
    self.report = report
    self.patience = patience
    reported = now
    return judge(at: now)
  }

  /// Takes what this server was too late for in the last second. Call it once a second.
  /// - Returns: whether the light has changed.
  public mutating func look(serverEvents: Int, at now: Frames) -> Bool {
    self.serverEvents = Float(max(0, serverEvents))
    (lateHits, newLateHits) = (newLateHits, 0)
    heard.forget(at: now)
    return judge(at: now)
  }

  /// A hit of the player came after the moment of its timetag.
  public mutating func noteLateHit() { newLateHits += 1 }

  /// A hit of the player says how late it hears the room. The next look judges that.
  /// - Parameters:
  ///   - delay: from the frame that the player was hearing to the hit's arrival.
  ///   - now: the arrival.
  /// - Returns: whether the looks have to begin: until now nothing was known of the player.
  public mutating func noteHeard(_ delay: Frames, at now: Frames) -> Bool {
    let isNew = !heard.isKnown && report == nil && light == .off
    heard.take(delay, at: now)
    return isNew
  }

  /// The player does not hear the room here.
  /// - Returns: whether the light has changed.
  public mutating func stop(at now: Frames) -> Bool {
    guard light != .off else {
      (report, heard) = (nil, HeardDelay())
      return false
    }
    self = Lateness()
    changed = now
    return true
  }

  /// Whether a look may put the light on: a report came so soon after the light went out that its
  /// light is still to be told, or hits say how late the player hears.
  public var isHeld: Bool { (report != nil || heard.isKnown) && light == .off }

  /// Whether the client itself has reported lately: its own words count more than receiver reports.
  public func isReporting(at now: Frames) -> Bool {
    report != nil && patience == Lateness.patience && now - reported <= patience
  }

  // MARK: The verdict

  /// How much one cause contributes.
  private struct Finding {
    var cause: PlayerLight.Cause
    var remedy: PlayerLight.Remedy
    /// As `LateMeasure.severity`.
    var severity: Float

    init(_ measure: LateMeasure, _ value: Float) {
      cause = measure.cause
      remedy = measure.remedy
      severity = measure.severity(value)
    }

    /// The client is silent.
    static let silence = Finding(LateMeasure(cause: .silence, remedy: .look, amber: 1, red: 2), 1)

    var lamp: PlayerLight.Lamp { severity >= 2 ? .red : severity >= 1 ? .amber : .green }
  }

  /// The causes that are known; none where the hits that told them are long ago.
  private func findings() -> [Finding] {
    guard let report else {
      return heard.isKnown ? [Finding(.heard, heard.milliseconds)] : []
    }
    var found = findings(report)
    // A client's own words say more. A receiver report does not know the buffer and the output.
    if heard.isKnown, patience == Lateness.patienceForReceiverReports {
      found.append(Finding(.heard, heard.milliseconds - report.roundTrip))
    }
    return found
  }

  private func findings(_ report: HearingReport) -> [Finding] {
    let way = [Finding(.loss, report.loss), Finding(.jitter, report.jitter)]
    let (roundTrip, hits) = (Finding(.roundTrip, report.roundTrip), Finding(.lateHits, lateHits))
    var buffer = Finding(.buffer, report.buffer)
    let isOverTCP = report.buffer >= LateMeasure.streamOverTCP
    if isOverTCP { buffer.remedy = .udp }
    let busy = Finding(.busy, report.busy)
    var found = way + [roundTrip, hits, buffer, busy]
    let server = Finding(.server, serverEvents)
    var madeUp = Finding(.madeUp, report.madeUp)
    if report.madeUp > 0 {
      // Sound is made up because of what is worst on its way here. A long way and a long buffer
      // only delay sound, except over TCP, which waits for what was lost. The output lies behind.
      let possible = way + [hits] + (isOverTCP ? [buffer] : []) + [busy]
      let worst = possible.max { $0.severity < $1.severity }
      if let worst, worst.severity >= Lateness.explains {
        (madeUp.cause, madeUp.remedy) = (worst.cause, worst.remedy)
      } else if report.loss >= report.madeUp || report.madeUp >= 1 {
        // All that was made up was lost; or nothing comes at all, and so nothing counts as lost.
        (madeUp.cause, madeUp.remedy) = (.network, .cable)
      }
      found.append(madeUp)
    }
    if server.severity >= 1 {
      // A server that comes too late makes all that, and no cable of a player helps.
      let severity = found.reduce(server.severity) { max($0, $1.severity) }
      found = [server]
      found[0].severity = severity
    }
    return found + [Finding(.output, report.output)]
  }

  /// A quarter of what makes the light amber is enough to explain why sound was made up.
  private static let explains: Float = 0.25

  private mutating func judge(at now: Frames) -> Bool {
    guard report != nil || heard.isKnown || light != .off else { return false }
    if light == .off, let changed, now - changed < Lateness.dark { return false }
    guard report == nil || now - reported <= patience else { return fallSilent(at: now) }
    let found = findings()
    // Of equal ones the first: the way is looked at from the server to the ear.
    guard var worst = found.first else {
      calmSince = nil
      changed = now
      return set(.off)
    }
    for finding in found where finding.severity > worst.severity { worst = finding }
    // Hits alone do not tell whether sound was made up, so no light is green by them.
    let best: PlayerLight.Lamp = report == nil ? .off : .green
    let lamp = worst.lamp == .green ? best : worst.lamp
    if lamp.rawValue > light.lamp.rawValue {
      calmSince = nil
      changed = now
      return set(lamp, worst)
    }
    guard lamp != best || light.lamp != best else { return false }
    if lamp == light.lamp {
      calmSince = nil
      return changeCause(to: worst, of: found, at: now)
    }
    let bound: Float = light.lamp == .red ? 2 : 1
    guard worst.severity < bound * Lateness.ease else {
      calmSince = nil
      return false
    }
    let since = calmSince ?? now
    calmSince = since
    guard now - since >= Lateness.hold else { return false }
    calmSince = nil
    changed = now
    return set(lamp, worst)
  }

  /// The last report is too old to say anything, so a red light does not stay either.
  private mutating func fallSilent(at now: Frames) -> Bool {
    calmSince = nil
    guard light.cause != .silence else { return false }
    changed = now
    return set(.amber, .silence)
  }

  /// Another cause has to be worse by a quarter, or the old one has to be over, and not within a
  /// moment of the last change.
  private mutating func changeCause(
    to worst: Finding, of found: [Finding], at now: Frames
  ) -> Bool {
    guard worst.cause != light.cause, now - (changed ?? .zero) >= Lateness.hold else {
      return false
    }
    let old = found.filter { $0.cause == light.cause }.reduce(Float(0)) { max($0, $1.severity) }
    guard old < 1 || worst.severity > old * 1.25 else { return false }
    changed = now
    return set(worst.lamp, worst)
  }

  private mutating func set(_ lamp: PlayerLight.Lamp, _ finding: Finding) -> Bool {
    switch lamp {
    case .off: set(.off)
    case .green: set(.green)
    case .amber, .red: set(PlayerLight(lamp, finding.cause, finding.remedy))
    }
  }

  private mutating func set(_ light: PlayerLight) -> Bool {
    guard light != self.light else { return false }
    self.light = light
    return true
  }
}
