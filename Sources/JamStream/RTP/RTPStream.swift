internal import JamCore
internal import JamNet
internal import JamRealtime

/// One encoded stream on its way out as RTP: the same bytes for every listener.
///
/// A machine without I/O, except that it reads the packet tape. Thread: media.
struct RTPStream {
  let room: RoomStreams
  let source: EncodedStream
  let ssrc: UInt32
  private let name: String
  private var sequence: UInt16
  private var next: UInt64
  private var packetCount: UInt32 = 0
  private var byteCount: UInt32 = 0
  var leases = LeaseTable()

  /// A backlog longer than this is dropped, because players would not play packets that are so
  /// late.
  static let mostBehindMilliseconds = 200.0

  /// - Parameters:
  ///   - ssrc, sequence: random (RFC 3550 §5.1).
  ///   - name: the canonical name in reports.
  init(room: RoomStreams, source: EncodedStream, ssrc: UInt32, sequence: UInt16, name: String) {
    self.room = room
    self.source = source
    self.ssrc = ssrc
    self.sequence = sequence
    self.name = name
    next = source.tape.end
  }

  /// The most bytes that `nextPacket` writes.
  var maximumPacketBytes: Int { RTPHeader.byteCount + source.profile.maximumPacketBytes }

  /// The result of one look at the tape.
  enum Step {
    case packet(bytes: Int)
    /// This many packets were lost here, because the thread came too late.
    case skipped(UInt64)
  }

  /// Writes the next packet to `output`.
  /// - Returns: nil where there is none yet.
  /// - Source: RFC 7587 §4.1; Protocol/streams.md defines the timestamp.
  mutating func nextPacket(into output: UnsafeMutableRawPointer) -> Step? {
    let end = source.tape.end
    guard next < end else { return nil }
    // Finite: a frame has a duration.
    let mostBehind = UInt64(RTPStream.mostBehindMilliseconds / source.profile.frame.frames.milliseconds)
    let payload = output + RTPHeader.byteCount
    guard end - next <= mostBehind, let packet = source.tape.read(next, into: payload) else {
      let skipped = end - next
      next = end
      // The sequence numbers show the gap, so that receivers conceal it.
      sequence &+= UInt16(truncatingIfNeeded: skipped)
      return .skipped(skipped)
    }
    next += 1
    let header = RTPHeader(sequence: sequence, timestamp: timestamp(of: packet.firstFrame), ssrc: ssrc)
    header.write(to: output)
    sequence &+= 1
    packetCount &+= 1
    byteCount &+= UInt32(packet.byteCount)
    return .packet(bytes: RTPHeader.byteCount + packet.byteCount)
  }

  /// The stream's clock is the room's: the sound at timestamp T was mixed at frame T.
  private func timestamp(of firstFrame: Frames) -> UInt32 {
    UInt32(truncatingIfNeeded: (firstFrame - source.lookahead).count)
  }

  /// A sender report: the moment `now` on the server's clock and on the stream's.
  func report(at now: HostTime, clock: WallClock) -> RTCPCompound {
    RTCPCompound(
      senderReport: RTCPPacket.SenderInfo(
        time: clock.ntp(at: now), timestamp: UInt32(truncatingIfNeeded: room.anchor.frame(at: now).count),
        packetCount: packetCount, byteCount: byteCount),
      ssrc: ssrc, name: name)
  }

  /// The report that ends a lease.
  func goodbye(at now: HostTime, clock: WallClock) -> RTCPCompound {
    var compound = report(at: now, clock: clock)
    compound.appendBye(ssrc: ssrc)
    return compound
  }

  /// The result of RTCP from a listener.
  enum Outcome {
    case renewed, left
    /// The packets say nothing about our stream.
    case irrelevant
  }

  /// Takes in RTCP from the address of a lease.
  mutating func receive(
    _ packets: [RTCPPacket], about listener: SocketAddress, from port: LeaseTable.ReportPort, at now: HostTime,
    clock: WallClock
  ) -> Outcome {
    guard let block = packets.lazy.flatMap(\.blocks).first(where: { $0.ssrc == ssrc }) else { return .irrelevant }
    if packets.contains(where: { if case .bye = $0 { true } else { false } }) {
      leases.remove(listener)
      return .left
    }
    leases.renew(listener, from: port, reception: Reception(block, received: clock.ntp(at: now)), at: now)
    return .renewed
  }

  /// The round trip of RFC 3550 §6.4.1: A − LSR − DLSR. nil where the listener has not seen a
  /// report, or the sum is implausible.
  static func roundTripMilliseconds(_ block: RTCPPacket.ReportBlock, received: NTPTime) -> Float? {
    guard block.lastReport != 0 else { return nil }
    let units = received.middle &- block.lastReport &- block.delaySinceLastReport
    return units < 60 * 65_536 ? Float(units) * 1_000 / 65_536 : nil
  }
}

extension RTCPPacket {
  /// The report blocks that the packet carries.
  var blocks: [ReportBlock] {
    switch self {
    case .senderReport(_, _, let blocks), .receiverReport(_, let blocks): blocks
    case .bye, .missing, .other: []
    }
  }
}
