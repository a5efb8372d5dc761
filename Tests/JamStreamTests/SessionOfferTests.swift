import Foundation
import JamNet
import Testing

@testable import JamStream

@Suite struct SessionOfferTests {
  static func golden(_ name: String) throws -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: tests.appending(path: "Golden/webrtc/\(name)"), encoding: .utf8)
  }

  static func answer(_ offer: SessionOffer, _ candidates: [SocketAddress] = [.ipv4(192, 168, 1, 1, port: 8_089)])
    -> [String]
  {
    let answer = SessionAnswer(
      offer: offer, profile: .webRTC, title: "main", session: 7,
      credentials: ICECredentials(ufrag: "ufrag", password: "password"),
      fingerprint: Fingerprint(hash: .sha256, bytes: [UInt8](repeating: 0xab, count: 32)), ssrc: 99,
      candidates: candidates)
    return answer.text.split(separator: "\r\n").map(String.init)
  }

  @Test("Chromium's offer, as it was captured")
  func chromium() throws {
    let offer = try SessionOffer(try Self.golden("chromium-offer.sdp"))
    #expect(offer.payloadType == 111)
    #expect(offer.ufrag == "KMsO")
    #expect(offer.fingerprints.map(\.hash) == [.sha256])
    #expect(offer.fingerprints.first?.bytes.first == 0x19)
    #expect(offer.hasBundle && !offer.hasNACK)
    #expect(offer.media.map(\.mid) == ["0"])
    let lines = Self.answer(offer)
    for line in [
      "a=ice-lite", "a=group:BUNDLE 0", "m=audio 8089 UDP/TLS/RTP/SAVPF 111", "a=mid:0", "a=setup:passive",
      "a=sendonly",
      "a=rtcp-mux", "a=rtpmap:111 opus/48000/2", "a=ice-ufrag:ufrag", "a=ice-pwd:password", "a=ptime:10",
      "a=fmtp:111 stereo=1;sprop-stereo=1;maxaveragebitrate=128000;minptime=10",
      "a=candidate:1 1 udp 2130706431 192.168.1.1 8089 typ host", "a=end-of-candidates", "a=ssrc:99 cname:bandshell",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
    #expect(!lines.contains("a=rtcp-fb:111 nack"))
  }

  @Test("Firefox's offer, as it was captured: the fingerprint is the session's, the payload type another")
  func firefox() throws {
    let offer = try SessionOffer(try Self.golden("firefox-offer.sdp"))
    #expect(offer.payloadType == 109)
    #expect(offer.ufrag == "934b832b")
    #expect(offer.fingerprints.first?.bytes.last == 0x24)
    #expect(Self.answer(offer).contains("m=audio 8089 UDP/TLS/RTP/SAVPF 109"))
  }

  @Test("resends are promised to those who can ask for them")
  func nack() throws {
    for line in ["a=rtcp-fb:111 nack", "a=rtcp-fb:* nack"] {
      let text = try Self.golden("chromium-offer.sdp").replacing("a=rtcp-fb:111 transport-cc", with: line)
      let offer = try SessionOffer(text)
      #expect(offer.hasNACK)
      #expect(Self.answer(offer).contains("a=rtcp-fb:111 nack"))
    }
    #expect(
      !(try SessionOffer(try Self.golden("chromium-offer.sdp").replacing("transport-cc", with: "nack pli"))).hasNACK)
  }

  @Test("other media are answered with port 0, in their places")
  func otherMedia() throws {
    let audio = try Self.golden("chromium-offer.sdp")
    let start = try #require(audio.firstRange(of: "m=audio")).lowerBound
    let video = "m=video 9 UDP/TLS/RTP/SAVPF 96 97\r\nc=IN IP4 0.0.0.0\r\na=mid:v\r\na=recvonly\r\na=rtcp-mux\r\n"
    let offer = try SessionOffer(audio[..<start] + video + audio[start...])
    #expect(offer.audio == 1)
    let lines = Self.answer(offer).filter { $0.hasPrefix("m=") || $0.hasPrefix("a=mid") || $0.hasPrefix("a=group") }
    #expect(
      lines == [
        "a=group:BUNDLE 0", "m=video 0 UDP/TLS/RTP/SAVPF 96 97", "a=mid:v", "m=audio 8089 UDP/TLS/RTP/SAVPF 111",
        "a=mid:0",
      ])
  }

  @Test("candidates are ranked as they come, of both families")
  func candidates() throws {
    let offer = try SessionOffer(try Self.golden("chromium-offer.sdp"))
    let six = try #require(SocketAddress(host: "2001:db8::7")).with(port: 8_089)
    let lines = Self.answer(offer, [six, .ipv4(10, 0, 0, 1, port: 8_089)])
    #expect(lines.contains("c=IN IP6 2001:db8::7"))
    #expect(
      lines.filter { $0.hasPrefix("a=candidate") } == [
        "a=candidate:1 1 udp 2130706431 2001:db8::7 8089 typ host",
        "a=candidate:2 1 udp 2130706175 10.0.0.1 8089 typ host",
      ])
  }

  @Test("what is wrong is said; without Opus there is no answer")
  func wrong() throws {
    let good = try Self.golden("chromium-offer.sdp")
    func problem(_ text: String) -> String? {
      do throws(StreamError) {
        _ = try SessionOffer(text)
        return nil
      } catch {
        return error.kind == .unusable ? "unusable" : error.description
      }
    }
    #expect(problem(good) == nil)
    // Line feeds alone will do.
    #expect(problem(good.replacing("\r", with: "")) == nil)
    let cases: [(text: String, word: String)] = [
      ("", "v=0"), ("hello", "v=0"), ("v=0\r\ns=-\r\n", "m="), ("v=0\r\nnonsense\r\n", "line 2"),
      ("v=0\r\nm=audio\r\n", "line 2"), ("v=0\r\nm=audio x y z\r\n", "line 2"), ("v=0\r\na=\u{1}\r\n", "line 2"),
      (good.replacing("a=fingerprint:sha-256 19", with: "a=fingerprint:sha-256 1"), "fingerprint"),
      (good.replacing("a=fingerprint", with: "a=nothing"), "fingerprint"),
      (good.replacing("sha-256", with: "md5"), "sha-256"),
      (good.replacing("a=ice-ufrag:KMsO", with: "a=ice-ufrag:K"), "ice-ufrag"),
      (good.replacing("a=rtcp-mux\r\n", with: ""), "rtcp-mux"),
      (good.replacing("actpass", with: "passive"), "passive"), (good.replacing("a=mid:0", with: "a=mid:a b"), "mid"),
      (good + String(repeating: "m=video 9 UDP/TLS/RTP/SAVPF 96\r\n", count: 40), "m= lines"),
      (good + String(repeating: "a=x\r\n", count: 20_000), "bytes"),
      (good.replacing("opus", with: "speex"), "unusable"), (good.replacing("m=audio 9", with: "m=audio 0"), "unusable"),
      (good.replacing("a=recvonly", with: "a=sendonly"), "unusable"),
      (good.replacing("m=audio 9 UDP/TLS/RTP/SAVPF", with: "m=audio 9 RTP/AVP"), "unusable"),
      (good.replacing("48000/2", with: "48000"), "unusable"),
    ]
    for (text, word) in cases { #expect(problem(text)?.contains(word) == true, "\(word): \(problem(text) ?? "fine")") }
    // Cut anywhere, it is refused or understood.
    for count in stride(from: 0, to: good.utf8.count, by: 7) { _ = problem(String(good.prefix(count))) }
  }

  @Test("our addresses: where it was asked, what the outside knows, other networks, nothing that cannot be reached")
  func addresses() throws {
    let any: [SocketAddress] = [.anyIPv4(port: 8_089), .anyIPv6(port: 8_089)]
    func address(_ text: String) -> SocketAddress { SocketAddress(host: text)! }
    let networks = AttachedNetworks(interfaces: [
      NetworkInterface(name: "lo", address: address("127.0.0.1"), prefixLength: 8, isLoopback: true),
      NetworkInterface(name: "eth0", address: address("192.168.1.1"), prefixLength: 24),
      NetworkInterface(name: "eth0", address: address("2001:db8::1"), prefixLength: 64),
      NetworkInterface(name: "docker0", address: address("172.17.0.1"), prefixLength: 16, isVirtual: true),
    ])
    func found(_ local: String, sockets: [SocketAddress], publicAddress: String? = nil) -> [String] {
      MediaServer.candidates(
        sockets, local: address(local), publicAddress: publicAddress.map(address), networks: networks
      ).map(\.hostText)
    }
    #expect(found("192.168.1.1", sockets: any) == ["192.168.1.1", "2001:db8::1"])
    #expect(
      found("127.0.0.1", sockets: any, publicAddress: "203.0.113.7") == [
        "127.0.0.1", "203.0.113.7", "192.168.1.1", "2001:db8::1",
      ])
    #expect(found("127.0.0.1", sockets: [.loopback(port: 8_089)]) == ["127.0.0.1"])
    #expect(found("192.168.1.1", sockets: [.loopback(port: 8_089)]) == ["127.0.0.1"])
    #expect(found("172.17.0.1", sockets: [.anyIPv4(port: 8_089)]) == ["172.17.0.1", "192.168.1.1"])
  }
}
