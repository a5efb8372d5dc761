/// One figure with its readings, as Prometheus collects it.
///
/// - Source: Prometheus exposition format 0.0.4.
public struct Metric: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Only grows, until the server starts again.
    case counter
    case gauge
  }

  /// One value of a metric. Its labels distinguish it from the metric's other values.
  public struct Reading: Hashable, Sendable {
    /// The labels in the order in which they are written. Names have lower-case letters and
    /// underscores; values are any text.
    public var labels: [Label]
    public var value: Double
  }

  public struct Label: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Lower-case letters, digits and underscores, with the unit last:
  /// `bandshell_encode_seconds_total`.
  public var name: String
  public var help: String
  public var kind: Kind
  public var readings: [Reading]

  /// - Parameter name: the name without the `bandshell_` that is put in front.
  public init(_ kind: Kind, _ name: String, help: String) {
    self.kind = kind
    self.name = "bandshell_" + name
    self.help = help
    readings = []
  }

  /// A metric with a single value and no labels.
  public init(_ kind: Kind, _ name: String, help: String, value: Double) {
    self.init(kind, name, help: help)
    add(value)
  }

  public mutating func add(_ value: Double, _ labels: Label...) {
    readings.append(Reading(labels: labels, value: value))
  }
}
