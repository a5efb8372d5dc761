@frozen
public struct PatchSettings: Hashable, BitwiseCopyable, Sendable {
  public var gain: Float = 0
  public var bendRange: Float = 2
  public init() {}
}
public enum PatchSetting: Int, CaseIterable, Hashable, Sendable {
  case gain
  public struct Row: Sendable {
    public let path: String
    public let argument: String
    public let kind: SettingKind
    public let summary: String
  }
  public var row: Row { Row(path: "gain", argument: "gain", kind: .float(-60...12, unit: "dB"), summary: "The patch's level.") }
}
extension PatchSettings {
  public subscript(setting: PatchSetting) -> SettingValue {
    get { .float(gain) }
    set { if case .float(let g)? = setting.row.kind.nearest(newValue) { gain = g } }
  }
}
