import ArgumentParser
import JamNet
import Testing

@testable import bandshell

@Suite("HOST:PORT")
struct ListeningTests {
  @Test(
    "what is typed is what is listened to",
    arguments: [
      ("127.0.0.1:8000", "127.0.0.1", 8000), ("[::1]:0", "::1", 0), ("*:65535", nil, 65535), (":8000", nil, 8000),
    ] as [(String, String?, UInt16)])
  func reading(text: String, host: String?, port: UInt16) throws {
    #expect(try Listening(text, option: "--osc") == Listening(host: host, port: port))
  }

  @Test(
    "serve names the option and the value that is wrong, and what would be right",
    arguments: ["nonsense", "host:", "host:x", "host:65536", "8000", ""])
  func wrong(text: String) throws {
    for option in ["--osc", "--http", "--media"] {
      let error = try #require(throws: (any Error).self) { _ = try Bandshell.parseAsRoot(["serve", option, text]) }
      #expect(Bandshell.exitCode(for: error).rawValue == 64)
      let message = Bandshell.fullMessage(for: error)
      #expect(message.contains("\(option) \(text): write HOST:PORT") && message.contains("Usage: bandshell serve"))
    }
  }

  @Test("one number for three ports is refused before anything is bound, by serve and by doctor")
  func oneNumber() throws {
    for command in ["serve", "doctor"] {
      let arguments = [command, "--osc", "*:9000", "--http", "*:9000", "--media", "*:9000"]
      let error = try #require(throws: (any Error).self) { _ = try Bandshell.parseAsRoot(arguments) }
      #expect(Bandshell.exitCode(for: error).rawValue == 64)
      let message = Bandshell.fullMessage(for: error)
      #expect(message.contains("--osc and --http both take TCP port 9000"))
      #expect(message.contains("as --http *:9001 --media *:9002") && message.contains("Usage: bandshell \(command)"))
    }
    _ = try Bandshell.parseAsRoot(["serve", "--http", "*:9000", "--media", "*:9000"])
  }

  @Test("loss is two shares of a hundred", arguments: ["30", "30,", "-1,5", "101,0", "a,b", "1,2,3", "nan,0"])
  func loss(text: String) throws {
    let error = try #require(throws: (any Error).self) { _ = try Bandshell.parseAsRoot(["serve", "--lose=\(text)"]) }
    #expect(Bandshell.fullMessage(for: error).contains("--lose \(text): write two numbers of 0…100, as 30,5"))
  }
}
