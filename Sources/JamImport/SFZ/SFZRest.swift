internal import JamCore
internal import JamKit

/// Finds the regions of an SFZ file that sound while no pedal, wheel or key switch is touched. Kits
/// and instruments here have none of these.
/// - Source: sfzformat.com, "loccN / hiccN", "set_ccN", "sw_default" and "sw_last".
struct SFZRest {
  /// The key switch that holds at first; nil where the file has none.
  private let held: Int?
  /// The note about a choice that the file leaves open.
  let note: String?

  init(_ regions: [SFZRegion]) {
    let stated = regions.compactMap { $0.key("sw_default") }.last
    // Some files leave the first key switch to the player.
    held = stated ?? regions.lazy.compactMap { $0.key("sw_last") ?? $0.key("sw_lolast") }.first
    note =
      stated == nil && held != nil
      ? "it names no key switch that holds at first (sw_default): its first one, key \(held ?? 0), is taken" : nil
  }

  /// The reason why a region is silent at rest; nil where it sounds.
  func objection(to region: SFZRegion) -> String? { switchObjection(to: region) ?? controllerObjection(to: region) }

  private func switchObjection(to region: SFZRegion) -> String? {
    let last = region.key("sw_last")
    if let low = last ?? region.key("sw_lolast"), let high = last ?? region.key("sw_hilast") ?? Optional(low),
      let held, held < low || held > high
    {
      return "left out: it sounds after the key switch \(low == high ? "\(low)" : "\(low)–\(high)"), and \(held) holds"
    }
    if let key = region.key("sw_down") { return "left out: it sounds while the key \(key) is held" }
    if let key = region.key("sw_previous") { return "left out: it sounds after a note of the key \(key)" }
    return nil
  }

  private func controllerObjection(to region: SFZRegion) -> String? {
    for number in region.controllers.sorted() {
      let rest = region.restingValue(of: number)
      let low = region.number("locc\(number)") ?? region.number("lohdcc\(number)").map { $0 * 127 } ?? 0
      let high = region.number("hicc\(number)") ?? region.number("hihdcc\(number)").map { $0 * 127 } ?? 127
      guard rest < low || rest > high else { continue }
      return "left out: it sounds where controller \(number) is at \(legible(low))–\(legible(high)), "
        + "and at rest that is at \(legible(rest))"
    }
    return nil
  }
}

extension SFZRegion {
  /// The controllers that it depends on.
  fileprivate var controllers: Set<Int> {
    Set(
      names.compactMap { name in
        Self.conditions.lazy.compactMap { name.hasPrefix($0) ? Int(name.dropFirst($0.count)) : nil }.first
      })
  }

  private static let conditions = ["locc", "hicc", "lohdcc", "hihdcc"]

  /// 0…127.
  fileprivate func restingValue(of controller: Int) -> Double {
    // General MIDI 2 has these values at rest: volume, pan and expression.
    let usual: [Int: Double] = [7: 100, 10: 64, 11: 127]
    return number("set_cc\(controller)") ?? number("set_hdcc\(controller)").map { $0 * 127 } ?? usual[controller] ?? 0
  }

  /// Whether an opcode only states when a region sounds, or names something. Leaving it out loses
  /// nothing.
  static func isCondition(_ opcode: String) -> Bool {
    (conditions + ["set_cc", "set_hdcc"]).contains { prefix in
      opcode.hasPrefix(prefix) && Int(opcode.dropFirst(prefix.count)) != nil
    } || opcode.hasPrefix("label_") || opcode.hasPrefix("hint_")
  }
}
