internal import JamCore

extension AddressTable {
  /// Who is there.
  static let playerRows: [AddressEntry] = [
    .call(
      "/hello", [.name("name"), .text("room").optional, .text("password").optional, .text("token").optional],
      .session, "Join, rename or resume; answers `/welcome`, then the full state."
    ) { arguments throws(WireError) in
      // Rows have required arguments checked before they build; an empty text stands for a left-out one.
      guard let name = arguments.name(0) else { return nil }
      var room: PlayerName?
      if let text = arguments.filledText(1) {
        room = PlayerName(text)
        if room == nil { throw .badName(argument: "room", name: text, address: arguments.address) }
      }
      return .session(
        .hello(name: name, room: room, password: arguments.filledText(2), token: arguments.filledText(3)))
    },
    .call("/password", [.text("password")], .session, "Enough to enter a room with a password.") {
      $0.text(0).map { .session(.password($0)) }
    },
    AddressEntry(
      "/host", [.text("word").optional], .setter, .session,
      "Become a host; the word is printed when the server starts. Without one it answers 1 to a host, else 0.",
      build: { arguments throws(WireError) in
        guard let word = arguments.text(0) else { return .command(.read(.host)) }
        return .session(.host(word))
      }, setting: { _ in .host },
      write: { if case .becomeHost(let word) = $0 { ([], [], [.string(word)]) } else { nil } }),
    .setter(
      "/role", .choice("role", Role.allCases.map(\.word)), .session,
      "Your own: a `listener` hears and reads, and plays nothing. `host` is given by a host, or by `/host`."
    ) { _ in .role },
    .setter(
      "/latency", .float("latency", 0...60_000, unit: "ms"), .player,
      "What you have measured from your tap to your ear: everybody sees it. 0 is unknown."
    ) { _ in .latency },
    .session("/bye", .trigger, "Leave: held pads are released, loops play on.", .bye) {
      $0 == .leave ? ([], [], []) : nil
    },
    .session("/sync", .query, "The full state: every readable address with its value.", .sync) {
      $0 == .readAll ? ([], [], []) : nil
    },
    .call(
      "/subscribe",
      [
        .integer("port", 1...65_535).optional, ArgumentSpec("topic", .choice(Topics.words.map(\.word)), repeats: true),
      ],
      .session,
      "Feedback to that port of the sender's host, the sender's own without one; topics default to all but `meters`."
    ) { arguments in
      let words = (1..<max(1, arguments.values.count)).compactMap { arguments.text($0) }
      let topics = Topics.words.reduce(into: Topics()) { if words.contains($1.word) { $0.insert($1.topic) } }
      return .session(
        .subscribe(port: arguments.integer(0).map { UInt16($0) }, topics: words.isEmpty ? nil : topics))
    },
    .session("/unsubscribe", .trigger, "No more feedback.", .unsubscribe),
    .call("/cookie", [.text("cookie")], .session, "Echo of the cookie that was sent: the address is the sender's own.")
    {
      $0.text(0).map { .session(.cookie($0)) }
    },
    .call(
      "/ping", [ArgumentSpec("arguments", .any, repeats: true)], .session,
      "Answers `/pong` with the same arguments, then the times received and sent.", access: .query
    ) { arguments in
      .session(.ping(arguments.values.compactMap { if case .raw(let argument)? = $0 { argument } else { nil } }))
    },
    .call(
      "/seq", [.integer("number")], .session,
      "First in a bundle: numbers it, so that repeats are dropped and order is restored."
    ) { _ throws(WireError) in throw .sequenceOutOfPlace },
    .call("/chat", [.text("text")], .player, "To everybody in the room.") {
      $0.text(0).map { .command(.chat($0)) }
    } write: {
      if case .chat(let text) = $0 { ([], [], [.string(text)]) } else { nil }
    },
    .list("/chats", "Answers one `/chats/item` for each of the last 50 lines, the oldest first.", .listChat),
    .trigger("/panic", .player, "All of the sender's voices and holds end now.", .panic),
    .trigger("/room/panic", .host, "Everybody's voices and holds end now.", .panicEverybody),
    .channel("gain", .float("gain", -60...12, unit: "dB"), "A player's channel; anybody reads it.", .setter) {
      .channelGain($0)
    },
    .channel("mute", ArgumentSpec("on", .bool), "Switches a player's channel off.", .switch) { .channelMute($0) },
    .channel("solo", ArgumentSpec("on", .bool), "Only soloed channels sound.", .switch) { .channelSolo($0) },
    .channel(
      "role", .choice("role", Role.allCases.map(\.word)),
      "What a player may do; anybody reads it. Only a host lifts what a host made a listener.", .setter
    ) { .roleOf($0) },
    AddressEntry(
      "/player/<name>/kick", [], .trigger, .host,
      "Sends a player out of the room. Of one who has left, anybody ends the loop.",
      build: { arguments throws(WireError) in .command(.kick(try arguments.playerName())) },
      write: { if case .kick(let name) = $0 { ([], [name.text], []) } else { nil } }),
    .setter("/lock", .choice("lock", Lock.allCases.map(\.word)), .host, "What only hosts may change; anybody reads it.")
    { _ in
      .lock
    },
  ]
}

extension AddressEntry {
  /// A request of the connection without arguments.
  static func session(
    _ address: String, _ access: Access, _ summary: String, _ request: SessionRequest,
    write: (@Sendable (Command) -> Parts?)? = nil
  ) -> AddressEntry {
    AddressEntry(
      address, [], access, .session, summary, build: { _ throws(WireError) in .session(request) }, write: write)
  }

  /// Another player's channel: hosts change it.
  static func channel(
    _ word: String, _ argument: ArgumentSpec, _ summary: String, _ access: Access,
    _ setting: @escaping @Sendable (PlayerName) -> Setting
  ) -> AddressEntry {
    AddressEntry(
      "/player/<name>/\(word)", [argument.optional], access, .host, summary,
      build: { arguments throws(WireError) in
        let setting = setting(try arguments.playerName())
        guard let value = arguments.settingValue else {
          return .command(access == .switch ? .toggle(setting) : .read(setting))
        }
        return .command(.set(setting, value))
      })
  }
}

extension WireArguments {
  /// The text at `i`, nil where it is missing or empty.
  func filledText(_ i: Int) -> String? { text(i).flatMap { $0.isEmpty ? nil : $0 } }

  /// The name in the address.
  func playerName() throws(WireError) -> PlayerName {
    let text = texts.first ?? ""
    guard let name = PlayerName(text) else { throw .badName(argument: "player", name: text, address: address) }
    return name
  }
}
