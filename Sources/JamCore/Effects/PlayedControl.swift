/// A control of the whole room that is played by hand. It returns to rest after the player who
/// moved it last has left.
public enum PlayedControl: UInt8, CaseIterable, Hashable, Sendable {
  case pitch, modulation, throwMacro, washMacro, cutMacro, crushMacro

  public var setting: Setting {
    switch self {
    case .pitch: .pitch
    case .modulation: .modulation
    case .throwMacro: .roomEffect(.throwMacro)
    case .washMacro: .roomEffect(.washMacro)
    case .cutMacro: .roomEffect(.cutMacro)
    case .crushMacro: .roomEffect(.crushMacro)
    }
  }

  /// - Returns: nil where the setting is none of these controls.
  public init?(of setting: Setting) {
    let control = PlayedControl.allCases.first { $0.setting == setting }
    guard let control else { return nil }
    self = control
  }

  /// - Returns: nil where no control has that name in a kept room.
  public init?(word: String) {
    let control = PlayedControl.allCases.first { $0.word == word }
    guard let control else { return nil }
    self = control
  }

  /// The control's name in a kept room.
  public var word: String {
    switch self {
    case .pitch: "pitch"
    case .modulation: "modulation"
    case .throwMacro: "throw"
    case .washMacro: "wash"
    case .cutMacro: "cut"
    case .crushMacro: "crush"
    }
  }

  /// Whether it springs back at once when the hand that holds it is lost.
  public var isMacro: Bool {
    switch self {
    case .pitch, .modulation: false
    case .throwMacro, .washMacro, .cutMacro, .crushMacro: true
    }
  }
}
