/// Counts of messages that came by multicast DNS, and of those that were dropped.
package struct MDNSCounts: Hashable, Sendable {
  /// Messages that were read.
  package var messages: UInt64 = 0
  /// Datagrams that are no message: dropped.
  package var malformed: UInt64 = 0
  /// Messages from hosts of other networks: dropped.
  package var strangers: UInt64 = 0
  /// Answers to single askers that were left out: too many in a short time.
  package var refused: UInt64 = 0
  /// Times that another host had one of our names.
  package var conflicts: UInt64 = 0

  package init() {}

  static func + (a: MDNSCounts, b: MDNSCounts) -> MDNSCounts {
    var sum = a
    sum.messages &+= b.messages
    sum.malformed &+= b.malformed
    sum.strangers &+= b.strangers
    sum.refused &+= b.refused
    sum.conflicts &+= b.conflicts
    return sum
  }
}
