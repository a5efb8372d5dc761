internal import JamCore
internal import JamWire

/// Writes `effect-facts.js`: all effects in the order in which the server tells them, each with its
/// initial value and its unit. The page needs them for the faders of its Effects, and for resetting
/// an effect.
enum PageEffects {
  static let script: String = {
    let own = EffectSettings()
    let ofRoom = RoomEffectSettings()
    let lines =
      EffectSetting.allCases.map { line($0.row.path, own[$0], $0.row.kind) } + [line("duck/player", .text(""), .text)]
      + RoomEffectSetting.allCases.map { line($0.row.path, ofRoom[$0], $0.row.kind) }
    return """
      // Written by the server from its effects.

      const FACTS = {
      \(lines.joined())};

      /// The addresses of the effects that begin so.
      export const effects = (begin) => Object.keys(FACTS).filter((address) => address.startsWith(begin));

      /// What it is until somebody sets it.
      export const initial = (address) => FACTS[address][0];

      /// What it is counted in; empty where it is a part, a number or a word.
      export const unit = (address) => FACTS[address][1];

      """
  }()

  private static func line(_ path: String, _ initial: SettingValue, _ kind: SettingKind) -> String {
    let value =
      switch initial {
      case .float(let number): "\(number)"
      case .integer(let number): "\(number)"
      // OSC also tells switches as 1 and 0.
      case .bool(let isOn): isOn ? "1" : "0"
      case .text(let word): "\"\(word)\""
      default: preconditionFailure("no effect has such a value")
      }
    let unit = if case .float(_, let unit) = kind { unit } else { "" }
    return "  \"/\(path)\": [\(value), \"\(unit)\"],\n"
  }
}
