internal import JamCore

extension AddressTable {
  /// The server's messages.
  static let sentRows: [AddressEntry] = [
    .sent("/beat", .beat, beatArguments, "At the beat.") {
      if case .beat(let bar, let beat, let bpm) = $0 { beatValues(bar, beat, bpm) } else { nil }
    },
    .sent("/beat/next", .nextBeat, beatArguments, "One beat ahead, in a bundle timetagged with the moment.") {
      if case .nextBeat(let bar, let beat, let bpm, _) = $0 { beatValues(bar, beat, bpm) } else { nil }
    },
    .sent(
      "/position", .position, [.integer("bar"), .integer("beat"), .float("phase", 0...1), .float("bpm", unit: "bpm")],
      "Where the room is, 30 times a second; bars and beats count from 1."
    ) {
      guard case .position(let bar, let beat, let phase, let bpm) = $0 else { return nil }
      return [.int32(Int32(clamping: bar)), .int32(Int32(clamping: beat)), .float(phase), .float(bpm)]
    },
    .sent("/position/bar", .position, [.integer("bar")], "The same for controllers that take one argument.") {
      if case .position(let bar, _, _, _) = $0 { [.int32(Int32(clamping: bar))] } else { nil }
    },
    .sent("/position/beat", .position, [.integer("beat")], "Likewise.") {
      if case .position(_, let beat, _, _) = $0 { [.int32(Int32(clamping: beat))] } else { nil }
    },
    .sent("/position/phase", .position, [.float("phase", 0...1)], "Likewise.") {
      if case .position(_, _, let phase, _) = $0 { [.float(phase)] } else { nil }
    },
    .sent("/loop/position", .loopPosition, [.float("phase", 0...1)], "How far your loop has gone round.") {
      if case .loopPosition(let phase) = $0 { [.float(phase)] } else { nil }
    },
    .sent(
      "/hit", .hit,
      [.text("player"), ArgumentSpec("pad", .pad), .float("velocity", 0...1), .integer("bar"), .float("beat")],
      "Somebody's hit sounds; where, the beat with its fraction. A hit that waits for its time is told then."
    ) {
      guard case .hit(let player, let pad, let velocity, let bar, let beat) = $0 else { return nil }
      return [
        .string(player.text), .int32(Int32(pad.number)), .float(velocity), .int32(Int32(clamping: bar)), .float(beat),
      ]
    },
    .sent(
      "/receipt", .receipt, [ArgumentSpec("pad", .pad), .integer("bar"), .float("beat"), .float("shift", unit: "ms")],
      "To the one who hit: where it is recorded, and how far it was moved there, or its sound one loop on."
    ) {
      guard case .receipt(let pad, let bar, let beat, let shift) = $0, !pad.isKey else { return nil }
      return [.int32(Int32(pad.number)), .int32(Int32(clamping: bar)), .float(beat), .float(shift)]
    },
    .sent(
      "/late", .late, [ArgumentSpec("pad", .pad), .float("late", unit: "ms")],
      "To the one who hit: it sounded this much after the moment that its timetag named."
    ) {
      if case .late(let pad, let milliseconds) = $0, !pad.isKey {
        [.int32(Int32(pad.number)), .float(milliseconds)]
      } else {
        nil
      }
    },
    .sent(
      "/meter", .meter, [.text("player"), .float("left", unit: "dBFS"), .float("right", unit: "dBFS")],
      "Peaks, 20 times a second; `master` is the mix."
    ) {
      if case .meter(let player, let left, let right) = $0 {
        [.string(player), .float(left), .float(right)]
      } else {
        nil
      }
    },
    .sent(
      "/loudness", .loudness,
      [.float("momentary", unit: "LUFS"), .float("short-term", unit: "LUFS"), .float("limited", unit: "dB")],
      """
      Of the mix, 20 times a second: over the last 0.4 s and the last 3 s, −120 for silence; and how far the \
      limiter turned it down.
      """
    ) {
      guard case .loudness(let momentary, let shortTerm, let limited) = $0 else { return nil }
      return [.float(momentary), .float(shortTerm), .float(limited)]
    },
    .sent(
      "/master/leveller/gain", .levellerGain, [.float("gain", -120...0, unit: "dB")],
      """
      To players with a stream `without=me`: how far the leveller turns the mix down. Once as such a \
      stream opens, with `/sync`, and on a change of 0.2 dB, at most 10 times a second.
      """
    ) {
      if case .levellerGain(let gain) = $0 { [.float(gain)] } else { nil }
    },
    .sent("/clip", .clip, [.text("player")], "The channel went above full scale.") {
      if case .clip(let player) = $0 { [.string(player)] } else { nil }
    },
    .sent("/chat", .chat, [.text("player"), .text("text")], "Somebody said something.") {
      if case .chat(let player, let text) = $0 { [.string(player.text), .string(text)] } else { nil }
    },
    .sent(
      "/chats/item", .chatItem, [.text("player"), .text("text"), .integer("seconds", unit: "s ago")],
      "Answer to `/chats`: what somebody said, and how long ago."
    ) {
      guard case .chatItem(let player, let text, let seconds) = $0 else { return nil }
      return [.string(player.text), .string(text), .int32(Int32(clamping: seconds))]
    },
    .sent(
      "/reacted", .reacted,
      [.text("player"), .choice("reaction", Reaction.allCases.map(\.word)), .text("to")],
      "Somebody reacted (`/react`); the last name is the player who is meant, empty is everybody."
    ) {
      guard case .reacted(let reaction, let player, let name) = $0 else { return nil }
      return [.string(player.text), .string(reaction.word), .string(name?.text ?? "")]
    },
    .sent(
      "/journal/state", .journal, [.text("state"), .text("reason")],
      """
      Whether the room is `kept` beyond the server's end, is `late` for a slow disk, writing it is `failing` \
      and why, or nothing is kept (`off`): on a change, and with `/sync`.
      """
    ) {
      if case .journal(let report) = $0 { [.string(report.state.rawValue), .string(report.reason)] } else { nil }
    },
    .sent(
      "/player/loop", .playerLoop,
      [
        .text("player"), .text("state"), .integer("layers"), .integer("bars"), .float("length", unit: "beats"),
        .float("origin", unit: "counted beats"), .float("turn", unit: "counted beats"), .text("next"),
        .integer("mark"),
      ],
      """
      What somebody's loop does, yours too, in the words of `/loop/state`: on a change, and with `/sync`. \
      The origin and the next turn (−1: none) count the signature's beats from bar 1; `next` is what waits \
      for that turn; with another mark `/loop/notes` has other notes.
      """
    ) {
      guard case .playerLoop(let loop) = $0 else { return nil }
      return [
        .string(loop.player.text), .string(loop.state), .int32(Int32(clamping: loop.layers)),
        .int32(Int32(clamping: loop.bars)), .float(loop.length), .float(loop.origin), .float(loop.turn),
        .string(loop.next), .int32(loop.mark),
      ]
    },
    .sent(
      "/player/latency", .playerLatency, [.text("player"), .float("latency", unit: "ms")],
      "From somebody's tap to its ear, yours too, as `/latency` told it: on a change, and with `/sync`."
    ) {
      guard case .playerLatency(let player, let milliseconds) = $0 else { return nil }
      return [.string(player.text), .float(milliseconds)]
    },
    .sent(
      "/player/light", .playerLight,
      [.text("player"), .float("light", -1...1), .text("cause"), .text("remedy")],
      """
      To the player and to hosts, on a change and with `/sync`: how well the player hears the \
      room. 1 is green, 0.5 amber, 0 red, −1 off: nothing tells that it listens. The causes: \
      `network` `buffer` `output` `computer` `server` `silence`; the remedies: `cable` `interval` \
      `reload` `udp` `wire` `programs` `relieve` `look`; both are empty for green and off.
      """
    ) {
      guard case .playerLight(let player, let light) = $0 else { return nil }
      return [
        .string(player.text), .float(light.lamp.number), .string(light.cause?.rawValue ?? ""),
        .string(light.remedy?.rawValue ?? ""),
      ]
    },
    .sent(
      "/player/away", .playerAway, [.text("player"), ArgumentSpec("away", .bool)],
      "Somebody's connection ended: it leaves a minute later, but where it comes back; and with `/sync`."
    ) {
      if case .playerAway(let player, let isAway) = $0 { [.string(player.text), .int32(isAway ? 1 : 0)] } else { nil }
    },
    .sent("/player/gone", .playerGone, [.text("player")], "Somebody left, or goes on under another name.") {
      if case .playerGone(let player) = $0 { [.string(player.text)] } else { nil }
    },
    .sent(
      "/kicked", .kicked, [.text("host"), .integer("seconds", unit: "s")],
      "To the one whom a host put out of the room, and for how long."
    ) {
      guard case .kicked(let host, let seconds) = $0 else { return nil }
      return [.string(host.text), .int32(Int32(clamping: seconds))]
    },
    .sent(
      "/kits/item", .kitItem,
      [.integer("index"), .text("id"), .text("name"), .text("category"), .text("description")], "Answer to `/kits`."
    ) {
      guard case .kitItem(let index, let id, let name, let category, let description) = $0 else { return nil }
      return [.int32(Int32(clamping: index)), .string(id), .string(name), .string(category), .string(description)]
    },
    .sent(
      "/samples/item", .sampleItem, [.text("id"), .text("name"), .text("category")], "Answer to `/samples`."
    ) {
      guard case .sampleItem(let id, let name, let category) = $0 else { return nil }
      return [.string("\(id)"), .string(name), .string(category)]
    },
    .sent("/kits/gone", .kitGone, [.text("id")], "A host deleted a saved kit; the places of the others stay.") {
      if case .kitGone(let id) = $0 { [.string(id)] } else { nil }
    },
    .sent("/samples/gone", .sampleGone, [.text("id"), .text("name")], "A host deleted what was brought along.") {
      if case .sampleGone(let id, let name) = $0 { [.string("\(id)"), .string(name)] } else { nil }
    },
    .sent(
      "/error", .refused, [.text("address"), .text("reason"), .text("code")],
      "What was wrong, and what would be right. The reason is for people; programs go by the [code](errors.md)."
    ) { event in
      guard case .refused(let command, let refusal) = event else { return nil }
      return [
        .string(AddressTable.standard.message(for: command)?.address ?? ""), .string(refusal.words),
        .string(refusal.code.text),
      ]
    },
    .sent(
      "/notice", .notice, [.text("address"), .text("text"), .text("code")],
      """
      To the one who sent it: it was understood, but may have been meant otherwise, or it changed nothing. \
      Programs go by the code: `velocities-are-midi` `clock-in-pairs` `not-taken-back` `not-done-again` \
      `still-played` `not-subscribed` `state-later` `values-are-midi`.
      """
    ) {
      guard case .notice(let notice) = $0 else { return nil }
      return [.string(notice.address), .string(notice.text), .string(notice.code)]
    },
    .answer(
      "/welcome",
      [
        .text("room"), .text("player"), .integer("version"), .float("bpm", unit: "bpm"), .integer("beatsPerBar"),
        .text("token").secret,
      ], "Answer to `/hello`; the token resumes the same player."
    ),
    .answer(
      "/pong",
      [
        ArgumentSpec("arguments", .any, repeats: true), ArgumentSpec("received", .timetag),
        ArgumentSpec("sent", .timetag),
      ], "Answer to `/ping`: its own arguments, then the server's clock."
    ),
    .answer(
      "/frame/at", [ArgumentSpec("frame", .long), ArgumentSpec("moment", .timetag)],
      """
      Answer to `/frame`: at that moment of the server's clock the room is at that frame. RTP timestamps are \
      frames' low 32 bits.
      """
    ),
    .answer("/cookie", [.text("cookie").secret], "Echo it, and feedback flows."),
    .answer(
      "/monitor",
      [
        ArgumentSpec("frame", .long), .text("sender"), .text("player"),
        .choice("transport", ["udp", "tcp", "websocket"]), .text("address"), .text("arguments"),
        .choice("verdict", ["understood", "noticed", "refused", "ignored"]), .text("reason"),
        .text("code"),
      ],
      """
      To subscribers to `monitor`: a message that came, without its secrets. The reason is the \
      message as it was understood, or why it was refused; 100 a second at most.
      """
    ),
    .answer(
      "/monitor/more", [.integer("count")],
      "So many messages more came since the last time, and were not told by `/monitor`."
    ),
    .answer(
      "/monitor/scope", [.choice("scope", ["own", "all"])],
      """
      Whose messages `/monitor` tells. A host sees `all` of the room, anybody else those of the \
      same player and of its own network address. On a change, and with the subscription.
      """
    ),
    .answer(
      "/controllers/item",
      [
        .text("controller"), .text("host"), ArgumentSpec("port", .port), .text("state"),
        .text("player"),
      ],
      """
      Answer to `/controllers`: a controller that announces itself, and where. It shows no lights \
      (`off`), yours (`on`), or those of another player (`taken`).
      """
    ),
    .answer("/controllers/end", [.integer("count")], "The list of controllers is complete."),
  ]

  private static let beatArguments: [ArgumentSpec] = [.integer("bar"), .integer("beat"), .float("bpm", unit: "bpm")]

  private static func beatValues(_ bar: Int, _ beat: Int, _ bpm: Float) -> [OSCArgument] {
    [.int32(Int32(clamping: bar)), .int32(Int32(clamping: beat)), .float(bpm)]
  }
}
