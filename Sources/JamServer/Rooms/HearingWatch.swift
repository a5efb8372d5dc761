package import JamCore
import JamNet
import JamRoom
package import JamStream

/// Finds what players' lights have to be told once a second: what this server was too late for, and
/// what receiver reports say.
///
/// A machine without I/O. Thread: any, but one at a time.
package struct HearingWatch {
  private var seen: [PlayerName: Int] = [:]
  private var lastReceived: HostTime

  /// - Parameter opened: reports from before that are old.
  package init(from opened: HostTime) { lastReceived = opened }

  /// Takes the receiver reports that are newer than those of the last look.
  /// - Parameter receptions: the last report about each stream.
  /// - Returns: the new ones by room.
  package mutating func take(_ receptions: [StreamReception]) -> [String: [ReceivedReport]] {
    let new = receptions.filter { $0.received > lastReceived }
    lastReceived = new.map(\.received).max() ?? lastReceived
    return Dictionary(grouping: new, by: \.room).mapValues { $0.map(HearingWatch.report) }
  }

  /// Takes the counts of the rooms that have lights now. Others cost nothing.
  /// - Parameter counts: what the server was too late for in each room, since the room was opened.
  /// - Returns: how much of that is new; nothing for a room that had no light at the last look.
  package mutating func take(_ counts: [PlayerName: Int]) -> [PlayerName: Int] {
    defer { seen = counts }
    return counts.reduce(into: [:]) { news, count in
      news[count.key] = max(0, count.value - (seen[count.key] ?? count.value))
    }
  }

  /// A program makes up what it lost.
  private static func report(_ stream: StreamReception) -> ReceivedReport {
    let reception = stream.reception
    // Of a far host with IPv6, a visitor's address is the network.
    return ReceivedReport(
      addresses: [stream.host.hostText, stream.host.site.hostText + "/64"],
      report: HearingReport(
        madeUp: reception.lossFraction, loss: reception.lossFraction,
        roundTrip: reception.roundTripMilliseconds ?? 0, jitter: reception.jitterMilliseconds))
  }
}
