/// A receiver report about a stream, from a program that says nothing by `/hearing`.
public struct ReceivedReport: Hashable, Sendable {
  /// The address that the stream goes to, as `Visitor` may name it.
  public var addresses: [String]
  public var report: HearingReport

  public init(addresses: [String], report: HearingReport) {
    self.addresses = addresses
    self.report = report
  }
}
