import JamCore
import JamStream
import NIOHTTP1
import Testing

@testable import JamWeb

@Suite struct LastMinuteTests {
  private func integer(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

  @Test("/last.wav is a WAV file of the tape's end, and as long as it says")
  func file() async throws {
    let room = TestRoom()
    room.play(buffers: 800)
    try await serving(try TestBackend(rooms: [room])) { port in
      let client = try RawClient(port: port)
      let answer = try client.ask("GET", "/last.wav?seconds=1")
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == "audio/wav")
      #expect(answer.body.starts(with: Array("RIFF".utf8)))
      let perFrame = integer(answer.body[32..<34])
      #expect(answer.body.count == 44 + 48_000 * perFrame)
      #expect(integer(answer.body[40..<44]) == 48_000 * perFrame)
      // 0.5 in 24 bits.
      #expect(Array(answer.body[44..<50]) == [0, 0, 0x40, 0, 0, 0xC0])
      // What there is, where more was asked for; sixty seconds at most.
      #expect(try client.ask("GET", "/last.wav?seconds=99").body.count == 44 + 96_000 * perFrame)
      #expect(try client.ask("GET", "/last.wav").body.count == 44 + 96_000 * perFrame)
      let head = try client.ask("HEAD", "/last.wav?seconds=0.5")
      #expect(head.headers["content-length"] == String(44 + 24_000 * perFrame))
    }
  }

  @Test("a room that has just begun has an empty file")
  func nothingYet() async throws {
    try await serving { port in
      let answer = try RawClient(port: port).ask("GET", "/last.wav")
      #expect(answer.status == 200)
      #expect(answer.body.count == 44)
    }
  }

  @Test("a peer that takes its file slowly costs a few pieces of memory, and only itself")
  func slowReader() async throws {
    let room = TestRoom()
    room.play(buffers: 3_200)
    try await serving(try TestBackend(rooms: [room])) { port in
      let slow = try RawClient(port: port, receiveBuffer: 4_096)
      try slow.send("GET /last.wav HTTP/1.1\r\nHost: t\r\n\r\n")
      #expect(try !slow.receive(atMost: 100).isEmpty)
      for _ in 0..<3 { #expect(try RawClient(port: port).ask("GET", "/health").status == 200) }
      let rest = try slow.receiveBytes(2_000_000)
      #expect(rest.count == 2_000_000)
    }
  }

  @Test("so many at once and no more; a place is free again when its file is through")
  func places() throws {
    let room = TestRoom()
    let places = LastMinuteFile.Places(1)
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/last.wav")
    let request = try HTTPRequest(head, remote: nil, local: nil)
    do {
      let first = LastMinuteFile.response(to: request, room: room, places: places)
      let second = LastMinuteFile.response(to: request, room: room, places: places)
      #expect(first.status == .ok)
      #expect(second.status == .serviceUnavailable)
      #expect(second.headers.contains { $0.name == "Retry-After" })
      withExtendedLifetime(first) {}
    }
    #expect(LastMinuteFile.response(to: request, room: room, places: places).status == .ok)
  }
}
