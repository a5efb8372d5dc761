import JamCore
import JamWire

/// One line of a server's monitor, as `/monitor` tells it.
struct MonitorLine: Equatable {
  var frame: Int64
  var sender: String
  var player: String
  var transport: String
  var address: String
  var arguments: String
  var verdict: String
  var reason: String
  var code: String

  /// - Returns: nil where the message is no such line.
  init?(_ message: OSCMessage) {
    let texts = message.arguments.dropFirst().prefix(8).compactMap(\.text)
    guard message.address == "/monitor", case .int64(let frame)? = message.arguments.first,
      texts.count == 8
    else {
      return nil
    }
    self.frame = frame
    (sender, player, transport, address) = (texts[0], texts[1], texts[2], texts[3])
    (arguments, verdict, reason, code) = (texts[4], texts[5], texts[6], texts[7])
  }

  var isRefused: Bool { verdict == "refused" }

  /// Whether the words stand in the line, in capitals or not.
  func holds(_ words: String) -> Bool {
    let wanted = words.lowercased()
    return [sender, player, transport, address, arguments, verdict, reason, code].contains {
      $0.lowercased().contains(wanted)
    }
  }

  /// The line for people.
  /// - Parameter time: when it came, as people write it.
  func text(at time: String) -> String {
    let who = player.isEmpty ? "\(sender) \(transport)" : "\(player) \(sender) \(transport)"
    let what = arguments.isEmpty ? address : "\(address) \(arguments)"
    return MessageVeil.printable("\(time)  \(who)  \(what)  \(outcome)")
  }

  private var outcome: String {
    switch verdict {
    case "understood": reason.isEmpty ? "✓" : "✓ \(reason)"
    case "noticed": "– \(reason) [\(code)]"
    case "ignored" where code == "release": "· the release of a button: it has no effect"
    case "ignored" where code == "touch": "· a finger touches a control: it has no effect"
    case "ignored" where code == "repeated": "· the same packet came twice: it counts once"
    case "ignored": "· left out [\(code)]"
    default: reason.isEmpty ? "✗ refused [\(code)]" : "✗ \(reason) [\(code)]"
    }
  }

  /// The line for programs: one object of JSON.
  func json(at seconds: Double) -> String {
    let texts = [
      ("sender", sender), ("player", player), ("transport", transport), ("address", address),
      ("arguments", arguments),
      ("verdict", verdict), ("reason", reason), ("code", code),
    ]
    let fields = texts.map { "\"\($0.0)\":\(JSONText.quoted($0.1, for: .terminal))" }
    return "{\"time\":\(seconds),\"frame\":\(frame),\(fields.joined(separator: ","))}"
  }
}
