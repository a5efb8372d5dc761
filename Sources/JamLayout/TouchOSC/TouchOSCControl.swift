internal import JamCore

/// The elements of one control in TouchOSC, the lowest first.
///
/// A light is an element of its own above its button, and takes no touches. So a light that goes
/// out while a finger is on the button does not change the button, which still sends its release.
struct TouchOSCControl {
  let control: LayoutControl
  let screen: LayoutScreen

  var nodes: [TouchOSCNode] {
    switch control.kind {
    case .button: [button([sending]), light, caption].compactMap(\.self)
    case .order(let messages): [button(messages.map(ordering)), caption].compactMap(\.self)
    case .switch: [toggle, caption].compactMap(\.self)
    case .fader(let range, let isLying): [fader(range, isLying), caption].compactMap(\.self)
    case .key: [key, caption].compactMap(\.self)
    case .reading(let start): reading(start)
    case .meter(let range): [meter(range)]
    case .title: [caption, light].compactMap(\.self)
    }
  }

  private var name: String { control.address }
  private var frame: LayoutFrame { control.frame }

  // MARK: Messages

  private var sending: TouchOSCMessage {
    TouchOSCMessage(address: control.address, parts: [.value("x", .share)], receives: false)
  }

  private func ordering(_ message: LayoutMessage) -> TouchOSCMessage {
    TouchOSCMessage(
      address: message.address, parts: message.values.map { .fixed($0) }, condition: .rise,
      receives: false)
  }

  private func showing(_ address: String, _ part: TouchOSCMessage.Part, _ trigger: String)
    -> TouchOSCMessage
  {
    TouchOSCMessage(address: address, parts: [part], trigger: trigger, sends: false)
  }

  // MARK: Elements

  private func button(_ messages: [TouchOSCMessage]) -> TouchOSCNode {
    var node = TouchOSCNode(.button, name, frame, control.colour)
    node.messages = messages
    return node
  }

  private var toggle: TouchOSCNode {
    var node = TouchOSCNode(.button, name, frame, control.colour)
    node.properties["buttonType"] = .whole(2)
    node.messages = [TouchOSCMessage(address: control.address, parts: [.value("x", .share)])]
    return node
  }

  private func fader(_ range: LayoutRange, _ isLying: Bool) -> TouchOSCNode {
    var node = TouchOSCNode(.fader, name, travel(isLying), control.colour)
    // A fader that lies goes from the left to the right.
    node.properties["orientation"] = .whole(isLying ? 1 : 0)
    // Lines where its whole numbers are.
    if range.isWhole {
      node.properties["grid"] = .truth(true)
      node.properties["gridSteps"] = .whole(Int(saturating: range.largest - range.least) + 1)
    }
    node.messages = [TouchOSCMessage(address: control.address, parts: [.value("x", range)])]
    return node
  }

  /// A fader whose touch presses the key. It rests in the middle.
  private var key: TouchOSCNode {
    var node = TouchOSCNode(.fader, name, frame, control.colour)
    node.values[0].start = "0.5"
    node.pull = 100
    node.properties["bar"] = .truth(false)
    node.messages = [
      TouchOSCMessage(
        address: control.address, parts: [.value("touch", .share)], trigger: "touch",
        receives: false),
      TouchOSCMessage(
        address: control.heightAddress, parts: [.value("x", .share)], receives: false),
    ]
    return node
  }

  private func meter(_ range: LayoutRange) -> TouchOSCNode {
    var node = TouchOSCNode(.fader, name, frame, control.colour)
    node.properties["interactive"] = .truth(false)
    node.properties["cursor"] = .truth(false)
    node.properties["orientation"] = .whole(1)
    node.messages = [showing(control.address, .value("x", range), "x")]
    return node
  }

  private func reading(_ start: String) -> [TouchOSCNode] {
    var ground = words("", frame)
    let line = screen.textSize * 3 / 2
    let title = control.label.isEmpty ? 0 : min(line, frame.height / 2)
    ground.properties["background"] = .truth(true)
    ground.properties["color"] = .colour(control.colour, alpha: 1)
    ground.properties["outline"] = .truth(true)
    let below = LayoutFrame(
      x: frame.x, y: frame.y + title, width: frame.width, height: frame.height - title)
    var text = words(start, below)
    text.messages = [showing(control.address, .shownText, "text")]
    guard title > 0 else { return [ground, text] }
    var label = words(
      control.label, LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: title))
    label.properties["textColor"] = .colour(.quiet, alpha: 1)
    return [ground, label, text]
  }

  /// A bar that is empty, half full or full, as the light is off, waits or is on.
  private var light: TouchOSCNode? {
    guard let address = control.light else { return nil }
    let place =
      control.isPad
      ? LayoutFrame(
        x: frame.x + 5, y: frame.y + 5, width: frame.width - 10,
        height: captionFrame.y - frame.y - 8)
      : LayoutFrame(x: frame.x + 5, y: frame.bottom - 15, width: frame.width - 10, height: 10)
    var node = TouchOSCNode(.fader, "\(name) light", place, .lamp)
    for key in ["interactive", "background", "outline", "cursor"] {
      node.properties[key] = .truth(false)
    }
    node.properties["orientation"] = .whole(1)
    node.messages = [showing(address, .value("x", .share), "x")]
    return node
  }

  // MARK: Texts

  private var caption: TouchOSCNode? {
    guard !control.label.isEmpty || control.caption != nil else { return nil }
    var node = words(control.label, captionFrame)
    if hasStrip {
      node.properties["background"] = .truth(true)
      node.properties["color"] = .colour(.strip, alpha: 1)
    }
    if let address = control.caption { node.messages = [showing(address, .shownText, "text")] }
    return node
  }

  /// Whether its text has a dark ground of its own, so that it can be read whatever is below.
  private var hasStrip: Bool {
    switch control.kind {
    case .fader(_, false), .key: true
    default: control.isPad
    }
  }

  /// The frame of the fader without the strip for its text.
  private func travel(_ isLying: Bool) -> LayoutFrame {
    guard !isLying else { return frame }
    return LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: captionFrame.y - frame.y)
  }

  private var captionFrame: LayoutFrame {
    switch control.kind {
    case _ where hasStrip:
      let height = screen.textSize * (control.caption == nil ? 3 : 5) / 2
      return LayoutFrame(
        x: frame.x + 3, y: frame.bottom - height - 3, width: frame.width - 6, height: height)
    case _ where control.light != nil:
      return LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height - 12)
    default: return frame
    }
  }

  private func words(_ text: String, _ frame: LayoutFrame) -> TouchOSCNode {
    var node = TouchOSCNode(.text, "\(name) text", frame)
    node.properties["background"] = .truth(false)
    node.properties["textSize"] = .whole(size(of: text, in: frame))
    node.values[0].start = text
    return node
  }

  /// The size of a text, so that it stands on one line, or at least its longest word does. A letter
  /// is 0.6 as wide as its size.
  private func size(of text: String, in frame: LayoutFrame) -> Int {
    func fitting(_ letters: Int) -> Int {
      Int(saturating: Double(frame.width - 6) / (0.6 * Double(max(letters, 1))))
    }
    let whole = fitting(text.count)
    if whole >= screen.leastTextSize { return min(whole, screen.textSize) }
    let longest = text.split { $0 == " " || $0 == "-" }.map(\.count).max() ?? 1
    return min(max(fitting(longest), screen.leastTextSize), screen.textSize)
  }
}
