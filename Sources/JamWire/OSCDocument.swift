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
      `/room/<name>` in front addresses a room, `/player/<name>` a player, for that player or a host.

      - **Ways in.** UDP (IPv4 and IPv6), and TCP on the same port, framed by length (int32, big-endian) or by SLIP with an END on both sides; which one is seen from the
        first bytes. Packets have \(Limits.standard.datagramBytes) bytes at most over UDP, \(Limits.standard.framedPacketBytes) over TCP and WebSocket; bundles nest \(Limits.standard.bundleDepth) deep.
      - **WebSocket.** `GET /osc` on the HTTP port (`/rooms/<room>/osc` for another room, `?password=` as for streams, or `/password` once it is open): one packet in each binary message. A text
        message is closed with 1003, too long a one with 1009, half of one that waits 10 s with 1008. Pages of other sites get 403. Whoever joins from the server's own machine, by
        `localhost` or an address and past no proxy, is a host.
      - **Addresses** are printable text without spaces; names in them may be of any script, in UTF-8.
      - **Who is who.** A sender without a name is a guest, one for each host, until 60 s of silence. `/hello` gives it a name, a token that resumes the player, and feedback
        to its own port; over UDP the same host and name resume too. Wrong passwords and host words: ten at once from one host, then one every two seconds; right passwords cost nothing. Leases of feedback: 15 min on attached networks, else 60 s, renewed by any message.
      - **Timetags** are in the server's clock (`/ping` tells it). Up to \(Int(Limits.standard.timetagAhead.seconds)) s ahead a command waits for its time, to the frame; then it takes effect and is told. What is past plays now
        and a hit is answered by `/late`, as is a hit more than \(Int(Limits.standard.unpingedTimetag.seconds)) s ahead from a client that never sent `/ping`. Further ahead is an `/error`.
      - **What was heard.** `/heard h` at the head of a bundle (behind `/seq`) holds for the hits and releases in it: the timestamp of the RTP stream that the player was hearing, which is the low 32
        bits of the room's frame. Clients without 64-bit integers send them as a signed one. Another `/heard` behind the first holds for what follows it. With `/timing heard` a hit sounds at once and is recorded there, with `interval` it sounds one loop after there. A hit with a
        timestamp in the future, \(Int(Limits.standard.heardBehind.seconds)) s ago or before the player joined, or with `/timing live`, is an `/error` and no hit; a release then counts where it arrives.
      - **Doubled and lost packets.** `/seq i` first in a bundle numbers it: repeats are dropped, order is restored. Without it, and without `/hello`, a packet that comes again within 2 ms is
        dropped. A held pad ends 16 s after its player's last message.
      - **Feedback** comes at the control's own address, 30 times a second at most, the latest value winning, and not to the connection that set that control to a value; what is pressed without one (`/stop`, `/metronome`) is told there, too. More than 16 messages at
        once (the full state, a list, another kit) come in bundles.

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
    return text
  }

  private static func describe(_ spec: ArgumentSpec) -> String {
    let mark = spec.repeats ? "*" : spec.isOptional ? "?" : ""
    let range = spec.rangeText
    return "`\(spec.tag)\(mark):\(spec.name)`" + (range.isEmpty ? "" : " \(range)")
  }
}
