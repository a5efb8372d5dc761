import Testing

@testable import bandshell

/// What `serve --help` shows.
@Suite struct ServeHelpTests {
  @Test("options show their values and defaults in words") func values() {
    let help = ServeCommand.helpMessage(columns: 400)
    #expect(help.contains("(values: debug, info, warning, error; default: info)"))
    #expect(help.contains("x-forwarded-for, which is the default, or forwarded"))
  }

  @Test("a room that cannot have its name tells which one it has, and two that become one are one") func rooms() {
    let typed = ["a/b", "a_b", "garden", " my room "]
    #expect(ServerOptions.rooms(typed).map(\.text) == ["main", "a_b", "garden", "my_room"])
    let told = ServerOptions.renamed(typed)
    #expect(told.count == 2)
    #expect(told.first?.hasPrefix("--room “a/b” is served as “a_b”") == true)
    #expect(told.last?.hasPrefix("--room “ my room ” is served as “my_room”") == true)
  }

  @Test("a header of proxies without a proxy is refused, with what is missing") func headerAlone() throws {
    do {
      _ = try ServeCommand.parse(["--behind-header", "forwarded"])
      Issue.record("a header was taken without a proxy")
    } catch {
      #expect(ServeCommand.message(for: error).contains("add --behind"))
    }
    _ = try ServeCommand.parse(["--behind-header", "forwarded", "--behind", "10.0.0.1"])
  }
}
