import Glibc
import JamCommand
import JamCore
import JamNet
import JamRealtime
import JamStream
import JamWire

/// One hit all the way: an OSC datagram goes to a server that this starts, and the sound comes back
/// in RTP packets.
///
/// Thread: any, but one at a time; takes about a second.
struct TestHit {
  struct Trouble: Error {
    var text: String
    init(_ text: String) { self.text = text }
  }

  /// The peak at which a hit counts as heard: −30 dBFS.
  private static let audible: Float = 0.03
  /// The packets to wait for before the hit is sent. By then the stream has begun, and is silent.
  private static let settled = 20

  static func finding(kitFolders: [String]) -> Finding {
    do throws(Trouble) {
      let milliseconds = try play(kitFolders: kitFolders)
      let tenths = Int(saturating: (milliseconds * 10).rounded())
      return .good(
        "test hit: heard over RTP \(tenths / 10).\(tenths % 10) ms after it was sent (5 ms frames, on this machine)")
    } catch {
      return .bad("test hit: \(error.text)", "run `bandshell serve` in another terminal and look at what it says")
    }
  }

  /// - Returns: milliseconds from the hit's datagram to the packet that contains its onset.
  private static func play(kitFolders: [String]) throws(Trouble) -> Double {
    let server: ChildServer
    do throws(ChildProcess.Failure) {
      server = try ChildServer(kitFolders: kitFolders)
    } catch {
      throw Trouble(error.description)
    }
    let socket: DatagramSocket
    do throws(NetError) {
      socket = try DatagramSocket(binding: .loopback(port: 0))
    } catch {
      throw Trouble("\(error)")
    }
    let answer = LoopbackHTTP.get("/listen.sdp?port=\(socket.localAddress.port)&frame=5", port: server.ports.http) ?? ""
    guard answer.contains(" 200 ") else { throw Trouble("the server refused an RTP stream") }

    var ear = try Ear()
    let receiver = DatagramReceiver()
    let hit = OSCMessage("/pad/1", .float(1)).encoded()
    let path = NetworkPath(peer: .loopback(port: server.ports.osc), local: .none)
    var sent: HostTime?
    let end = HostTime.now.advanced(byMilliseconds: 5_000)
    var request = pollfd(fd: socket.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while HostTime.now < end {
      guard poll(&request, 1, 100) > 0 else { continue }
      var heard: HostTime?
      _ = receiver.receive(from: socket) { datagram in
        if ear.hears(datagram.bytes), heard == nil { heard = datagram.arrival }
      }
      if let heard, let sent { return heard.milliseconds(since: sent) }
      if sent == nil, ear.packets >= settled {
        sent = .now
        hit.withUnsafeBytes { _ = socket.send($0, along: path) }
      }
    }
    throw Trouble(
      ear.packets == 0
        ? "no RTP packet came within 5 s"
        : "\(ear.packets) RTP packets came within 5 s, and the hit was in none of them")
  }

  /// Decodes a stream and looks for the first sound.
  private struct Ear: ~Copyable {
    private var decoder: OpusDecoder
    private let frames: UnsafeMutableBufferPointer<Float>
    private(set) var packets = 0

    init() throws(Trouble) {
      do throws(StreamError) { decoder = try OpusDecoder() } catch { throw Trouble("\(error)") }
      frames = .allocate(capacity: OpusDecoder.maximumFrames * 2)
    }

    deinit { frames.deallocate() }

    mutating func hears(_ datagram: UnsafeRawBufferPointer) -> Bool {
      guard let packet = RTPPacket(datagram), let count = try? decoder.decode(packet.payload, into: frames) else {
        return false
      }
      packets += 1
      return frames[0..<count * 2].contains { abs($0) > TestHit.audible }
    }
  }
}
