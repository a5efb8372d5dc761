public import JamCore

/// A receiver report about a stream, from a program that says nothing by `/hearing`.
public struct ReceivedReport: Hashable, Sendable {
  /// The address that the stream goes to, as `Visitor` names it.
  public var address: String
  public var report: HearingReport

  public init(address: String, report: HearingReport) {
    self.address = address
    self.report = report
  }
}
