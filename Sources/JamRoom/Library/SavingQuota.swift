/// A limit of lasting saves for each: so many at once, then one every while. Nobody alone can fill
/// the space of all.
///
/// Time is passed in, in seconds from any moment on.
/// Thread: one at a time.
public struct SavingQuota: Equatable, Sendable {
  private struct Spent: Equatable {
    var count: Double
    var at: Double
  }

  let atOnce: Int
  /// Until one more may be saved.
  let seconds: Double
  private var spent: [String: Spent] = [:]

  public init(atOnce: Int, seconds: Double) {
    self.atOnce = atOnce
    self.seconds = seconds
  }

  /// The number of remembered savers.
  var savers: Int { spent.count }

  func allows(_ saver: String, _ count: Double = 1, at now: Double) -> Bool {
    left(of: spent[saver], at: now) + count <= Double(atOnce)
  }

  /// The seconds until the saver may save so many more: 0 at once. Nil where they are more than
  /// anybody may save at once.
  func wait(of saver: String, for count: Double, at now: Double) -> Double? {
    guard count <= Double(atOnce) else { return nil }
    return max(0, left(of: spent[saver], at: now) + count - Double(atOnce)) * seconds
  }

  /// - Parameter count: all of them, or none.
  /// - Returns: false where they have saved their share.
  public mutating func take(_ count: Double = 1, by saver: String, at now: Double) -> Bool {
    guard allows(saver, count, at: now) else { return false }
    spend(count, by: saver, at: now)
    return true
  }

  /// Notes what was used, even where that is more than the saver's share.
  mutating func spend(_ count: Double, by saver: String, at now: Double) {
    let before = left(of: spent[saver], at: now)
    if spent[saver] == nil { makeRoom(at: now) }
    spent[saver] = Spent(count: before + count, at: now)
  }

  /// The count of saves that is not forgotten yet.
  private func left(of spent: Spent?, at now: Double) -> Double {
    guard let spent else { return 0 }
    return max(0, spent.count - max(0, now - spent.at) / seconds)
  }

  private mutating func makeRoom(at now: Double) {
    guard spent.count >= SavingQuota.mostSavers else { return }
    spent = spent.filter { left(of: $0.value, at: now) > 0 }
    guard spent.count >= SavingQuota.mostSavers, let least = spent.min(by: { $0.value.count < $1.value.count }) else {
      return
    }
    spent[least.key] = nil
  }

  private static let mostSavers = 4_096
}

/// The kinds of things to save.
public enum SavingKind: Sendable {
  case sound, kit
  /// A second of sound that is decoded, of a file that somebody brings.
  case decodedSecond
}
