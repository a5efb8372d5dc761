internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// Tells the log of refused messages, for an operator who asks why a controller does
/// nothing.
///
/// One sender's same message, refused for the same reason, is one line in ten seconds, with the
/// number of those since the line before. The number of kinds that are remembered is limited. No
/// argument is logged, for one may be a secret.
/// Thread: the room thread.
struct RefusalLog {
  private struct Kind: Hashable {
    var host: SocketAddress
    /// The address of the message.
    var message: String
    var code: String
  }

  private struct Count {
    /// Until then nothing more of this kind is told.
    var quietUntil: HostTime
    var omitted = 0
  }

  private let log: any ServerLog
  /// False where the log does not take such events: then nothing is counted either.
  let isOn: Bool
  private var counts: [Kind: Count] = [:]

  static let quietMilliseconds = 10_000.0
  static let mostKinds = 256
  /// The code of refusals that the sender was not answered, because it had too many.
  static let unanswered = "unanswered"

  init(_ log: any ServerLog) {
    self.log = log
    isOn = log.takes(.messageRefused)
  }

  /// - Parameter message: the address of the message.
  mutating func note(
    _ message: String, _ code: String, from host: SocketAddress, at now: HostTime
  ) {
    guard isOn else { return }
    var kind = Kind(host: host, message: RefusalLog.shown(message), code: code)
    if counts[kind] == nil, counts.count >= RefusalLog.mostKinds {
      // The rest of such a sender shares one place, and beyond that one place is for all.
      kind = Kind(host: host, message: "", code: RefusalLog.unanswered)
      if counts[kind] == nil, counts.count >= RefusalLog.mostKinds * 2 { kind.host = .none }
    }
    if let known = counts[kind], now < known.quietUntil {
      counts[kind]?.omitted = known.omitted + 1
    } else {
      tell(kind, (counts[kind]?.omitted ?? 0) + 1, at: now)
    }
  }

  /// A refusal whose sender had too many to be answered.
  mutating func noteUnanswered(from host: SocketAddress, at now: HostTime) {
    note("", RefusalLog.unanswered, from: host, at: now)
  }

  /// Tells what was left out, and forgets what is over. Call it about once a second.
  mutating func look(at now: HostTime) {
    guard !counts.isEmpty else { return }
    for (kind, count) in counts where now >= count.quietUntil {
      if count.omitted > 0 { tell(kind, count.omitted, at: now) } else { counts[kind] = nil }
    }
  }

  private mutating func tell(_ kind: Kind, _ count: Int, at now: HostTime) {
    counts[kind] = Count(quietUntil: now.advanced(byMilliseconds: RefusalLog.quietMilliseconds))
    log.write(
      .messageRefused,
      [
        "address": .text(kind.host.isNone ? "" : kind.host.hostText),
        "message": .text(kind.message),
        "code": .text(kind.code), "count": LogValue(count),
      ])
  }

  /// The address as the log has it: not too long, and without words and tokens.
  static func shown(_ address: String) -> String { MessageVeil.address(address) }
}
