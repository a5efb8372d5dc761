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
