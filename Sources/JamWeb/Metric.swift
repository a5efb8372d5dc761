/// One figure with its readings, as Prometheus collects it.
///
/// - Source: Prometheus exposition format 0.0.4.
public struct Metric: Hashable, Sendable {
  public enum Kind: String, Sendable {
    /// Only ever grows, until the server starts again.
    case counter
    case gauge
  }

  /// One value, told apart from the metric's others by its labels.
  public struct Reading: Hashable, Sendable {
    /// In the order in which they are written; names of lower-case letters and underscores, values as they are.
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

  /// Lower-case letters, digits and underscores, the unit last: `bandshell_encode_seconds_total`.
  public var name: String
  public var help: String
  public var kind: Kind
  public var readings: [Reading]

  /// - Parameter name: without `bandshell_`, which is put in front.
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
