internal import JamCore
internal import JamNet
internal import JamWire
internal import Synchronization

/// Tells the sender, and the server's operator, that the sender sends too much.
extension OSCEdge {
  /// The share that a sender exceeded.
  enum Share {
    case messages, matches, time

    var refusal: Refusal {
      switch self {
      case .messages: .tooManyMessages(perSecond: Endpoint.messagesPerSecond)
      case .matches: .tooManyMatches(perSecond: Endpoint.matchesPerSecond)
      case .time: .tooMuchTime
      }
    }

    /// A stable word for the log.
    var word: String {
      switch self {
      case .messages: "messages"
      case .matches: "matches"
      case .time: "time"
      }
    }
  }

  /// Counts messages that are dropped because their sender exceeded its share. The sender is told
  /// from time to time.
  /// - Parameter count: the number of messages; 0 where they were counted before.
  func drop(_ count: Int, _ address: String, _ share: Share, of endpoint: Endpoint, at now: HostTime) {
    counters.flooded.wrappingAdd(UInt64(count), ordering: .relaxed)
    guard outbox.refuse(endpoint, SessionReply(share.refusal, address: address), at: now) else { return }
    log.write(.senderFlooded, ["address": .text(endpoint.host.hostText), "share": .text(share.word)])
  }
}
