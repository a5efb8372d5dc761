import JamBonjour
import JamCore
import JamNet
import JamStream
import JamWire

/// The decoders, as a fuzzer calls them.
///
/// Beyond "no crash" they check facts that hold for every input. A message that was read can be
/// written and read back the same, and a stream gives the same packets however it is cut.
enum FuzzTargets {
  /// The first byte chooses the decoder. The rest is the input from a hostile peer.
  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let kind = bytes.first else { return }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch kind % 8 {
    case 0: packet(rest)
    case 1: stream(rest)
    case 2: webSocket(rest)
    case 3: score(rest)
    case 4: check(rest)
    case 5: offer(rest)
    case 6: report(rest)
    default: multicast(rest)
    }
  }

  /// A datagram, all the way to requests and error texts.
  static func packet(_ bytes: UnsafeRawBufferPointer) {
    var packet = OSCPacket()
    do throws(OSCError) {
      try packet.decode(bytes)
    } catch {
      _ = error.description
      return
    }
    var reader = CommandReader(cacheLimit: 8)
    if let hit = PlainHit.command(bytes) {
      let general = packet.elements.first.flatMap { describe($0.message, &reader) }
      precondition(general == .command(hit), "the short way says something else")
    }
    var score = CommandReader(isScore: true)
    for element in packet.elements {
      requireRoundTrip(element.message)
      for _ in 0..<2 { _ = describe(element.message, &reader) }
      _ = describe(element.message, &score)
    }
    for refusal in packet.refusals { _ = SessionReply(refusal).message.encoded() }
  }

  /// A TCP stream, whole and in pieces.
  static func stream(_ bytes: UnsafeRawBufferPointer) {
    let whole = frames(bytes, pieces: bytes.count)
    let single = frames(bytes, pieces: 1)
    let uneven = frames(bytes, pieces: 7)
    precondition(whole.packets == single.packets && single.packets == uneven.packets, "packets depend on the cut")
    precondition(whole.error == single.error && single.error == uneven.error, "errors depend on the cut")
  }

  /// The bytes of a WebSocket, whole and in pieces.
  static func webSocket(_ bytes: UnsafeRawBufferPointer) {
    func messages(_ pieces: Int) -> (packets: [[UInt8]], fault: WebSocketFault?) {
      var decoder = WebSocketDecoder(limit: 4_096)
      var packets: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + max(1, pieces), bytes.count)])
        do throws(WebSocketFault) {
          try decoder.receive(piece) { if case .message(let packet) = $0 { packets.append(Array(packet)) } }
        } catch {
          return (packets, error)
        }
        precondition(decoder.waitingBytes <= 4_096 + 256, "more waits than one message")
        start += piece.count
      }
      return (packets, nil)
    }
    let (whole, single) = (messages(bytes.count), messages(1))
    precondition(whole.packets == single.packets && whole.fault == single.fault, "messages depend on the cut")
    // A text of OSCQuery may be any bytes, too.
    do throws(QueryCommandError) { _ = try QueryCommand(bytes) } catch { _ = error.description }
  }

  static func score(_ bytes: UnsafeRawBufferPointer) {
    var reader = ScoreReader()
    do throws(ScoreError) {
      for bundle in try reader.receive(bytes) { _ = ScoreWriter.encode(bundle) }
      try reader.finish()
    } catch {
      _ = error.description
    }
  }

  /// A datagram of a peer that wants to listen by WebRTC.
  static func check(_ bytes: UnsafeRawBufferPointer) {
    guard let message = STUNMessage(bytes) else { return }
    precondition(message.unknownAttributes.count <= 32, "attributes without bounds")
    _ = message.isProven(by: "password")
  }

  /// The body of a POST to `/whep`.
  static func offer(_ bytes: UnsafeRawBufferPointer) {
    do throws(StreamError) {
      _ = try SessionOffer(String(decoding: bytes, as: UTF8.self))
    } catch {
      precondition(error.description.utf8.count < 16_384, "an error text without bounds")
    }
  }

  /// RTCP reports of receivers about a stream.
  static func report(_ bytes: UnsafeRawBufferPointer) {
    for isReduced in [false, true] {
      for packet in RTCPPacket.compound(bytes, mayBeReduced: isReduced) ?? [] {
        if case .missing(_, let numbers) = packet {
          precondition(numbers.count <= bytes.count * 17, "more is missing than was said")
        }
      }
    }
  }

  /// A datagram on the port of multicast DNS, and what a responder answers.
  static func multicast(_ bytes: UnsafeRawBufferPointer) {
    guard let message = try? DNSMessage(bytes) else { return }
    let again = message.encoded().withUnsafeBytes { try? DNSMessage($0) }
    precondition(again == message, "a message changed on the way")
    let (link, now) = (MDNSLink(interface: 2, isIPv6: false), HostTime(nanoseconds: 0))
    let interface = NetworkInterface(name: "eth0", address: .ipv4(10, 0, 0, 1), prefixLength: 24)
    let service = BonjourService(
      "_osc._udp", port: 8_000, text: DNSText(["room": "main"]), place: nil)
    var responder = MDNSResponder(
      BonjourAnnouncement(name: "Jam", machine: "box", services: [service]))
    responder.use([MDNSLinkShape(link: link, interfaces: [interface])], at: now)
    // The second message finds a responder that has told its records.
    for milliseconds in [10.0, 5_000] {
      for step in stride(from: 0, through: milliseconds, by: 250) {
        responder.advance(to: now.advanced(byMilliseconds: step))
      }
      for port: UInt16 in [5_353, 40_000] {
        responder.receive(
          message, from: MDNSSource(link: link, peer: .ipv4(10, 0, 0, 2, port: port)),
          at: now.advanced(byMilliseconds: milliseconds))
      }
    }
    for outgoing in responder.takeOutgoing() {
      precondition(outgoing.message.encoded().count <= 1_400, "an answer without bounds")
    }
    find(message, on: MDNSLinkShape(link: link, interfaces: [interface]), at: now)
  }

  /// The same message, as the browser for controllers takes it.
  private static func find(_ message: DNSMessage, on link: MDNSLinkShape, at now: HostTime) {
    var browser = ControllerBrowser()
    browser.use([link], at: now)
    let peer = SocketAddress.ipv4(10, 0, 0, 2, port: 5_353)
    browser.receive(message, from: MDNSSource(link: link.link, peer: peer), at: now)
    for _ in 0..<32 {
      guard let due = browser.nextDue else { break }
      browser.advance(to: max(now, due))
      precondition(browser.takeOutgoing().count <= 8, "a message asks for too much")
    }
    let controllers = browser.controllers
    precondition(controllers.count <= FoundController.most)
    precondition(controllers.allSatisfy { $0.name.utf8.count <= 3 * 63 && !$0.addresses.isEmpty })
  }

  private static func describe(_ message: OSCMessage, _ reader: inout CommandReader) -> Request? {
    do throws(WireError) {
      return try reader.read(message)?.request
    } catch {
      precondition(SessionReply(error).message.encoded().count < 16_384, "an error text without bounds")
      return nil
    }
  }

  private static func requireRoundTrip(_ message: OSCMessage) {
    let encoded = message.encoded()
    let again = encoded.withUnsafeBytes { bytes -> OSCPacket? in
      var packet = OSCPacket()
      do throws(OSCError) {
        try packet.decode(bytes, limit: .max)
        return packet
      } catch {
        return nil
      }
    }
    precondition(again != nil, "\(message) cannot be read back")
    // The bytes are compared, because a NaN is not equal to itself.
    precondition(again?.elements.first?.message.encoded() == encoded, "\(message) changed on the way")
  }

  private static func frames(_ bytes: UnsafeRawBufferPointer, pieces: Int) -> (packets: [[UInt8]], error: FramingError?)
  {
    var decoder = FrameDecoder(limit: 4_096)
    var packets: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + max(1, pieces), bytes.count)])
      do throws(FramingError) {
        try decoder.receive(piece) { packets.append(Array($0)) }
      } catch {
        return (packets, error)
      }
      start += piece.count
    }
    return (packets, nil)
  }
}
