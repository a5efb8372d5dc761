import Testing

@testable import bandshell

/// What `serve --help` shows.
@Suite struct ServeHelpTests {
  @Test("options show their values and defaults in words") func values() {
    let help = ServeCommand.helpMessage(columns: 400)
    #expect(help.contains("(values: debug, info, warning, error; default: info)"))
    #expect(help.contains("x-forwarded-for, which is the default, or forwarded"))
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
