/// Gives a source's groups new numbers, because a kit has only eight.
struct ChokeGroups {
  private var numbers: [Int: UInt8] = [:]

  /// 1–8 in the order of the first calls; nil for a ninth group.
  mutating func number(_ group: Int) -> UInt8? {
    if let number = numbers[group] { return number }
    guard numbers.count < 8 else { return nil }
    numbers[group] = UInt8(numbers.count + 1)
    return numbers[group]
  }
}
