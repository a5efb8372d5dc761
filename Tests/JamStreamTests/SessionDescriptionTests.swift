import JamNet
import Testing

@testable import JamStream

struct SessionDescriptionTests {
  @Test("the SDP file is as players want it, byte for byte")
  func golden() {
    let description = SessionDescription(
      title: "main", origin: .ipv4(192, 168, 1, 1), listener: .ipv4(192, 168, 1, 5, port: 5_004),
      reportPort: 8_089, profile: .rtp, session: 3_900_000_000)
    let renewal =
      "i=this RTP stream ends after 30 s: repeat the request each 20 s, as for ffmpeg, or send RTCP "
      + "receiver reports to UDP port 8089"
    #expect(
      description.text.split(separator: "\r\n", omittingEmptySubsequences: false) == [
        "v=0", "o=- 3900000000 3900000000 IN IP4 192.168.1.1", "s=main",
        Substring(renewal), "c=IN IP4 192.168.1.5", "t=0 0", "a=tool:bandshell", "m=audio 5004 RTP/AVP 96", "b=AS:192",
        "a=rtpmap:96 opus/48000/2",
        "a=fmtp:96 stereo=1;sprop-stereo=1;maxaveragebitrate=128000", "a=ptime:5", "a=rtcp-mux", "a=recvonly", "",
      ])
  }

  @Test("IPv6 addresses lose their scope, and no title can add a line")
  func hostile() {
    let description = SessionDescription(
      title: "x\r\na=evil", origin: SocketAddress(host: "fe80::1%lo") ?? .loopback(port: 0),
      listener: (SocketAddress(host: "2001:db8::5") ?? .loopback(port: 0)).with(port: 6_000), reportPort: 8_089,
      profile: StreamProfile(application: .lowDelay, frame: .ms2_5), session: 1)
    let lines = description.text.split(separator: "\r\n")
    #expect(lines.contains("s=xa=evil"))
    #expect(lines.contains("c=IN IP6 2001:db8::5"))
    #expect(lines.contains("o=- 1 1 IN IP6 fe80::1") || lines.contains("o=- 1 1 IN IP4 127.0.0.1"))
    #expect(lines.contains("a=ptime:3"))
  }
}
