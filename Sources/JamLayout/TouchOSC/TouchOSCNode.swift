/// An element of a TouchOSC layout, with the properties that the editor writes for a new one.
///
/// TouchOSC's editor writes its files so: keys and texts are in CDATA sections, properties are in
/// the order of their keys, numbers have no needless zeros.
struct TouchOSCNode {
  enum Kind: String {
    case group = "GROUP"
    case pager = "PAGER"
    case button = "BUTTON"
    case fader = "FADER"
    case text = "TEXT"
  }

  enum Property {
    case truth(Bool)
    case whole(Int)
    case number(Double)
    case text(String)
    case colour(LayoutColour, alpha: Double)
    case frame(LayoutFrame)
  }

  let kind: Kind
  var properties: [String: Property]
  /// The values at the start, by their keys.
  var values: [(key: String, start: String)]
  /// How strongly `x` goes back to its start when it is let go of, in per cent.
  var pull = 0
  var messages: [TouchOSCMessage] = []
  var children: [TouchOSCNode] = []

  init(
    _ kind: Kind, _ name: String, _ frame: LayoutFrame, _ colour: LayoutColour = .ground,
    alpha: Double = 1
  ) {
    self.kind = kind
    properties = TouchOSCNode.common.merging(TouchOSCNode.own(kind)) { $1 }
    properties["name"] = .text(name)
    properties["frame"] = .frame(frame)
    properties["color"] = .colour(colour, alpha: alpha)
    values =
      switch kind {
      case .group: [("touch", "false")]
      case .pager: [("page", "0"), ("touch", "false")]
      case .button, .fader: [("x", "0"), ("touch", "false")]
      case .text: [("text", ""), ("touch", "false")]
      }
  }

  private static let common: [String: Property] = [
    "background": .truth(true), "cornerRadius": .number(2), "grabFocus": .truth(true),
    "interactive": .truth(true),
    "locked": .truth(false), "orientation": .whole(0), "outline": .truth(true),
    "outlineStyle": .whole(0),
    "pointerPriority": .whole(0), "shape": .whole(1), "visible": .truth(true),
  ]

  private static func own(_ kind: Kind) -> [String: Property] {
    switch kind {
    case .group:
      ["grabFocus": .truth(false), "interactive": .truth(false), "cornerRadius": .number(0)]
    case .pager:
      [
        "grabFocus": .truth(false), "cornerRadius": .number(0), "tabLabels": .truth(true),
        "tabbar": .truth(true),
        "tabbarDoubleTap": .truth(false), "tabbarSize": .whole(40), "textSizeOff": .whole(14),
        "textSizeOn": .whole(14),
      ]
    case .button:
      [
        "buttonType": .whole(0), "press": .truth(true), "release": .truth(true),
        "valuePosition": .truth(false),
      ]
    case .fader:
      [
        "response": .whole(0), "responseFactor": .whole(100), "grid": .truth(false),
        "gridColor": .colour(LayoutColour(0, 0, 0), alpha: 0.25), "gridSteps": .whole(13),
        "cursor": .truth(true),
        "cursorDisplay": .whole(0), "bar": .truth(true), "barDisplay": .whole(0),
      ]
    case .text:
      [
        "interactive": .truth(false), "grabFocus": .truth(false), "outline": .truth(false),
        "font": .whole(0),
        "textAlignH": .whole(2), "textAlignV": .whole(2), "textColor": .colour(.white, alpha: 1),
        "textSize": .whole(14), "textClip": .truth(true),
        "textWrap": .truth(true),
      ]
    }
  }

  // MARK: XML

  /// Appends the element.
  /// - Parameter number: counts the elements, and so makes their ids.
  func append(to xml: inout String, number: inout Int, isRoot: Bool = false) {
    xml += "<node ID='\(TouchOSCNode.id(number))' type='\(kind.rawValue)'>"
    number += 1
    if isRoot { xml += "<includes></includes>" }
    xml += "<properties>"
    for (key, property) in properties.sorted(by: { $0.key < $1.key }) {
      TouchOSCNode.append(key, property, to: &xml)
    }
    xml += "</properties><values>"
    for value in values {
      xml += "<value><key>\(TouchOSCText.quoted(value.key))</key><locked>0</locked>"
      xml +=
        "<lockedDefaultCurrent>0</lockedDefaultCurrent>"
      xml += "<default>\(TouchOSCText.quoted(value.start))</default>"
      xml += "<defaultPull>\(value.key == "x" ? pull : 0)</defaultPull></value>"
    }
    xml += "</values>"
    if !messages.isEmpty {
      xml += "<messages>"
      for message in messages { message.append(to: &xml) }
      xml += "</messages>"
    }
    if !children.isEmpty {
      xml += "<children>"
      for child in children { child.append(to: &xml, number: &number) }
      xml += "</children>"
    }
    xml += "</node>"
  }

  private static func append(_ key: String, _ property: Property, to xml: inout String) {
    let (type, value): (String, String) =
      switch property {
      case .truth(let isOn): ("b", isOn ? "1" : "0")
      case .whole(let number): ("i", String(number))
      case .number(let number): ("f", TouchOSCText.number(number))
      case .text(let text): ("s", TouchOSCText.quoted(text))
      case .colour(let colour, let alpha):
        (
          "c",
          zip("rgb", [colour.red, colour.green, colour.blue]).map { "<\($0)>\(share($1))</\($0)>" }
            .joined()
            + "<a>\(TouchOSCText.number(alpha))</a>"
        )
      case .frame(let frame):
        ("r", "<x>\(frame.x)</x><y>\(frame.y)</y><w>\(frame.width)</w><h>\(frame.height)</h>")
      }
    xml +=
      "<property type='\(type)'><key>\(TouchOSCText.quoted(key))</key>"
    xml += "<value>\(value)</value></property>"
  }

  /// A part of a colour, 0…1, in thousandths.
  private static func share(_ part: Int) -> String {
    TouchOSCText.number(Double(part * 1_000 / 255) / 1_000)
  }

  /// The ids of the elements: UUIDs of version 8, which are free to choose, and here count.
  /// - Source: RFC 9562 §5.8.
  private static func id(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
