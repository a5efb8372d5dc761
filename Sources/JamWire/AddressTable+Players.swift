internal import JamCore

extension AddressTable {
  private static let topic = ArgumentSpec("topic", .choice(Topics.words.map(\.word)), repeats: true)

  /// The people in a room.
  static let playerRows: [AddressEntry] = [
    .call(
      "/hello",
      [
        .name("name"), .text("room").optional, .text("password").optional.secret,
        .text("token").optional.secret,
      ], .session, "Join, rename or resume; answers `/welcome`, then the full state."
    ) { arguments throws(WireError) in
      // Required arguments are checked before a row builds its request. An empty text counts as
      // missing.
      guard let name = arguments.name(0) else { return nil }
      var room: PlayerName?
      if let text = arguments.filledText(1) {
        room = PlayerName(text)
        if room == nil { throw .badName(argument: "room", name: text, address: arguments.address) }
      }
      return .session(
        .hello(name: name, room: room, password: arguments.filledText(2), token: arguments.filledText(3)))
    },
    .call(
      "/password", [.text("password").secret], .session, "Enough to enter a room with a password."
    ) {
      $0.text(0).map { .session(.password($0)) }
    },
    AddressEntry(
      .host, [.text("word").optional.secret], .setter,
      build: { arguments throws(WireError) in
        guard let word = arguments.text(0) else { return .command(.read(.host)) }
        return .session(.host(word))
      },
      write: { if case .becomeHost(let word) = $0 { ([], [], [.string(word)]) } else { nil } }),
    .setting(.role),
    .setting(.latency),
    .session("/bye", .trigger, "Leave: held pads are released, loops play on.", .bye) {
      $0 == .leave ? ([], [], []) : nil
    },
    .call(
      "/sync", [.text("address").optional], .session,
      """
      The full state: every readable address with its value, the empty steps, slots and loops too. With an \
      address the value there alone, also the light of a control that triggers.
      """, access: .query
    ) { arguments throws(WireError) in
      guard let address = arguments.filledText(0) else { return .session(.sync) }
      return .session(.ask(try AddressTable.standard.question(address)))
    } write: {
      $0 == .readAll ? ([], [], []) : nil
    }.button,
    .call(
      "/subscribe",
      [ArgumentSpec("port", .port, optional: true), topic], .session,
      """
      Feedback to that port of the sender's host, the sender's own without one; topics default to all but \
      `meters`, `history`, `seats` and `monitor`. Below 1024 it is the sender's own, and a \
      float's port has it beside that.
      """
    ) { arguments in
      let port = arguments.port(0) ?? .own
      return .session(.subscribe(port: port.number, andOwn: port.andOwn, topics: arguments.topics(from: 1)))
    },
    .call(
      "/subscribe/<port>", [topic], .session, "The same, for a button: with the port, or a topic, in the address."
    ) { arguments throws(WireError) in
      let text = arguments.texts.first ?? ""
      if let port = FeedbackPort(text) {
        return .session(.subscribe(port: port.number, topics: arguments.topics(from: 0)))
      }
      guard let topic = Topics(word: text) else {
        throw .unknownWord(
          argument: "port", word: text, choices: ["1024…65535"] + Topics.words.map(\.word), address: arguments.address)
      }
      return .session(.subscribe(port: nil, topics: topic.union(arguments.topics(from: 0) ?? [])))
    }.button,
    .session("/unsubscribe", .trigger, "No more feedback.", .unsubscribe),
    .session(
      "/controllers", .query,
      """
      Answers one `/controllers/item` for each controller that announces itself, then \
      `/controllers/end`. A connection is told again when the list changes.
      """, .controllers),
    .call(
      "/controller/lights", [.text("controller"), ArgumentSpec("on", .bool, optional: true)],
      .session,
      """
      Your lights and values go to the controller of that name, as if it had sent `/subscribe`, \
      and what it sends is yours; 0 ends that.
      """
    ) { arguments in
      guard let name = arguments.text(0) else { return nil }
      return .session(.controllerLights(name: name, isOn: arguments.bool(1) ?? true))
    },
    .call(
      "/cookie", [.text("cookie").secret], .session,
      "Echo of the cookie that was sent: the address is the sender's own."
    ) {
      $0.text(0).map { .session(.cookie($0)) }
    },
    .call(
      "/ping", [ArgumentSpec("arguments", .any, repeats: true)], .session,
      "Answers `/pong` with the same arguments, then the times received and sent.", access: .query
    ) { arguments in
      .session(.ping(arguments.values.compactMap { if case .raw(let argument)? = $0 { argument } else { nil } }))
    },
    .session(
      "/frame", .query,
      "Answers `/frame/at`: a frame of the room with its moment. That relation stays, at 48,000 frames a second.",
      .frame),
    hearing,
    .call(
      "/seq", [.integer("number")], .session,
      "First in a bundle: numbers it, so that repeats are dropped and order is restored over 20 ms."
    ) { _ throws(WireError) in throw .sequenceOutOfPlace },
    .call("/chat", [.text("text").secret], .player, "To everybody in the room.") {
      $0.text(0).map { .command(.chat($0)) }
    } write: {
      if case .chat(let text) = $0 { ([], [], [.string(text)]) } else { nil }
    },
    .list("/chats", "Answers one `/chats/item` for each of the last 50 lines, the oldest first.", .listChat),
    .call(
      "/react",
      [.choice("reaction", Reaction.allCases.map(\.word)), .name("player").optional], .player,
      """
      To everybody, as `/reacted`: `love`; `more`, four bars more; `turn`, it is that player's \
      turn. Four at once, then one a second.
      """
    ) { arguments in
      guard let reaction = arguments.text(0).flatMap({ Reaction(rawValue: $0) }) else { return nil }
      return .command(.react(reaction, to: arguments.name(1)))
    } write: {
      guard case .react(let reaction, let name) = $0 else { return nil }
      return ([], [], [.string(reaction.word)] + (name.map { [.string($0.text)] } ?? []))
    },
    reaction(.love), reaction(.more), reaction(.turn),
    .trigger("/panic", .player, "All of the sender's voices and holds end now.", .panic),
    .trigger("/room/panic", .host, "Everybody's voices and holds end now.", .panicEverybody),
    .channel { .channelGain($0) },
    .channel { .channelMute($0) },
    .channel { .channelSolo($0) },
    .channel { .roleOf($0) },
    .channel { .seatOf($0) },
    AddressEntry(
      "/player/<name>/kick", [.integer("seconds", 0...604_800, unit: "s").optional], .call, .host,
      "Sends a player out of the room, for ten minutes or so many seconds. Of one who has left, anybody ends the loop.",
      build: { arguments throws(WireError) in
        // A number below 2 is the pressure of a button.
        .command(.kick(try arguments.playerName(), seconds: arguments.integer(0).flatMap { $0 > 1 ? $0 : nil }))
      },
      write: {
        guard case .kick(let name, let seconds) = $0 else { return nil }
        return ([], [name.text], seconds.map { [.int32(Int32(clamping: $0))] } ?? [])
      }
    ).button,
    AddressEntry(
      "/player/<name>/admit", [], .trigger, .host,
      """
      Lets in who waits at the door; somebody who was put out, before the time is over; or lets play \
      who left as a listener by a host's word. Everybody is told 1 for who is in, 0 for who waits.
      """,
      build: { arguments throws(WireError) in .command(.admit(try arguments.playerName())) },
      write: { if case .admit(let name) = $0 { ([], [name.text], []) } else { nil } }),
    AddressEntry(
      "/player/<name>/takeback", [], .trigger, .host,
      """
      Takes back all that a player recorded, set and saved here, also of one who left; `/room/undo` \
      brings it back.
      """,
      build: { arguments throws(WireError) in .command(.takeBackAll(try arguments.playerName())) },
      write: { if case .takeBackAll(let name) = $0 { ([], [name.text], []) } else { nil } }),
    .setting(.lock),
    .setting(.door),
    .setting(.pinned),
    .channel { .mixGain($0) },
    .channel { .mixMute($0) },
    .trigger(
      "/mix/level", .player, "All players in your own streams as everybody hears them.", .levelMix),
  ]
}

extension AddressTable {
  /// A reaction as a button.
  private static func reaction(_ reaction: Reaction) -> AddressEntry {
    .trigger(
      "/react/\(reaction.word)", .player, "The same as `/react \(reaction.word)`, for a button.",
      .react(reaction, to: nil))
  }

  private static func share(_ name: String) -> ArgumentSpec { .float(name, 0...1).optional }
  private static func span(_ name: String) -> ArgumentSpec {
    .float(name, 0...Double(HearingReport.longest), unit: "ms").optional
  }

  /// The report of a client that plays the room's sound.
  private static let hearing = AddressEntry.call(
    "/hearing",
    [
      share("made-up"), share("loss"), span("round-trip"), span("jitter"), span("buffer"),
      span("output"), share("busy"),
    ], .session,
    """
    How the sound reaches you, each two seconds while it sounds: the shares since the last time \
    that were made up, lost, and in which your client was held up; and times. Makes your \
    `/player/light`. Without arguments: it sounds no more.
    """
  ) { arguments in
    guard let madeUp = arguments.float(0) else { return .session(.hearing(nil)) }
    return .session(
      .hearing(
        HearingReport(
          madeUp: madeUp, loss: arguments.float(1) ?? 0, roundTrip: arguments.float(2) ?? 0,
          jitter: arguments.float(3) ?? 0, buffer: arguments.float(4) ?? 0,
          output: arguments.float(5) ?? 0, busy: arguments.float(6) ?? 0)))
  }
}

extension AddressEntry {
  /// A request about the connection, without arguments.
  static func session(
    _ address: String, _ access: Access, _ summary: String, _ request: SessionRequest,
    write: (@Sendable (Command) -> Parts?)? = nil
  ) -> AddressEntry {
    AddressEntry(
      address, [], access, .session, summary, build: { _ throws(WireError) in .session(request) }, write: write)
  }

  /// A setting of a player, named in the address. Hosts change other players' settings with it.
  static func channel(_ setting: @escaping @Sendable (PlayerName) -> Setting) -> AddressEntry {
    let row = setting(PlayerName("player")!).row
    return AddressEntry(
      row.address, [row.access == .read ? ArgumentSpec(row) : ArgumentSpec(row).optional],
      Access(row.access), row.scope, row.summary,
      build: { arguments throws(WireError) in
        .command(arguments.command(of: setting(try arguments.playerName()), row.access))
      })
  }
}

extension Topics {
  fileprivate init?(word: String) {
    guard let topic = Topics.words.first(where: { $0.word == word })?.topic else { return nil }
    self = topic
  }
}

extension WireArguments {
  /// The topics that the arguments from `first` on name; nil where they name none.
  fileprivate func topics(from first: Int) -> Topics? {
    let topics = Range(from: first, to: values.count).compactMap { text($0).flatMap { Topics(word: $0) } }
    return topics.isEmpty ? nil : topics.reduce(into: []) { $0.formUnion($1) }
  }

  /// The text at `i`; nil where it is missing or empty.
  func filledText(_ i: Int) -> String? { text(i).flatMap { $0.isEmpty ? nil : $0 } }

  /// The name in the address.
  func playerName() throws(WireError) -> PlayerName {
    let text = texts.first ?? ""
    guard let name = PlayerName(text) else { throw .badName(argument: "player", name: text, address: address) }
    return name
  }
}
