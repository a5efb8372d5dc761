/// Everything that one operation needs, set up so that the operation can be done as often as wished.
///
/// Thread: a room thread's.
protocol Stage: AnyObject {
  /// Clears away what the last run left behind. It is not counted.
  func prepare()
  /// Does the operation some times.
  func run()
  /// How often the last run did it.
  var operations: Int { get }
}
