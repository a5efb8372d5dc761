/// The state of one subscriber to the monitor.
struct Monitored {
  var pace = MonitorPace()
  /// Whether it was last told that it sees everybody's messages; nil where it was not told yet.
  var sawAll: Bool?
}
