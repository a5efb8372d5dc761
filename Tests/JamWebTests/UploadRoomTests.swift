import Synchronization
import Testing

@testable import JamWeb

@Suite struct UploadRoomTests {
  private static func limits(_ change: (inout WebLimits) -> Void = { _ in }) -> WebLimits {
    var limits = WebLimits()
    limits.uploadBytes = 1_000
    limits.uploadsBytes = 3_000
    limits.uploadsBytesPerAddress = 2_000
    change(&limits)
    return limits
  }

  @Test("what is claimed takes no room: three silent claims of all there is keep nobody out")
  func claims() async throws {
    try await serving(limits: UploadRoomTests.limits()) { port in
      var silent: [RawClient] = []
      for _ in 0..<3 {
        let client = try RawClient(port: port)
        try client.send("PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\nx")
        silent.append(client)
      }
      let other = try RawClient(port: port)
      try other.send(
        "PUT /samples/b HTTP/1.1\r\nHost: t\r\nContent-Length: 900\r\n\r\n" + String(repeating: "b", count: 900))
      #expect(try other.receiveAnswer().status == 201)
      withExtendedLifetime(silent) {}
    }
  }

  @Test("whoever holds most gives way to who holds less, and is told")
  func givingWay() throws {
    let rooms = UploadRooms(UploadRoomTests.limits())
    let lost = Mutex<[String]>([])
    func room(_ sender: String, _ name: String) throws -> UploadRoom {
      let room = try #require(rooms.take(for: sender))
      room.whenLost { lost.withLock { $0.append(name) } }
      return room
    }
    let large = try room("1", "large")
    #expect(large.grow(by: 1_900))
    let small = try room("2", "small")
    #expect(small.grow(by: 1_000))
    let other = try room("3", "other")
    #expect(other.grow(by: 500))
    #expect(lost.withLock { $0 } == ["large"])
    #expect(!large.grow(by: 1), "its room is gone")
    #expect(other.grow(by: 1_500))
    #expect(!other.grow(by: 1), "one address has no more")
    #expect(!small.grow(by: 1_000), "nobody who holds less gives way")
    #expect(lost.withLock { $0 } == ["large"])
  }

  @Test("a body that is there as a whole loses its room no more, and gives it back with the sound")
  func complete() throws {
    let rooms = UploadRooms(UploadRoomTests.limits())
    var first = rooms.take(for: "1")
    #expect(first?.grow(by: 2_000) == true)
    first?.complete()
    let second = try #require(rooms.take(for: "2"))
    #expect(second.grow(by: 1_000) && !second.grow(by: 500))
    first = nil
    #expect(second.grow(by: 500))
  }

  @Test("so many come at once, from one address and from all")
  func count() throws {
    let rooms = UploadRooms(
      UploadRoomTests.limits {
        $0.uploads = 3
        $0.uploadsPerAddress = 2
      })
    var held = [
      rooms.take(for: "1"), rooms.take(for: "1"), rooms.take(for: "1"), rooms.take(for: "2"), rooms.take(for: "3"),
    ]
    #expect(held.map { $0 != nil } == [true, true, false, true, false])
    held[0] = nil
    #expect(rooms.take(for: "3") != nil)
  }

  @Test("neighbours in one IPv6 network count as one, IPv4 addresses each by itself")
  func senders() {
    #expect(UploadRooms.sender("2001:db8::1") == UploadRooms.sender("2001:db8::ffff"))
    #expect(UploadRooms.sender("2001:db8::1") != UploadRooms.sender("2001:db8:0:1::1"))
    #expect(UploadRooms.sender("10.0.0.1") != UploadRooms.sender("10.0.0.2"))
  }

  @Test("a body that brought much and then trickles ends after the time of a stall, however much it brought")
  func trickle() async throws {
    let limits = UploadRoomTests.limits {
      $0.uploadBytes = 1 << 20
      $0.uploadsBytes = 1 << 20
      $0.uploadsBytesPerAddress = 1 << 20
      // Longer than a busy machine keeps the other one's body waiting.
      $0.stallSeconds = 1.5
      // What came would have bought a quarter of an hour.
      $0.slowestBytesPerSecond = 1_000
    }
    try await serving(limits: limits) { port in
      let client = try RawClient(port: port)
      try client.send(
        "PUT /samples/a HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "a", count: 900_000)
      )
      // It ends within the client's own patience of ten seconds.
      _ = try? client.receiveAll()
      let other = try RawClient(port: port)
      try other.send(
        "PUT /samples/b HTTP/1.1\r\nHost: t\r\nContent-Length: 900000\r\n\r\n" + String(repeating: "b", count: 900_000))
      #expect(try other.receiveAnswer().status == 201)
    }
  }
}
