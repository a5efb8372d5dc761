import JamKit
import JamRoom

extension DeliveryProblem {
  /// The problem as a sentence for the sender of the file.
  /// - Parameter name: the name that the file's music gets.
  func words(_ name: String) -> String {
    switch self {
    case .kit(let error):
      if case .busy = error.reason {
        """
        \(name) cannot be kept now, for too much else waits: \
        bring it again in \(KitStore.secondsOfATurn) s
        """
      } else if error.told.hasPrefix("\(name):") {
        error.told
      } else {
        "\(name): \(error.told)"
      }
    case .taken(let id): "another kit is called \(id): choose another name"
    case .tooMany(let kind, let count, let most):
      """
      \(name) brings \(kind.words(count)) that are not here, and an address brings \
      \(kind.words(most)) at once: take some out, or ask whoever runs the server to bring it \
      there with `bandshell project import`
      """
    case .tooSoon(let kind, let seconds):
      """
      your address has brought many \(kind.plural) lately: \
      bring \(name) again in \(DeliveryProblem.time(seconds))
      """
    }
  }

  /// The seconds after which the sender may try again; nil where that does not help.
  var wait: Int? { if case .tooSoon(_, let seconds) = self { max(1, seconds) } else { nil } }

  private static func time(_ seconds: Int) -> String {
    seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }
}

extension SavingKind {
  fileprivate var plural: String {
    switch self {
    case .kit: "kits"
    case .sound: "sounds"
    case .decodedSecond: "minutes of sound"
    }
  }

  fileprivate func words(_ count: Int) -> String {
    if case .decodedSecond = self { "\((count + 59) / 60) \(plural)" } else { "\(count) \(plural)" }
  }
}
