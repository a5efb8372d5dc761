internal import JamCore
internal import JamRealtime
internal import JamWire

/// Tells those who watch the monitor.
extension OutgoingPackets {
  /// An error was made: it is the outcome of the message under way, or a line of its own.
  func watch(_ error: SessionReply, of endpoint: Endpoint, in room: PlayerName?, at now: HostTime) {
    guard case .error(let address, let text, let code) = error,
      let line = monitor.refused(endpoint, address, text: text, code: code.text, in: room, at: now)
    else { return }
    tell(line)
  }

  /// The work on the message under way is done.
  func endWatched() {
    if let line = monitor.end() { tell(line) }
  }

  private func tell(_ line: OSCMonitor.Line) { tell(line.message, to: line.watchers) }

  private func tell(_ message: OSCMessage, to watchers: [Subscriber]) {
    // Outer nil: not written yet.
    var text: Int??
    for watcher in watchers {
      if let credit = watcher.sendCredit {
        tell(watcher, credit, message.encoded(), isDispensable: true)
      } else {
        let written = text ?? write(message, isDispensable: true)
        text = written
        tell(watcher, written)
      }
    }
  }

  /// Tells the watchers whose messages they see, where that has changed, and how many were left
  /// out.
  /// Call it about twice a second.
  func lookAtMonitors() {
    for watcher in monitor.watchers {
      tellScope(of: watcher)
      let leftOut = watcher.monitored.pace.takeLeftOut()
      guard leftOut > 0 else { continue }
      tell(OSCMessage("/monitor/more", .int32(Int32(clamping: leftOut))), to: [watcher])
    }
  }

  /// Tells the watcher whose messages it sees, unless it knows.
  func tellScope(of watcher: Subscriber) {
    let seesAll = OSCMonitor.seesAll(watcher)
    guard watcher.monitored.sawAll != seesAll else { return }
    watcher.monitored.sawAll = seesAll
    tell(OSCMessage("/monitor/scope", .string(seesAll ? "all" : "own")), to: [watcher])
  }
}
