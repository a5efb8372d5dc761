import JamNet
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

  @Test("--public takes names and one address, and says what is neither") func publicNames() throws {
    let names = try PublicNames(["jam.example.org", "203.0.113.7", "Club.example.org"])
    #expect(names.hosts == ["jam.example.org", "Club.example.org"])
    #expect(names.address?.hostText == "203.0.113.7")
    #expect(names.all == ["jam.example.org", "203.0.113.7", "Club.example.org"])
    #expect(try PublicNames([]).address == nil)
    let wrong = [["https://jam.example.org"], ["jam.example.org:8088"], ["a b"], [""], ["203.0.113.7", "2001:db8::7"]]
    for values in wrong { #expect(throws: (any Error).self, "\(values)") { try PublicNames(values) } }
    do {
      _ = try ServeCommand.parse(["--public", "jam.example.org:8088"])
      Issue.record("a name with a port was taken")
    } catch {
      #expect(ServeCommand.message(for: error).contains("neither a name nor an address"))
    }
    _ = try ServeCommand.parse(["--public", "jam.example.org", "--public", "203.0.113.7"])
  }
}
