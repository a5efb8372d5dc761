import Glibc
import JamCore
import JamNet
import JamRealtime
import TestSupport
import Testing

@testable import JamStream

/// A listener's socket that is waited on, at most ten seconds for what must come.
final class Ear {
  let socket: DatagramSocket
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)

  init() throws { socket = try DatagramSocket(binding: .loopback(port: 0)) }

  /// Everything that comes until `enough` says so.
  func hear(until enough: ([[UInt8]]) -> Bool, meanwhile: () -> Void = {}) -> [(bytes: [UInt8], path: NetworkPath)] {
    var came: [(bytes: [UInt8], path: NetworkPath)] = []
    let giveUp = HostTime.now.advanced(byMilliseconds: 10_000)
    while !enough(came.map(\.bytes)), HostTime.now < giveUp {
      meanwhile()
      var entry = pollfd(fd: socket.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, 2)
      _ = receiver.receive(from: socket) { came.append((Array($0.bytes), $0.path)) }
    }
    return came
  }
}

struct MediaServerTests {
  private func isRTP(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { RTPPacket($0) != nil } }
  private func isReport(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { RTCPPacket.compound($0) != nil } }

  @Test(
    "a lease brings packets and a report from the media port; a goodbye ends it and the encoder",
    .timeLimit(.minutes(1)))
  func leaseAndLeave() throws {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: .now))
    let server = MediaServer(sockets: [try DatagramSocket(binding: .loopback(port: 0))])
    server.start(priority: 0)
    defer { server.stop() }
    let ear = try Ear()
    let description = try server.lease(room: room, listener: ear.socket.localAddress, local: .loopback(port: 80))
    #expect(description.listener == ear.socket.localAddress)
    // The same request is no second listener.
    _ = try server.lease(room: room, listener: ear.socket.localAddress, local: .loopback(port: 80))
    let came = ear.hear(until: { $0.contains(where: isRTP) && $0.contains(where: isReport) }) {
      tape.write(240)
      room.encode()
    }
    #expect(came.allSatisfy { $0.path.peer.port == server.port })
    let packet = try #require(came.first { isRTP($0.bytes) })
    let header = packet.bytes.withUnsafeBytes { RTPPacket($0)?.header }
    let report = try #require(came.first { isReport($0.bytes) })
    let parts = report.bytes.withUnsafeBytes { RTCPPacket.compound($0) }
    guard case .senderReport(let ssrc, _, _)? = parts?.first else {
      Issue.record("no sender report")
      return
    }
    #expect(ssrc == header?.ssrc)

    // A stranger's goodbye and garbage end nothing.
    let stranger = try Ear()
    var goodbye = RTCPCompound(receiverReport: [.init(ssrc: ssrc)], ssrc: 1, name: "x")
    goodbye.appendBye(ssrc: 1)
    let media = came[0].path.peer
    goodbye.bytes.withUnsafeBytes { _ = stranger.socket.send($0, along: NetworkPath(peer: media)) }
    [UInt8]([0x80, 2, 3]).withUnsafeBytes { _ = ear.socket.send($0, along: NetworkPath(peer: media)) }
    #expect(comesTrue { server.statistics.strangers > 0 && server.statistics.malformedDatagrams > 0 })
    #expect(server.statistics.rtpListeners == 1)
    #expect(room.listenerCount == 1)

    goodbye.bytes.withUnsafeBytes { _ = ear.socket.send($0, along: NetworkPath(peer: media)) }
    #expect(comesTrue { room.listenerCount == 0 })
    #expect(room.encode() == false)
  }

  @Test("another profile at the same port takes the place of the one before", .timeLimit(.minutes(1)))
  func replaced() throws {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: .now))
    let server = MediaServer(sockets: [try DatagramSocket(binding: .loopback(port: 0))])
    let ear = try Ear()
    _ = try server.lease(room: room, listener: ear.socket.localAddress, local: .none)
    let other = StreamProfile(application: .lowDelay, frame: .ms20)
    _ = try server.lease(room: room, profile: other, listener: ear.socket.localAddress, local: .none)
    #expect(room.listenerCount == 2)
    server.start(priority: 0)
    #expect(comesTrue { room.listenerCount == 1 })
    #expect(room.encoderStatistics.map(\.profile) == [other])
    server.stop()
    #expect(room.listenerCount == 0)
    // Whoever was still listening was told.
    let came = ear.hear(until: { !$0.isEmpty })
    let parts = came.last?.bytes.withUnsafeBytes { RTCPPacket.compound($0) }
    #expect(parts?.contains { if case .bye = $0 { true } else { false } } == true)
  }

  @Test("ports that cannot be listened at, and families without a socket, are refused")
  func refused() throws {
    let tape = HandTape()
    let room = RoomStreams(room: "main", tape: tape.tape, anchor: ClockAnchor(origin: .now))
    let server = MediaServer(sockets: [try DatagramSocket(binding: .loopback(port: 0))])
    for port: UInt16 in [0, 22, 1_023, 65_535] {
      #expect(throws: StreamError.port(String(port))) {
        try server.lease(room: room, listener: .loopback(port: port), local: .none)
      }
    }
    #expect(throws: StreamError.family) {
      try server.lease(room: room, listener: .anyIPv6(port: 5_000), local: .none)
    }
    #expect(room.listenerCount == 0)
  }
}
