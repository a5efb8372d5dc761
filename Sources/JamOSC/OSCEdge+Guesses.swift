internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamRoom
internal import JamWire

/// Checks passwords and host words. All of them share one limit of wrong guesses, which also holds
/// for the other ways into the server.
extension OSCEdge {
  /// A request whose word is checked later, because too many wrong words came from its address.
  struct HeldWord {
    var origin: Origin
    var request: SessionRequest
    var message: OSCMessage
    var due: HostTime
  }

  static let mostHeldWords = 1_024

  /// Whether the request may be carried out now. A request whose word must wait is stored, and
  /// carried out when its time comes.
  func passesGuessLimit(
    _ request: SessionRequest, _ message: OSCMessage, from endpoint: Endpoint, wasHeld: Bool, at now: HostTime
  ) throws(Refusal) -> Bool {
    guard let word = word(in: request, of: endpoint) else { return true }
    let tooMany = Refusal.tooManyGuesses
    // A right and strong word always passes. The wrong guesses may come from another person who
    // forged this sender's address.
    let isFound = word.isRight && word.isStrong
    // Each sender may try one word at a time. It sends the next word after the answer.
    guard isFound || !heldWords.contains(where: { $0.origin == endpoint.origin }) else { throw tooMany }
    let source = GuessSource(endpoint.host, isProven: endpoint.transport.isStream || endpoint.proof.isProven)
    let verdict = guesses.judge(
      isRight: word.isRight, isStrong: word.isStrong, from: source, wasHeld: wasHeld, at: now)
    switch verdict {
    case .answered:
      if !word.isRight { note(.guessWrong, request, word.room, endpoint) }
      return true
    case .held(let milliseconds):
      guard heldWords.count < OSCEdge.mostHeldWords else { throw tooMany }
      let due = now.advanced(byMilliseconds: milliseconds)
      heldWords.append(HeldWord(origin: endpoint.origin, request: request, message: message, due: due))
      return false
    case .refused:
      note(.guessRefused, request, word.room, endpoint)
      throw tooMany
    }
  }

  /// Logs that a player left, or that a host put it out.
  func note(_ player: PlayerName, in room: Room, kickedBy host: PlayerName?, _ cause: Cause) {
    guard let host else {
      return log.write(.playerLeft, ["room": LogValue(room.name), "player": LogValue(player)])
    }
    log.write(
      .playerKicked,
      [
        "room": LogValue(room.name), "player": LogValue(player), "by": LogValue(host),
        "address": .text(addressText(of: cause)),
      ])
  }

  /// Logs a new host: another host made the player a host, or the player said the word.
  func note(host: PlayerName, in room: Room, by other: PlayerName?, _ cause: Cause) {
    let granted: KeyValuePairs<String, LogValue> =
      if let other {
        [
          "room": LogValue(room.name), "player": LogValue(host), "by": LogValue(other),
          "address": .text(addressText(of: cause)),
        ]
      } else {
        ["room": LogValue(room.name), "player": LogValue(host), "address": .text(addressText(of: cause))]
      }
    log.write(.hostGranted, granted)
  }

  /// The address of the connection that caused the event; empty where that connection is gone.
  private func addressText(of cause: Cause) -> String { origins[cause.origin]?.host.hostText ?? "" }

  private func note(_ kind: LogKind, _ request: SessionRequest, _ room: Room, _ endpoint: Endpoint) {
    let by = if case .host = request { "host word" } else { "password" }
    log.write(kind, ["room": LogValue(room.name), "address": .text(endpoint.host.hostText), "word": .text(by)])
  }

  /// Carries out the requests whose words have waited long enough.
  func lookAtHeldWords(at now: HostTime) {
    guard heldWords.contains(where: { $0.due <= now }) else { return }
    let ready = heldWords.filter { $0.due <= now }
    heldWords.removeAll { $0.due <= now }
    for held in ready {
      guard let endpoint = origins[held.origin] else { continue }
      settle(held.request, held.message, from: endpoint, wasHeld: true, at: now)
    }
  }

  /// The word that a request tries, where the answer would show whether the word is right. An
  /// endpoint that has already shown a right password, or that has a token, tries nothing; a token
  /// cannot be guessed.
  private func word(in request: SessionRequest, of endpoint: Endpoint) -> TriedWord? {
    switch request {
    case .hello(_, let name, let password?, let token):
      guard let room = room(thatWants: name ?? endpoint.home, endpoint) else { return nil }
      if let token, room.assumeIsolated({ $0.player(token: token) }) != nil { return nil }
      return TriedWord(password: password, room)
    case .password(let password):
      return room(thatWants: endpoint.home, endpoint).map { TriedWord(password: password, $0) }
    case .host(let word):
      guard let room = registry.room(endpoint.home) ?? registry.room(nil) else { return nil }
      return TriedWord(hostWord: word, room)
    default: return nil
    }
  }

  private struct TriedWord {
    let room: Room
    let isRight: Bool
    let isStrong: Bool

    init(password: String, _ room: Room) {
      self.room = room
      isRight = room.admits(password: password)
      isStrong = Secrets.isStrong(password)
    }

    init(hostWord: String, _ room: Room) {
      self.room = room
      isRight = room.assumeIsolated { $0.isHostWord(hostWord) }
      isStrong = Secrets.isStrong(Secrets.spoken(hostWord))
    }
  }

  /// The room with that name, or the main room where no such room is open. Nil unless the room
  /// wants a password that the endpoint has not shown.
  func room(thatWants name: PlayerName?, _ endpoint: Endpoint) -> Room? {
    guard let room = registry.room(name) ?? registry.room(nil), !room.admits(password: nil),
      !endpoint.passwords.contains(where: room.admits)
    else { return nil }
    return room
  }
}
