internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamStream

/// Listens to a server over RTP, and locates a short sound in the stream, to the frame. The sound
/// is the bench's burst, or one that the ear has recorded itself.
///
/// Thread: one.
final class BurstEar {
  /// A burst that was heard.
  struct Heard {
    /// The position of the burst's first frame on the room's clock, minus a constant.
    var position: Int64
    /// The arrival of the packet that contains the first frame.
    var arrival: HostTime
  }

  private let socket: DatagramSocket
  private let receiver = DatagramReceiver(capacity: 64, datagramBytes: 2_048)
  private var decoder: OpusDecoder
  private let pcm = UnsafeMutableBufferPointer<Float>.allocate(capacity: OpusDecoder.maximumFrames * 2)
  /// The last part of the stream, mono.
  private var sound: [Float] = []
  /// The position of `sound`'s first frame.
  private var start: Int64 = 0
  private var lastTimestamp: UInt32?
  private var lastPosition: Int64 = 0
  private var arrivals: [(end: Int64, time: HostTime)] = []
  /// The first position that was not examined yet.
  private var next: Int64 = 0
  private var threshold: Float = .greatestFiniteMagnitude
  /// The sound to look for.
  private var burst = BenchKit.burst { didSet { energy = BurstEar.energy(of: burst) } }
  private var energy = BurstEar.energy(of: BenchKit.burst)

  private static let kept = 48_000

  init() throws(ChildProcess.Failure) {
    do {
      socket = try DatagramSocket(binding: .loopback(port: 0), receiveBufferBytes: 1 << 20)
      decoder = try OpusDecoder()
    } catch {
      throw ChildProcess.Failure(description: "\(error)")
    }
  }

  deinit { pcm.deallocate() }

  var port: UInt16 { socket.localAddress.port }

  /// Learns the level of the burst, from the best match within `milliseconds`.
  /// - Returns: false where there was no match.
  func learn(forMilliseconds milliseconds: Double) -> Bool {
    let end = HostTime.now.advanced(byMilliseconds: milliseconds)
    var loudest: Float = 0
    while HostTime.now < end {
      take()
      while let match = nextMatch() { loudest = max(loudest, match.level) }
    }
    threshold = loudest / 2
    return loudest > 0.01
  }

  /// Records the sound that begins within `milliseconds`. The ear looks for this sound from now on.
  /// - Returns: false where there was no sound.
  func takeDown(forMilliseconds milliseconds: Double) -> Bool {
    skip()
    let end = HostTime.now.advanced(byMilliseconds: milliseconds)
    while HostTime.now < end { take() }
    // Old sound was removed meanwhile, so the index of `next` in `sound` has changed.
    let first = Int(next - start)
    // The bounds are in order: the start is limited to the indices of `sound`.
    let heard = sound[min(max(first, 0), sound.count)...]
    let peak = heard.reduce(0) { max($0, abs($1)) }
    guard peak > 0.01, let onset = heard.firstIndex(where: { abs($0) > peak / 4 }) else { return false }
    // A few frames of the silence in front of the sound belong to it.
    let begin = max(heard.startIndex, onset - 16)
    burst = Array(sound[begin..<min(begin + BenchKit.burst.count, sound.count)])
    skip()
    return true
  }

  /// The next burst; nil where none was heard in time.
  func hear(withinMilliseconds milliseconds: Double) -> Heard? {
    let end = HostTime.now.advanced(byMilliseconds: milliseconds)
    while HostTime.now < end {
      take()
      while let match = nextMatch() {
        guard match.level > threshold else { continue }
        return climb(from: match)
      }
    }
    return nil
  }

  /// Forgets the part of the stream that was not examined yet.
  func skip() {
    take()
    next = max(next, start + Int64(sound.count) - Int64(burst.count))
  }

  private struct Match {
    var position: Int64
    var level: Float
  }

  /// The next position, and how similar the sound there is to the burst: 1 is the burst itself.
  private func nextMatch() -> Match? {
    let place = Int(next - start)
    guard place >= 0, place + burst.count <= sound.count else { return nil }
    next += 1
    return Match(position: next - 1, level: level(at: place))
  }

  private func level(at place: Int) -> Float {
    var sum: Float = 0
    for (i, sample) in burst.enumerated() { sum += sample * sound[place + i] }
    return sum / energy
  }

  private static func energy(of burst: [Float]) -> Float { burst.reduce(0) { $0 + $1 * $1 } }

  /// The burst is at the best match of the next milliseconds.
  private func climb(from match: Match) -> Heard? {
    var best = match
    let giveUp = HostTime.now.advanced(byMilliseconds: 100)
    while next < match.position + Int64(burst.count), HostTime.now < giveUp {
      take()
      while next < match.position + Int64(burst.count), let match = nextMatch() {
        if match.level > best.level { best = match }
      }
    }
    guard let packet = arrivals.first(where: { $0.end > best.position }) else { return nil }
    return Heard(position: best.position, arrival: packet.time)
  }

  /// Waits a little for packets, and decodes them.
  private func take() {
    var entry = pollfd(fd: socket.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 5) > 0 else { return }
    var came: [(packet: [UInt8], arrival: HostTime)] = []
    _ = receiver.receive(from: socket) { came.append((Array($0.bytes), $0.arrival)) }
    for datagram in came {
      datagram.packet.withUnsafeBytes { bytes in
        guard let packet = RTPPacket(bytes), packet.header.payloadType == RTPHeader.opusPayloadType else { return }
        decode(packet, arrival: datagram.arrival)
      }
    }
  }

  private func decode(_ packet: RTPPacket, arrival: HostTime) {
    guard let frames = try? decoder.decode(packet.payload, into: pcm) else { return }
    let end = start + Int64(sound.count)
    // A lost packet leaves silence of its length.
    let step = lastTimestamp.map { Int64(Int32(bitPattern: packet.header.timestamp &- $0)) }
    if step == nil {
      start = Int64(packet.header.timestamp)
      next = start
    }
    let position = step.map { lastPosition + $0 } ?? start
    guard position >= end || sound.isEmpty else { return }
    sound.append(contentsOf: repeatElement(0, count: sound.isEmpty ? 0 : Int(min(position - end, 48_000))))
    for i in 0..<frames { sound.append(pcm[i * 2]) }
    lastTimestamp = packet.header.timestamp
    lastPosition = position
    arrivals.append((start + Int64(sound.count), arrival))
    if sound.count > BurstEar.kept * 2 {
      sound.removeFirst(BurstEar.kept)
      start += Int64(BurstEar.kept)
      next = max(next, start)
      arrivals.removeAll { $0.end <= start }
    }
  }
}
