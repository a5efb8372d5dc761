/// How much each may save for good: so much at once, and then one more every while, so that nobody alone fills
/// what is everybody's.
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

  /// How many are remembered.
  var savers: Int { spent.count }

  func allows(_ saver: String, at now: Double) -> Bool { left(of: spent[saver], at: now) + 1 <= Double(atOnce) }

  /// - Returns: false where they have saved their share.
  public mutating func take(by saver: String, at now: Double) -> Bool {
    guard allows(saver, at: now) else { return false }
    let count = left(of: spent[saver], at: now)
    if spent[saver] == nil { makeRoom(at: now) }
    spent[saver] = Spent(count: count + 1, at: now)
    return true
  }

  /// What counts of what was saved.
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

/// What everybody may save.
public enum SavingKind: Sendable {
  case sound, kit
}
