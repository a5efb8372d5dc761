internal import JamCore

/// The screen for which a layout is drawn. An app fits it to the real one.
struct LayoutScreen: Hashable, Sendable {
  /// The name that a device of this kind has in the room, where it is nobody's.
  var device: String
  /// In units.
  var width: Int
  var height: Int
  /// The height of the tabs, in units. They stand at the top, and share the width.
  var tabs: Int
  /// The size of a unit on a usual device of this kind.
  var millimetresPerUnit: Double
  /// The address by which the device asks for feedback.
  var subscription: String
  /// Whether it is large enough for a page of many strips.
  var hasMixer = true

  /// A phone that is held upright: 64 mm wide.
  static let phone = LayoutScreen(
    device: "phone", width: 400, height: 800, tabs: 76, millimetresPerUnit: 0.16,
    subscription: "/subscribe/9000", hasMixer: false)
  /// A tablet of 9.7 inches that lies down: 197 mm wide.
  static let tablet = LayoutScreen(
    device: "tablet", width: 1_024, height: 768, tabs: 64, millimetresPerUnit: 0.192,
    subscription: "/subscribe/9000")
  /// Open Stage Control in a window or on a tablet. It hears on the port that it sends from.
  static let stage = LayoutScreen(
    device: "stage", width: 1_024, height: 768, tabs: 64, millimetresPerUnit: 0.192,
    subscription: "/subscribe")

  /// The part of the screen that a page has.
  var page: LayoutFrame { LayoutFrame(x: 0, y: 0, width: width, height: height - tabs) }

  /// The size of texts in units: 3 mm from line to line, and never less than 2 mm.
  var textSize: Int { Int(saturating: 3 / millimetresPerUnit) }
  var leastTextSize: Int { Int(saturating: (2 / millimetresPerUnit).rounded(.up)) }
  /// The least side of a control that a finger hits without looking, in units: 12 mm.
  var leastTouch: Int { Int(saturating: (12 / millimetresPerUnit).rounded(.up)) }
}
