/// A file that the server makes for a controller app: the controls of a room, with its names.
///
/// Thread: any; immutable.
public enum LayoutForm: String, CaseIterable, Hashable, Sendable {
  case touchOSCPhone = "touchosc-phone.tosc"
  case touchOSCTablet = "touchosc-tablet.tosc"
  case openStageControl = "open-stage-control.json"

  /// The name of the file, which has no characters that need an escape.
  public var fileName: String { rawValue }

  /// The app and the device, for people.
  public var title: String {
    switch self {
    case .touchOSCPhone: "TouchOSC, phone"
    case .touchOSCTablet: "TouchOSC, tablet"
    case .openStageControl: "Open Stage Control"
    }
  }

  /// Whether the file is the text packed by zlib. TouchOSC reads nothing else.
  public var isPacked: Bool { self != .openStageControl }

  /// The text of the file: XML for TouchOSC, JSON for Open Stage Control. The same room always
  /// gives the same text.
  public func text(of room: LayoutRoom) -> String {
    let layout = layout(of: room)
    return isPacked ? TouchOSCText.text(of: layout) : OpenStageControlText.text(of: layout)
  }

  func layout(of room: LayoutRoom) -> Layout {
    let desk = LayoutDesk(room, screen)
    return Layout(
      screen: screen, pages: self == .touchOSCPhone ? desk.phonePages : desk.tabletPages
    ).askingForShares
  }

  private var screen: LayoutScreen {
    switch self {
    case .touchOSCPhone: .phone
    case .touchOSCTablet: .tablet
    case .openStageControl: .stage
    }
  }
}
