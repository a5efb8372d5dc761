internal import JamCore

/// The widgets of one control in Open Stage Control, the lowest first.
struct OpenStageControlWidgets {
  let control: LayoutControl

  private typealias Members = [(String, LayoutJSON)]

  var widgets: [LayoutJSON] { ([main] + [light, caption].compactMap(\.self)).map { .object($0) } }

  private var main: Members {
    switch control.kind {
    // `push` sends `on` when it is pressed, and `off` when it is let go of.
    case .button:
      widget("button", control.frame) + [
        ("mode", .text("push")), ("on", .number(1)), ("off", .number(0)), ("label", label),
        ("wrap", .truth(true)),
      ] + address(control.address)
    case .order(let messages): widget("button", control.frame) + ordering(messages)
    case .switch:
      widget("button", control.frame) + [
        ("mode", .text("toggle")), ("on", .number(1)), ("off", .number(0)), ("label", label),
        ("wrap", .truth(true)),
      ] + address(control.address)
    case .fader(let range, let isLying):
      widget("fader", control.frame) + [
        ("design", .text("compact")), ("horizontal", .truth(isLying)),
      ]
        + numbers(range) + address(control.address)
    case .key:
      widget("fader", control.frame) + [
        ("design", .text("compact")), ("snap", .truth(true)), ("spring", .truth(true)),
        ("default", .number(0.5)),
        ("onTouch", .text("send(\(control.address.quotedJSON), event.type == \"start\" ? 1 : 0)")),
      ] + numbers(.share) + address(control.heightAddress)
    case .reading(let start):
      widget("text", below(control.frame), isTouched: false) + [
        ("default", .text(OpenStageControlWidgets.plain(start)))
      ]
        + address(control.address, isSilent: true)
    case .meter(let range):
      widget("fader", control.frame, isTouched: false) + [
        ("design", .text("compact")), ("horizontal", .truth(true)),
      ]
        + numbers(range) + address(control.address, isSilent: true)
    case .title:
      widget("text", aboveLight(control.frame), isTouched: false) + [
        ("value", .text(words)), ("bypass", .truth(true)),
      ]
    }
  }

  /// The label. People chose some labels, and Open Stage Control carries out what stands in braces
  /// of a property, as in `JS{…}`.
  private var words: String { OpenStageControlWidgets.plain(control.label) }

  private static func plain(_ text: String) -> String {
    String(text.map { $0 == "{" ? "(" : $0 == "}" ? ")" : $0 })
  }

  private var label: LayoutJSON {
    control.caption == nil && !control.label.isEmpty ? .text(words) : .truth(false)
  }

  /// A widget that takes no touches, above the button.
  private var light: Members? {
    guard let address = control.light else { return nil }
    let frame = control.frame
    let height = control.isPad ? frame.height / 3 : 10
    let place = LayoutFrame(
      x: frame.x + 5, y: frame.bottom - height - 5, width: frame.width - 10, height: height)
    return widget("led", place, " light", isTouched: false) + [
      ("colorFill", .text(LayoutColour.lamp.hexadecimal)),
      ("range", .object([("min", .number(0)), ("max", .number(1))])),
    ] + self.address(address, isSilent: true)
  }

  /// The name that the server tells; of a fader or a key, its label.
  private var caption: Members? {
    let frame = control.frame
    let place: LayoutFrame
    switch control.kind {
    case .fader, .key:
      place = LayoutFrame(x: frame.x, y: frame.bottom - 30, width: frame.width, height: 30)
    case .reading:
      place = LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height / 2)
    default:
      place = LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height / 2)
    }
    if let address = control.caption {
      return widget("text", place, " text", isTouched: false) + [("default", .text(words))]
        + self.address(address, isSilent: true)
    }
    switch control.kind {
    case .fader, .key, .reading:
      guard !control.label.isEmpty else { return nil }
      return widget("text", place, " text", isTouched: false) + [
        ("value", .text(words)), ("bypass", .truth(true)),
      ]
    case .button, .order, .switch, .meter, .title: return nil
    }
  }

  private func widget(
    _ type: String, _ frame: LayoutFrame, _ ending: String = "", isTouched: Bool = true
  ) -> Members {
    [
      // Widgets of one id follow each other, so a control that stands on two pages moves on both.
      ("type", .text(type)), ("id", .text(id + ending)),
      ("left", .number(Double(frame.x))), ("top", .number(Double(frame.y))),
      ("width", .number(Double(frame.width))),
      ("height", .number(Double(frame.height))), ("interaction", .truth(isTouched)),
      ("colorWidget", .text(control.colour.hexadecimal)),
    ]
  }

  /// The part of a reading below its title.
  private func below(_ frame: LayoutFrame) -> LayoutFrame {
    guard !control.label.isEmpty else { return frame }
    return LayoutFrame(
      x: frame.x, y: frame.y + frame.height / 2, width: frame.width,
      height: frame.height - frame.height / 2)
  }

  /// The part of a title above its light.
  private func aboveLight(_ frame: LayoutFrame) -> LayoutFrame {
    guard control.light != nil else { return frame }
    return LayoutFrame(x: frame.x, y: frame.y, width: frame.width, height: frame.height - 16)
  }

  private var id: String {
    guard case .order(let messages) = control.kind,
      case .whole(let number)? = messages.first?.values.first
    else {
      return control.address
    }
    return "\(control.address) \(number)"
  }

  /// - Parameter isSilent: it shows what is told, and sends nothing.
  private func address(_ address: String, isSilent: Bool = false) -> Members {
    [("address", .text(address)), ("bypass", .truth(isSilent))]
  }

  private func numbers(_ range: LayoutRange) -> Members {
    let bounds = LayoutJSON.object([("min", .number(range.least)), ("max", .number(range.largest))])
    let steps = range.isWhole ? range.largest - range.least + 1 : nil
    return [("range", bounds), ("decimals", .number(range.isWhole ? 0 : 4))]
      + (steps.map { [("steps", .number($0))] } ?? [])
  }

  /// A button whose first message is its own, with the values in front of no value. The others are
  /// sent by its script.
  private func ordering(_ messages: [LayoutMessage]) -> Members {
    let rest = messages.dropFirst().map { message in
      let words = [message.address.quotedJSON] + message.values.map(OpenStageControlWidgets.script)
      return "send(\(words.joined(separator: ", ")))"
    }
    return [
      ("mode", .text("momentary")), ("label", label), ("wrap", .truth(true)),
      ("preArgs", .list((messages.first?.values ?? []).map(OpenStageControlWidgets.json))),
    ] + address(control.address)
      + (rest.isEmpty ? [] : [("onValue", .text(rest.joined(separator: "; ")))])
  }

  private static func json(_ value: LayoutMessage.Value) -> LayoutJSON {
    switch value {
    case .text(let text): .text(text)
    case .whole(let number): .number(Double(number))
    }
  }

  private static func script(_ value: LayoutMessage.Value) -> String {
    switch value {
    case .text(let text): JSONText.quoted(text, for: .markup)
    case .whole(let number): String(number)
    }
  }
}
