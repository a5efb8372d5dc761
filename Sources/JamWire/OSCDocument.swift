internal import JamCore

/// The pages of `Protocol/` that are made from the address table: `osc.md`, which is the index of all
/// addresses, and a page for each family of them in `Protocol/osc/`.
///
/// The tests write the pages and compare them. Each entry of a page is one bullet, which programs of
/// the tests read, too: the address, what it is and whose, and its arguments up to the backslash; then
/// what it does.
public enum OSCDocument {
  public struct Page: Sendable {
    /// In `Protocol/`.
    public let path: String
    public let text: String
  }

  public static func pages(_ table: AddressTable = .standard) -> [Page] {
    [Page(path: "osc.md", text: index(of: table))]
      + AddressEntry.Section.allCases.map { Page(path: "osc/\($0.fileName)", text: page(of: $0, in: table)) }
      + [Page(path: "osc/errors.md", text: errors)]
  }

  // MARK: The index

  private static func index(of table: AddressTable) -> String {
    let families = AddressEntry.Section.allCases.map { "- [\($0.rawValue)](osc/\($0.fileName))\n" }.joined()
    return """
      # OSC addresses

      This page lists every address, with the page that tells of it. [How to speak to the
      server](README.md) is the place to begin. The pages are made from the server's own table by its
      tests: change the table, not the pages.

      \(families)- [Codes of errors](osc/errors.md)

      ## How to read an entry

      An entry names the address, then in brackets its kind and its owner, then its arguments.

      - **Arguments.** `f` is a float, `i` an int, `h` a 64-bit int, `s` a string, `t` a timetag. These
        are the types that the server sends. It takes `i f d h` alike for numbers, and `T F` or a number
        for on and off. `?` marks an optional argument, `*` any number of them.
      - **Words.** Where an entry lists words, the server takes a word, or its index from 0 as any kind
        of number. A name, a text or an id has no index, except for `/kit`.
      - **trigger**: acts on no argument, or on a value above 0.
      - **switch**: a value sets it; without one it toggles.
      - **setter**: a value sets it; without one the server answers with the value.
      - **read only** and **query**: the server answers. **call**: asks for something, with arguments.
      - **Owner**: a `pad` of the player, the `player`, or the `room`. A `host` alone may send what has
        that word; `session` means the connection itself.
      - `/room/<name>` in front of an address addresses that room. `/player/<name>` in front addresses
        that player, and is for the player and for hosts. `/seat/<n>` in front addresses the player
        who sits there.

      ## Index

      | address | kind | told in |
      |---|---|---|

      """ + rows(of: table).joined()
  }

  /// One for each address, in order; an address that is taken and sent has both pages.
  private static func rows(of table: AddressTable) -> [String] {
    var found: [String: [AddressEntry]] = [:]
    for entry in table.entries { found[entry.template, default: []].append(entry) }
    return found.sorted { $0.key < $1.key }.map { address, entries in
      var kinds: [String] = []
      var pages: [String] = []
      for entry in entries {
        let page = "[\(entry.section.name)](osc/\(entry.section.fileName))"
        if !kinds.contains(entry.access.rawValue) { kinds.append(entry.access.rawValue) }
        if !pages.contains(page) { pages.append(page) }
      }
      return "| `\(address)` | \(kinds.joined(separator: ", ")) | \(pages.joined(separator: ", ")) |\n"
    }
  }

  // MARK: The families

  private static func page(of section: AddressEntry.Section, in table: AddressTable) -> String {
    let entries = table.entries.filter { $0.section == section }.map(bullet)
    let introduction =
      section.introduction + " [How to read an entry](../osc.md#how-to-read-an-entry) tells of the brackets and the"
      + " arguments. This page is made from the server's table."
    return "# \(section.rawValue)\n\n\(ProseWrap.paragraph(introduction))\n\(entries.joined())"
  }

  private static func bullet(_ entry: AddressEntry) -> String {
    let kind = entry.section == .sent ? "" : " (\(entry.access.rawValue), \(entry.scope.rawValue))"
    let arguments = entry.arguments.map(describe).joined(separator: " · ")
    let head = "**`\(entry.template)`**\(kind)" + (arguments.isEmpty ? "" : " \(arguments)")
    return ProseWrap.bullet("\(head)\\") + ProseWrap.lines(entry.summary)
  }

  private static func describe(_ spec: ArgumentSpec) -> String {
    let mark = spec.repeats ? "*" : spec.isOptional ? "?" : ""
    let range = spec.rangeText
    return "`\(spec.tag)\(mark):\(spec.name)`" + (range.isEmpty ? "" : " \(range)")
  }

  // MARK: Errors

  /// The codes of `/error`, each with an example of its reason.
  private static var errors: String {
    """
    # Codes of errors

    The third argument of `/error` is a code. Programs compare the code, because it stays as it is. The
    reason is for people: it names what it is about, and may change. This page shows an example of each
    reason. New codes may come. An answer by HTTP has the code of its reason in the header
    `\(ErrorCode.header)`; a reason that has no code here comes without the header.


    """ + ErrorExamples.all.map { ProseWrap.bullet("`\($0.code.text)`: \($0.text)") }.joined()
  }
}

extension AddressEntry.Section {
  /// The case's own name, one word.
  fileprivate var name: String { "\(self)" }

  fileprivate var fileName: String { "\(name).md" }

  /// What the page is about, and where its rules are told.
  fileprivate var introduction: String {
    switch self {
    case .players:
      "Names, roles, chat and the channels of players. Rules: [rooms](../room.md), [senders](../senders.md)."
    case .pads: "Pads, their settings and kits. Rules: [kits](../kit.md), [sounds](../sounds.md)."
    case .keys: "Keys, chords and instruments. Rules: [instruments](../instruments.md), [chords](../chords.md)."
    case .effects: "The effects of pads, players and the room. Rules: [effects](../effects.md)."
    case .clock: "Tempo, bars, transport and build-ups. Rules: [time](../time.md)."
    case .loops: "Loops, steps, lanes, blocks and scenes. Rules: [loops](../loops.md)."
    case .projects: "Projects and their versions. Rules: [projects](../projects.md)."
    case .takes: "Takes, and files that are made of them. Rules: [takes](../takes.md)."
    case .library: "Search in kits, blocks and sounds. Rules: [the library](../library.md)."
    case .sent: "Messages that the server sends by itself. Rules: [feedback](../feedback.md)."
    }
  }
}
