import Testing

@testable import JamListen

struct ListenURLTests {
  @Test("a server, its streams and its rooms, with and without a port")
  func addresses() throws {
    let plain = try #require(ListenURL("http://jam.local"))
    #expect(plain.host == "jam.local" && plain.port == 8_088 && plain.target == "/listen.sdp" && plain.kind == .rtp)
    let ogg = try #require(ListenURL("HTTP://10.0.0.5:80/listen.opus?bitrate=96000#x"))
    #expect(ogg.port == 80 && ogg.kind == .ogg && ogg.target == "/listen.opus?bitrate=96000")
    let room = try #require(ListenURL("http://[::1]:9000/rooms/cellar?frame=2.5"))
    #expect(room.host == "::1" && room.authority == "[::1]:9000")
    #expect(room.target(adding: "port=5") == "/rooms/cellar/listen.sdp?frame=2.5&port=5")
    #expect(try #require(ListenURL("http://h/?click=1")).target == "/listen.sdp?click=1")
    #expect(plain.target(adding: "port=5") == "/listen.sdp?port=5")
  }

  @Test("a player's words are added to the query, each encoded, and found there")
  func words() throws {
    var url = try #require(ListenURL("http://h/rooms/cellar?frame=2.5"))
    #expect(url.asks("frame") && !url.asks("player") && !url.asks("fram"))
    url.ask("player", "Änn&Co=1 ~")
    url.ask("without", "me")
    #expect(url.target == "/rooms/cellar/listen.sdp?frame=2.5&player=%C3%84nn%26Co%3D1%20~&without=me")
    #expect(url.asks("player") && url.asks("without") && !url.asks("token"))
    var plain = try #require(ListenURL("http://h/listen.opus"))
    plain.ask("token", "a/b")
    #expect(plain.target == "/listen.opus?token=a%2Fb")
  }

  @Test("the OSC port in what the server says of itself")
  func oscPort() {
    let open = #"{"status":"ok","room":"main","password":false,"osc":{"port":8000,"hosts":[]},"bpm":120}"#
    #expect(ListenURL.oscPort(inHealth: open) == 8_000)
    #expect(ListenURL.oscPort(inHealth: #"{"status":"ok","password":true}"#) == nil)
    #expect(ListenURL.oscPort(inHealth: #"{"osc":{"port":70000}}"#) == nil)
    #expect(ListenURL.oscPort(inHealth: "<!doctype html>") == nil)
  }

  @Test(
    "what is no address to listen at is none",
    arguments: [
      "", "jam.local", "https://jam.local", "http://", "http://:80", "http://h:0/", "http://h:99999/", "http://h:x/",
      "http://u@h/", "http://h/other", "http://h/listen.sdp\r\nX: y", "http://h/listen.mp3",
    ])
  func refused(text: String) {
    #expect(ListenURL(text) == nil)
  }
}
