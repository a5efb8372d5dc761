/// The settings of the room's effects. Their order is the order in which a room tells them.
///
/// A new setting needs a case, a row, a property in `RoomEffectSettings`, and a line in
/// `RoomEffectSettings.setNumber`.
public enum RoomEffectSetting: UInt8, CaseIterable, Hashable, BitwiseCopyable, Sendable {
  case delayBeats, delayFeedback, delayTone, delayLowCut, delayPingPong, delayLevel
  case reverbSize, reverbDecay, reverbDamping, reverbPreDelay, reverbLowCut, reverbLevel
  case glueAmount, mixToDelay, mixToReverb, lowPass, highPass, resonance, crushAmount
  case throwMacro, washMacro, cutMacro, crushMacro

  public typealias Row = ValueRow<RoomEffectSettings>

  /// Whether the control springs back when the thumb is lifted.
  public var isMacro: Bool {
    switch self {
    case .throwMacro, .washMacro, .cutMacro, .crushMacro: true
    default: false
    }
  }

  public var row: Row { RoomEffectSetting.rows[Int(rawValue)] }

  private static let rows: [Row] = allCases.map { setting in
    switch setting {
    case .delayBeats:
      Row(
        "room/fx/delay/beats", "beats", .float(0.0625...8), .float(\.delayBeats),
        "From one echo to the next, in quarter notes; what would be longer than 5 s is halved.")
    case .delayFeedback:
      Row(
        "room/fx/delay/feedback", "feedback", .float(0...0.95), .float(\.delayFeedback),
        "What is left from one echo to the next.")
    case .delayTone:
      Row(
        "room/fx/delay/tone", "frequency", .hertz(500...18_000), .float(\.delayTone),
        "Each echo loses what lies above it.")
    case .delayLowCut:
      Row(
        "room/fx/delay/lowcut", "frequency", .hertz(20...2_000), .float(\.delayLowCut),
        "Each echo loses what lies below it.")
    case .delayPingPong:
      Row("room/fx/delay/pingpong", "on", .bool, .bool(\.delayPingPong), "Echoes come from left and right in turn.")
    case .delayLevel: Row("room/fx/delay/level", "level", .decibels, .float(\.delayLevel), "How loud the delay is.")
    case .reverbSize:
      Row("room/fx/reverb/size", "size", .float(0...1), .float(\.reverbSize), "From a chamber to a cathedral.")
    case .reverbDecay:
      Row(
        "room/fx/reverb/decay", "decay", .float(0.2...12, unit: "s"), .float(\.reverbDecay),
        "How long it takes to fall by 60 dB.")
    case .reverbDamping:
      Row(
        "room/fx/reverb/damping", "damping", .float(0...1), .float(\.reverbDamping),
        "How much sooner the treble is gone.")
    case .reverbPreDelay:
      Row(
        "room/fx/reverb/predelay", "delay", .float(0...250, unit: "ms"), .float(\.reverbPreDelay),
        "How much later the reverb begins.")
    case .reverbLowCut:
      Row(
        "room/fx/reverb/lowcut", "frequency", .hertz(20...1_000), .float(\.reverbLowCut),
        "The reverb gets nothing from below.")
    case .reverbLevel: Row("room/fx/reverb/level", "level", .decibels, .float(\.reverbLevel), "How loud the reverb is.")
    case .glueAmount:
      Row(
        "room/fx/glue/amount", "amount", .float(0...1), .float(\.glueAmount),
        "A slow compressor that holds the mix together; 0 is off.")
    case .mixToDelay:
      Row(
        "room/fx/delay/send", "amount", .float(0...1), .float(\.mixToDelay), "How much of the whole mix the delay gets."
      )
    case .mixToReverb:
      Row(
        "room/fx/reverb/send", "amount", .float(0...1), .float(\.mixToReverb),
        "How much of the whole mix the reverb gets.")
    case .lowPass:
      Row(
        "room/fx/filter/lowpass", "frequency", .hertz(100...20_000), .float(\.lowPass),
        "Takes away what lies above; 20,000 is off.")
    case .highPass:
      Row(
        "room/fx/filter/highpass", "frequency", .hertz(20...10_000), .float(\.highPass),
        "Takes away what lies below; 20 is off.")
    case .resonance:
      Row(
        "room/fx/filter/resonance", "resonance", .float(0...1), .float(\.resonance),
        "How both filters ring at the edge.")
    case .crushAmount:
      Row(
        "room/fx/crush/amount", "amount", .float(0...1), .float(\.crushAmount), "Fewer bits, fewer frames; 0 is off.")
    case .throwMacro:
      Row("room/macro/throw", "throw", .float(0...1), .float(\.throwMacro), "Throws the mix into the delay.")
    case .washMacro:
      Row("room/macro/wash", "wash", .float(0...1), .float(\.washMacro), "Washes the mix away in the reverb.")
    case .cutMacro: Row("room/macro/cut", "cut", .float(0...1), .float(\.cutMacro), "Takes the mix away from below.")
    case .crushMacro: Row("room/macro/crush", "crush", .float(0...1), .float(\.crushMacro), "Crushes the mix.")
    }
  }
}

extension SettingKind {
  fileprivate static func hertz(_ range: ClosedRange<Double>) -> SettingKind { .float(range, unit: "Hz") }
}

extension RoomEffectSettings {
  /// Any setting by its name. A value of another type changes nothing; a value out of range sets
  /// the nearest one.
  public subscript(setting: RoomEffectSetting) -> SettingValue {
    get { setting.row.value(in: self) }
    set { setting.row.set(newValue, in: &self) }
  }

  /// Any setting as a number, in the form of an engine's command.
  public func number(_ setting: RoomEffectSetting) -> Float { setting.row.number(in: self) }
}
