internal import JamCore
internal import JamRealtime

extension ListenSession {
  func listenToRTP(_ sink: Sink) throws(ListenError) {
    let listening = try RTPListening(url, isPatient: isPatient)
    note(listening.notice)
    defer { listening.leave() }
    var failure: ListenError?
    var isWanted = true
    var nextLook = HostTime.now
    loop.add(listening.descriptor) { listening.receive() }
    loop.run(deadline: { min(listening.due ?? nextLook, nextLook) }) {
      let now = HostTime.now
      // The wait may have ended long after its time. Packets that came meanwhile are taken in
      // first, so that they do not count as missing.
      listening.receive()
      if !playWhatIsDue(listening, at: now, sink) {
        isWanted = false
        stop()
      }
      guard now >= nextLook else { return }
      nextLook = now.advanced(byMilliseconds: 50)
      show { listening.tell(&$0, at: now) }
      do throws(ListenError) { try listening.lookAfterLease(at: now) } catch {
        failure = error
        stop()
      }
    }
    if let failure { throw failure }
    if isPatient { while isWanted, let samples = listening.nextOfRest() { isWanted = play(samples, sink) } }
  }

  /// - Returns: false where the sink has enough.
  private func playWhatIsDue(_ listening: RTPListening, at now: HostTime, _ sink: Sink) -> Bool {
    while let samples = listening.nextSound(at: now) {
      guard play(samples, sink) else { return false }
    }
    return true
  }
}
