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
