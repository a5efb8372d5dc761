/// A message of a TouchOSC control: what is sent when a value of it changes, or what it takes in.
struct TouchOSCMessage {
  /// A value that the message carries.
  enum Part {
    /// A value of the control, from 0…1 to a range. A received one goes the other way.
    case value(String, LayoutRange)
    /// The text that the control shows.
    case shownText
    case fixed(LayoutMessage.Value)
  }

  enum Condition: String {
    case any = "ANY"
    /// It went up: the control was pressed.
    case rise = "RISE"
  }

  var address: String
  var parts: [Part]
  var trigger = "x"
  var condition = Condition.any
  var sends = true
  var receives = true

  func append(to xml: inout String) {
    // Without feedback a value that was received is not sent back.
    xml +=
      "<osc><enabled>1</enabled><send>\(sends ? 1 : 0)</send><receive>\(receives ? 1 : 0)</receive>"
    xml +=
      "<feedback>0</feedback><noDuplicates>0</noDuplicates><connections>1111111111</connections>"
    xml += "<triggers><trigger><var>\(TouchOSCText.quoted(trigger))</var>"
    xml += "<condition>\(condition.rawValue)</condition></trigger></triggers><path>"
    TouchOSCMessage.append("CONSTANT", "STRING", address, .share, to: &xml)
    xml += "</path><arguments>"
    for part in parts {
      switch part {
      case .value(let key, let range):
        TouchOSCMessage.append("VALUE", range.isWhole ? "INTEGER" : "FLOAT", key, range, to: &xml)
      case .shownText: TouchOSCMessage.append("VALUE", "STRING", "text", .share, to: &xml)
      case .fixed(.text(let text)):
        TouchOSCMessage.append("CONSTANT", "STRING", text, .share, to: &xml)
      case .fixed(.whole(let number)):
        TouchOSCMessage.append("CONSTANT", "INTEGER", String(number), .share, to: &xml)
      }
    }
    xml += "</arguments></osc>"
  }

  private static func append(
    _ type: String, _ conversion: String, _ value: String, _ range: LayoutRange,
    to xml: inout String
  ) {
    xml += "<partial><type>\(type)</type><conversion>\(conversion)</conversion>"
    xml +=
      "<value>\(TouchOSCText.quoted(value))</value>"
    xml += "<scaleMin>\(TouchOSCText.number(range.least))</scaleMin>"
    xml += "<scaleMax>\(TouchOSCText.number(range.largest))</scaleMax></partial>"
  }
}
