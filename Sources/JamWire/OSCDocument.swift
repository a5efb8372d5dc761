internal import JamCore

/// `Protocol/osc.md`, written from the address table.
public enum OSCDocument {
  public static func markdown(_ table: AddressTable = .standard) -> String {
    var text = """
      # OSC addresses

      Generated from the address table by `bandshell`'s tests; change the table, not this page.
      Types are those that the server sends: `f` float, `i` int, `h` 64-bit int, `s` string, `t` timetag. It accepts `i f d h` alike
      for numbers, and `T F` or a number for what is on or off. `?` marks an optional argument, `*` any number of them.
      A trigger acts on no argument or a value above 0. A switch without a value toggles; a setter without one answers.
      Where words are listed, a word is taken or its index from 0, as whatever number; a name, a text or an id has no index, but for `/kit`.
      `/room/<name>` in front addresses a room, `/player/<name>` a player, for that player or a host.

      - **Ways in.** UDP (IPv4 and IPv6), and TCP on the same port, framed by length (int32, big-endian) or by SLIP with an END on both sides; which one is seen from the
        first bytes. Packets have \(Limits.standard.datagramBytes) bytes at most over UDP, \(Limits.standard.framedPacketBytes) over TCP and WebSocket; bundles nest \(Limits.standard.bundleDepth) deep, and a text
        has \(Limits.standard.textBytes) bytes at most.
      - **WebSocket.** `GET /osc` on the HTTP port (`/rooms/<room>/osc` for another room, `?password=` as for streams, or `/password` once it is open): one packet in each binary message. A text
        message is closed with 1003, too long a one with 1009, half of one that waits 10 s with 1008. Pages of other sites get 403. Nobody
        is a host by where a connection comes from: `/host` with the word makes one.
      - **Addresses** are printable text without spaces; names in them may be of any script, in UTF-8. A slash that is missing in front of a small letter is put there.
        Without a type tag string, four bytes behind the address are a float, or an int where they would be no float that anybody sends; more of them is an `/error`.
      - **Patterns** (`* ? [1-4] {1,3}`) expand over the sender's own pads and settings: `/pad/{1,3} 1.0` hits pads 1 and 3, `/pad/*/gain -6` sets 16 levels, `/key/{60,64,67} 1.0` presses a chord. Of a pad's buttons
        (`cancel`, `reset`, …) those are pressed whose word stands in the pattern as it is.
      - **Velocities.** 0 is the release, 1 is full, and so is what comes without a number or as `T`. From a
        player's first number above 1 on its integers, and its floats from 2 on, are MIDI's velocities, 127
        being full; its floats up to 1 stay what they are. It is told once, by `/notice`. `/velocity/max`
        sets by hand what is full, for all its numbers: with 1 nothing is recognised. What is set with a
        velocity (a step, a note, a block's step) takes the same numbers; up to 1 they are a share of full.
      - **Ports.** `/subscribe` with a port sends feedback and answers there. A button's 1, and every port below 1024, is the sender's own port. A float from 1024 on is a port as well as
        a fader's place: that port and the sender's own have the feedback. `/subscribe/9000` has the port in its address, for buttons. After `/hello` the sender's own port has
        feedback and answers again, beside one that it asked for.
      - **Who is who.** A sender without a name is a guest until 60 s of silence: over UDP one for each address, over TCP and WebSocket one for each connection, which ends with it. `/hello` gives it a name, a token that resumes the player, and feedback
        to its own port. A name comes back without a token once its old port is silent: not its role, see [room.md](room.md). Wrong passwords and host words cost, by
        whatever way they come, and so do wrong tokens over HTTP: ten at once from one address (IPv6: one /64), then one a second. Beyond that a word waits for its turn, right or wrong, and is answered then; one word of each
        connection and eight of an address wait, and what is more is refused. Right words cost nothing, a right one of 16 bytes or more (host words without spaces and hyphens) never waits, and whoever shows the token of a player in the room waits for nobody. Leases of feedback: 15 min on attached networks, else 60 s, renewed by any message.
      - **Whose address.** The address of a datagram may be forged, but for loopback ones. An address has proven itself when the `/cookie s` that was sent there came back
        from it; `/hello` and `/subscribe` bring one. Before that a host's commands are refused there, and little is sent there: on other networks than the server's own no
        more bytes than came, no subscription; on attached ones four times the bytes that came (headers counted), after five seconds of traffic up to sixteen. Positions
        and meters are left out first, values wait, and the full state comes when there is credit for it, or at once with the cookie. How many places an address has, and how long a
        kick lasts, is in [room.md](room.md).
      - **Timetags** are in the server's clock (`/ping` tells it). Up to \(Int(saturating: Limits.standard.timetagAhead.seconds)) s ahead
        a command waits for its time, to the frame; then it takes effect and is told. Commands are carried
        out in the order of their times, whatever order they were sent in: so a release ends the press that
        is before it in time. Send them 50 ms ahead or more. A `/panic` without a timetag ends what was sent
        for later, too, and `/pad/<n>/cancel` the hits among it. What is past plays now
        and a hit is answered by `/late`, as is a hit more than \(Int(saturating: Limits.standard.unpingedTimetag.seconds)) s ahead from a client that never sent `/ping`. Further ahead is an `/error`.
      - **What was heard.** `/heard h` at the head of a bundle (behind `/seq`) holds for the hits and releases in it: the timestamp of the RTP stream that the player was hearing, which is the low 32
        bits of the room's frame. Clients without 64-bit integers send them as a signed one. Another `/heard` behind the first holds for what follows it. With `/timing heard` a hit sounds at once and is recorded there, with `interval` it sounds one loop after there. A hit with a
        timestamp in the future, \(Int(saturating: Limits.standard.heardBehind.seconds)) s ago or before the player joined, or with `/timing live`, is an `/error` and no hit; a release then counts where it arrives.
        Who never sent `/timing` is taken at its word: its first `/heard` makes its timing `heard`, and it is told so. `/timing/chosen` says whether `/timing` was sent.
        `/frame` asks which frame is at which moment of the server's clock.
      - **Doubled and lost packets.** `/seq i` first in a bundle numbers it. Repeats are dropped: the same number within 100 ms, and the same bytes with it within 1.5 s.
        Hits wait for nothing: each sounds where its own time says, also one that comes behind later numbers. Releases, settings and hits behind a setting of their own bundle wait up to 20 ms for the
        numbers before them. A release that comes later still lets go, unless its pad was hit again since
        and it would end that hit by its own time; a setting that comes later is dropped and answered by an `/error`.
        `/metrics` counts what never came (`osc_lost_total`), what was dropped (`osc_late_total`) and repeats (`osc_repeated_total`). `/hello` begins a new count, and so does a program that begins again: a number that
        came before counts as new where it is no repeat. Over TCP and WebSocket nothing waits.
        Without `/seq` and without `/hello`, a packet that comes again within 2 ms is dropped, as some controllers send everything twice, until the sender has sent four packets in a row
        that came once. A held pad ends 16 s after its player's last message.
      - **Feedback** comes at the control's own address, 30 times a second at most, the latest value winning, and not to the connection that set that control to a value, however late it takes effect; what is pressed without one (`/stop`, `/metronome`) is told there, too. More than 16 messages at
        once (the full state, a list, another kit) come in bundles.
      - **Too much.** Hits go first. Everything else takes its turn: each sender, and all senders of one address together (in IPv6 of one network of 64 bits), has a share of the
        server's time, and what takes longer uses more of it. A sender's own order stays. While a value of a continuous control waits, a newer one of the same control takes its place;
        the last one always arrives. What finds no place is dropped and answered by an `/error` now and then; `/metrics` counts it. The answer to `/sync`, and the state after `/hello`,
        may come in several turns: each value is the one of the moment when it is sent. So may a bundle be carried out, and what a pattern
        matches: 4,096 addresses at once, then 2,000 a second.
      - **Unknown addresses** are answered by an `/error` that names the one that may have been meant. The same one again within half a second is dropped unanswered.

      """
    for section in AddressEntry.Section.allCases {
      text += "\n## \(section.rawValue)\n\n"
      text +=
        section == .sent
        ? "| address | arguments | what it tells |\n|---|---|---|\n"
        : "| address | arguments | access | scope | what it does |\n|---|---|---|---|---|\n"
      for entry in table.entries where entry.section == section {
        let arguments = entry.arguments.map(describe).joined(separator: "<br>")
        text += "| `\(entry.template)` | \(arguments) |"
        if section != .sent { text += " \(entry.access.rawValue) | \(entry.scope.rawValue) |" }
        text += " \(entry.summary) |\n"
      }
    }
    return text + errors
  }

  /// The codes of `/error`, each with an example of its reason.
  private static var errors: String {
    let rows = ErrorExamples.all.map { "| `\($0.code.rawValue)` | \($0.text) |\n" }
    return """

      ## Codes of errors

      The third argument of `/error` is a code. Programs compare the code: it stays as it is. The reason, of which this table shows an
      example, is for people: it names what it is about, and may change. New codes may come. An answer by HTTP carries
      the code of its reason in the header `\(ErrorCode.header)`; a reason that has none here comes without the header.

      | code | an example of its reason |
      |---|---|

      """ + rows.joined()
  }

  private static func describe(_ spec: ArgumentSpec) -> String {
    let mark = spec.repeats ? "*" : spec.isOptional ? "?" : ""
    let range = spec.rangeText
    return "`\(spec.tag)\(mark):\(spec.name)`" + (range.isEmpty ? "" : " \(range)")
  }
}
