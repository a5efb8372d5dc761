internal import JamBonjour
internal import JamNet
internal import JamRealtime
internal import Synchronization

/// Looks for controllers that announce themselves, such as TouchOSC on a tablet, for a moment.
struct ControllerLook: Sendable {
  /// How long controllers have time to answer, in milliseconds.
  private static let patienceMilliseconds = 1_500.0

  /// Asks the attached networks.
  /// Thread: any that may wait.
  static func findings() -> [Finding] {
    let found = Found()
    let finder = ControllerFinder { controllers in found.list.withLock { $0 = controllers } }
    do throws(NetError) {
      try finder.start()
    } catch {
      return [
        .advice(
          "controllers: they cannot be looked for: \(error)",
          "type the controller's address into the controller itself, with /subscribe PORT")
      ]
    }
    let wait = WakeSignal()
    wait.wait(since: wait.ticket, atMostMilliseconds: patienceMilliseconds)
    finder.stop()
    return findings(of: found.list.withLock { $0 })
  }

  static func findings(of controllers: [FoundController]) -> [Finding] {
    guard !controllers.isEmpty else {
      return [.good("controllers: none announces itself just now")]
    }
    return controllers.map { controller in
      let places = controller.addresses.map(\.description).joined(separator: ", ")
      var finding = Finding.good("controller: \(controller.name) (\(places))")
      finding.remedy =
        "its lights: Room → Join → Send lights to \(controller.name), or send "
        + "/controller/lights \"\(controller.name)\" as a player"
      return finding
    }
  }

  /// The controllers that the finder's thread told last.
  private final class Found: Sendable {
    let list = Mutex<[FoundController]>([])
  }
}
