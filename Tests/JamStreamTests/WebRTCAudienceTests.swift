import JamCore
import JamNet
import JamRealtime
import Testing

@testable import JamStream

@Suite struct WebRTCAudienceTests {
  @Test("who checks and shakes hands hears the mix, decodable, on the room's clock", arguments: SRTPProfile.allCases)
  func hears(profile: SRTPProfile) throws {
    let stage = try WebRTCStage()
    stage.play(milliseconds: 100)
    let browser = try stage.listener(20, protection: [profile])
    #expect(browser.answers.first?.kind == .success)
    #expect(stage.changes.map(\.change) == [.opened])
    let first = stage.tape.tape.end
    stage.play(milliseconds: 100)
    stage.exchange(with: browser)
    #expect(browser.packets.count == 10)
    #expect(browser.unopened == 0)
    #expect(browser.packets.allSatisfy { $0.header.ssrc == browser.request.ssrc && $0.header.payloadType == 111 })
    let numbers = browser.packets.map(\.header.sequence)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    #expect(numbers.first.map { $0 < 0x8000 } == true)
    // The timestamp is the room's frame, less the encoder's lookahead.
    let stamps = browser.packets.map { Int64($0.header.timestamp) }
    #expect(stamps == (0..<10).map { first.count - browser.request.stream.lookahead.count + 480 * $0 })
    var decoder = try OpusDecoder()
    var pcm = [Float](repeating: 0, count: 960)
    for packet in browser.packets {
      let frames = try packet.payload.withUnsafeBytes { bytes in
        try pcm.withUnsafeMutableBufferPointer { try decoder.decode(bytes, into: $0) }
      }
      #expect(frames == 480)
    }
    stage.audience.tick(at: stage.now)
    #expect(stage.audience.statistics.listeners == 1)
    #expect(stage.audience.statistics.profiles == [profile: 1])
  }

  @Test("nobody is sent anything before it has proven itself and shaken hands")
  func silence() throws {
    let stage = try WebRTCStage()
    let browser = try TestBrowser(20)
    try stage.admit(browser)
    // DTLS before a check, a check with another password, SRTP from nowhere.
    for datagram in browser.takeOutput() { stage.receive(datagram, from: browser) }
    stage.receive(browser.check(password: "guessed"), from: browser)
    #expect(!stage.receive([UInt8](repeating: 0x80, count: 60), from: browser))
    stage.play(milliseconds: 50)
    stage.audience.tick(at: stage.now)
    #expect(stage.take().isEmpty)
    #expect(stage.audience.statistics.strangers == 2)
    #expect(stage.audience.statistics.connecting == 1)
    // A check alone is answered, and brings no sound.
    stage.receive(browser.check(), from: browser)
    stage.play(milliseconds: 50)
    #expect(stage.take().count == 1)
  }

  @Test("listeners of one profile share an encoder and have numbers of their own")
  func sharing() throws {
    let stage = try WebRTCStage()
    let first = try stage.listener(20)
    stage.play(milliseconds: 50)
    let second = try stage.listener(21)
    stage.take().filter { $0.path.peer == first.path.peer }.forEach { first.receive($0.bytes) }
    stage.play(milliseconds: 50)
    let out = stage.take()
    for browser in [first, second] {
      browser.forget()
      out.filter { $0.path.peer == browser.path.peer }.forEach { browser.receive($0.bytes) }
      #expect(browser.packets.count == 5)
    }
    #expect(first.packets.map(\.payload) == second.packets.map(\.payload))
    #expect(first.packets.map(\.header.timestamp) == second.packets.map(\.header.timestamp))
    #expect(first.request.ssrc != second.request.ssrc)
    #expect(stage.room.encoderStatistics.count == 1)
    #expect(stage.room.listenerCount == 2)
  }

  @Test("of 5 % lost packets all come back when they are asked for")
  func resends() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.exchange(with: browser)
    var lost: [UInt16] = []
    var number = 0
    for _ in 0..<100 {
      stage.play(milliseconds: 20)
      for datagram in stage.take() {
        number += 1
        if number % 20 != 7 { browser.receive(datagram.bytes) }
      }
    }
    let came = browser.packets.map(\.header.sequence)
    let first = try #require(came.first)
    lost = (0..<199).map { first &+ UInt16($0) }.filter { !came.contains($0) }
    #expect(lost.count == 10)
    // Those of the last second and a half; what is older is off the tape.
    for (i, isReduced) in [false, true].enumerated() {
      stage.receive(
        browser.missing(Array(lost.suffix(4).dropFirst(i * 2).prefix(2)), isReduced: isReduced), from: browser)
    }
    browser.forget()
    for datagram in stage.take() { browser.receive(datagram.bytes) }
    #expect(browser.packets.map(\.header.sequence) == Array(lost.suffix(4)))
    #expect(browser.unopened == 0)
    #expect(stage.audience.statistics.resentPackets == 4)
  }

  @Test("what was never sent, is too old or is asked for too often is not sent again")
  func boundedResends() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.exchange(with: browser)
    for _ in 0..<30 { stage.play(milliseconds: 100) }
    for datagram in stage.take() { browser.receive(datagram.bytes) }
    let numbers = browser.packets.map(\.header.sequence)
    let last = try #require(numbers.last)
    #expect(numbers.count == 300)
    stage.receive(browser.missing([last &+ 1, last &+ 2, numbers[0]]), from: browser)
    #expect(stage.take().isEmpty)
    #expect(stage.audience.statistics.unknownResends == 3)
    stage.receive(browser.missing([UInt16](repeating: last, count: 100)), from: browser)
    #expect(stage.take().count == 64)
    #expect(stage.audience.statistics.refusedResends == 36)
    // A second later it may ask again.
    stage.now = stage.now.advanced(byMilliseconds: 1_000)
    stage.receive(browser.missing([last]), from: browser)
    #expect(stage.take().count == 1)
  }

  @Test("forged, damaged and repeated reports are dropped and counted")
  func replays() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    let block = RTCPPacket.ReportBlock(ssrc: browser.request.ssrc, fractionLost: 64, jitter: 480)
    let report = browser.report(block)
    stage.receive(report, from: browser)
    stage.receive(report, from: browser)
    var damaged = browser.report(block)
    damaged[12] ^= 1
    stage.receive(damaged, from: browser)
    stage.receive([UInt8](repeating: 0x81, count: 80), from: browser)
    stage.audience.tick(at: stage.now)
    let statistics = stage.audience.statistics
    #expect(statistics.receivedReports == 1)
    #expect(statistics.refusedReports == 3)
    #expect(statistics.worstLossFraction == 0.25)
    #expect(statistics.worstJitterMilliseconds == 10)
  }

  @Test("sender reports map the room's clock to the server's, at once and then each second; answers give a round trip")
  func reports() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.play(milliseconds: 100)
    stage.audience.tick(at: stage.now)
    stage.exchange(with: browser)
    guard case .senderReport(let ssrc, let info, _)? = browser.reports.first else {
      Issue.record("no sender report")
      return
    }
    #expect(ssrc == browser.request.ssrc)
    #expect(info.time == stage.clock.ntp(at: stage.now))
    #expect(Int64(info.timestamp) == stage.room.anchor.frame(at: stage.now).count)
    #expect(info.packetCount == 10)
    stage.audience.tick(at: stage.now.advanced(byMilliseconds: 900))
    #expect(stage.take().isEmpty)
    stage.now = stage.now.advanced(byMilliseconds: 30)
    stage.receive(
      browser.report(.init(ssrc: ssrc, lastReport: info.time.middle, delaySinceLastReport: 65_536 / 100)), from: browser
    )
    stage.audience.tick(at: stage.now)
    #expect(stage.audience.statistics.worstRoundTripMilliseconds.map { abs($0 - 20) < 0.1 } == true)
  }

  @Test("checks keep a listener; without them it is gone within 15 s, told so, and its encoder with it")
  func consent() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.exchange(with: browser)
    for _ in 0..<6 {
      stage.now = stage.now.advanced(byMilliseconds: 5_000)
      stage.receive(browser.check(), from: browser)
      stage.audience.tick(at: stage.now)
    }
    #expect(stage.room.listenerCount == 1)
    for _ in 0..<150 {
      stage.now = stage.now.advanced(byMilliseconds: 100)
      stage.audience.tick(at: stage.now)
    }
    stage.exchange(with: browser)
    #expect(stage.room.listenerCount == 0)
    #expect(browser.ending == .closed)
    #expect(browser.reports.contains { if case .bye = $0 { true } else { false } })
    #expect(stage.changes.map(\.change) == [.opened, .ended])
    #expect(stage.audience.isEmpty)
    // What it still sends is a stranger's.
    let before = stage.audience.statistics.strangers
    stage.receive(browser.check(), from: browser)
    #expect(stage.audience.statistics.strangers == before + 1)
    #expect(stage.take().isEmpty)
  }

  @Test("a goodbye over DTLS and a deleted session end a listener at once")
  func leaving() throws {
    let stage = try WebRTCStage()
    let first = try stage.listener(20)
    let second = try stage.listener(21)
    first.dtls.close()
    stage.exchange(with: first)
    #expect(stage.room.listenerCount == 1)
    stage.audience.leave(second.request.id, at: stage.now)
    stage.exchange(with: second)
    #expect(second.ending == .closed)
    #expect(stage.room.listenerCount == 0)
    #expect(stage.closed == 2)
    // Twice is once.
    stage.audience.leave(second.request.id, at: stage.now)
    #expect(stage.closed == 2)
  }

  @Test("a peer that moves is followed when it chooses another way, and keeps its numbers")
  func moving() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.exchange(with: browser)
    stage.play(milliseconds: 20)
    stage.exchange(with: browser)
    let other = NetworkPath(peer: .ipv4(10, 0, 0, 9, port: 1_234), local: .ipv4(10, 0, 0, 1))
    stage.receive(browser.check(isNominating: true), along: other)
    _ = stage.take()
    stage.play(milliseconds: 20)
    let out = stage.take()
    #expect(out.count == 2 && out.allSatisfy { $0.path == other })
    for datagram in out { browser.receive(datagram.bytes) }
    let numbers = browser.packets.map(\.header.sequence)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 })
    #expect(numbers.count == 4)
  }

  @Test("a peer may try a bounded number of ways; the one in use is kept")
  func manySources() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    for port: UInt16 in 1_000..<1_040 {
      stage.receive(browser.check(), along: NetworkPath(peer: .ipv4(10, 0, 0, 9, port: port), local: .none))
    }
    _ = stage.take()
    stage.play(milliseconds: 20)
    #expect(stage.take().allSatisfy { $0.path.peer == browser.path.peer })
    let block = RTCPPacket.ReportBlock(ssrc: browser.request.ssrc)
    stage.receive(browser.report(block), from: browser)
    #expect(stage.audience.statistics.receivedReports == 1)
    // The first of the many is forgotten.
    let old = NetworkPath(peer: .ipv4(10, 0, 0, 9, port: 1_000), local: .none)
    #expect(!stage.receive(browser.report(block), along: old))
  }

  @Test("frames that came too late are skipped, and show in the numbers")
  func skipped() throws {
    let stage = try WebRTCStage()
    let browser = try stage.listener(20)
    stage.exchange(with: browser)
    stage.play(milliseconds: 20)
    stage.exchange(with: browser)
    stage.tape.write(48 * 300, tones)
    stage.room.encode()
    stage.audience.send()
    stage.play(milliseconds: 20)
    stage.exchange(with: browser)
    let numbers = browser.packets.map(\.header.sequence)
    #expect(stage.audience.statistics.skippedPackets == 30)
    #expect(browser.unopened == 0)
    try #require(numbers.count == 4)
    #expect(numbers[2] == numbers[1] &+ 31)
  }

  @Test("a host that asks and never connects is held to its share, and gives it back")
  func connecting() throws {
    let registry = WebRTCRegistry()
    let host = SocketAddress.ipv4(192, 168, 1, 5)
    let ids = try (0..<WebRTCRegistry.mostConnectingPerHost).map { _ in try registry.enter(host) }
    #expect(throws: StreamError.connecting(limit: WebRTCRegistry.mostConnectingPerHost)) { try registry.enter(host) }
    _ = try registry.enter(.ipv4(192, 168, 1, 6))
    registry.opened(ids[0].id)
    registry.opened(ids[0].id)
    registry.ended(ids[0].id)
    _ = try registry.enter(host)
    #expect(throws: StreamError.self) { try registry.enter(host) }
    registry.ended(ids[1].id)
    #expect(registry.find(ids[1].token) == nil)
    #expect(registry.find(ids[2].token) == ids[2].id)
    _ = try registry.enter(host)
    #expect(Set(ids.map(\.token)).count == ids.count)
  }
}
