internal import JamCore

/// Phrases that several refusals share.
extension Refusal {
  static let howToBeHost = "send /host with the word that the server printed at its start"
  static let howToBeSure =
    "this may have been sent in your name: echo the /cookie that was sent to this address, then send it again"

  static func howToEnter(_ room: PlayerName) -> String {
    "send /password with it, or /hello name \(room) password"
  }

  static func list(_ names: [PlayerName]) -> String { names.map(\.text).joined(separator: ", ") }

  /// Behind a refusal that a set clock may explain.
  static func words(_ clock: ClockSet) -> String {
    let by = Wording.duration(seconds: abs(clock.by.seconds))
    return "; the server's wall clock was set \(by) \(clock.by.count < 0 ? "back" : "ahead"), "
      + "\(Wording.duration(seconds: clock.ago.seconds)) ago"
  }

  /// Whole milliseconds, rounded up.
  static func time(_ frames: Frames) -> String { "\(Int(saturating: frames.milliseconds.rounded(.up))) ms" }

  static func time(seconds: Int) -> String {
    seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
  }

  /// The beginning of a text, long enough to recognise it.
  static func quoted(_ text: String) -> String { "“\(text.prefix(64))”" }

  static func layersThere(_ layers: [Int]) -> String {
    guard let first = layers.first, let last = layers.last else { return "your loop is empty" }
    guard layers.count > 8 else { return "there are \(layers.map(String.init).joined(separator: ", "))" }
    return "there are \(first) to \(last), \(layers.count) in all"
  }

  /// - Parameter player: nil is a guest.
  static func howToHearCue(of player: PlayerName?, in room: PlayerName) -> String {
    guard let player else {
      return "say /hello with your name, then open /listen.opus?player=NAME&token=TOKEN with what /welcome answers"
    }
    let path = room.text == "main" ? "" : "/rooms/\(percentEncoded(room.text))"
    let name = percentEncoded(player.text)
    return "open \(path)/listen.opus?player=\(name)&token=TOKEN (or /listen.sdp) with the token from your /welcome"
  }

  /// A name in the form of an address (RFC 3986 §2.3).
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

extension Refusal.HostDeed {
  var words: String {
    switch self {
    case .changeChannel: "change another player's channel"
    case .levelRoom: "switch the leveller"
    case .clickOnSpeakers: "put the click on the loudspeakers"
    case .lock(.none): "unlock"
    case .lock(let lock): "lock \(lock.word)"
    case .giveRole: "give roles to others: your own is /role"
    case .kick: "put players out"
    case .admit: "let others in"
    case .setDoor: "open or close the door"
    case .takeBack: "take back all of a player"
    case .pinControls: "pin the room's pitch, filter and macros"
    case .silenceEverybody: "silence everybody"
    case .setTempoMode: "say whose word the tempo is"
    case .listBlocks: "list what others saved"
    case .deleteBlock: "delete what others saved"
    case .deleteKit: "delete kits"
    case .deleteSound: "delete what was brought along"
    case .deleteProject: "delete projects"
    case .deleteTake: "delete takes"
    case .undoInRoom: "take back what is the room's; your own pads and loops are /undo"
    case .redoInRoom: "do again what is the room's; your own pads and loops are /redo"
    }
  }
}

extension Refusal.ScoreDeed {
  var words: String {
    switch self {
    case .layerHit: "only a score says when a layer's hit sounds: /loop/play plays them"
    case .blockHit: "only a score says how a block's hit sounds: /lane puts blocks in a row"
    case .chord: "only a score says which chord begins: /progression/press plays one"
    case .countIn: "only a score says when a count-in clicks: /loop/countin sets its bars"
    case .buildUp: "only a score holds that: /buildup/riser and /buildup/silence switch it"
    case .fit: "only a score says how a sound fits the tempo: /pad/<n>/beats makes it follow"
    case .patch: "only a score says what keys play by a patch: /instrument chooses one"
    case .leaving: "/bye leaves, and your loop plays on by itself"
    }
  }
}
