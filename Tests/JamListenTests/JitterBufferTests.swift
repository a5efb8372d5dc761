import JamCore
import TestSupport
import Testing

@testable import JamListen

/// A network and a player on virtual time: packets of 5 ms go in, steps come out.
struct SimulatedNetwork {
  var random = SplitMix(seed: 7)
  /// Packets on their way, by arrival.
  private var onTheWay: [(arrival: Double, timestamp: UInt32, number: Int)] = []
  let firstTimestamp: UInt32
  private(set) var sent = 0

  init(firstTimestamp: UInt32 = 1_000) { self.firstTimestamp = firstTimestamp }

  /// Sends packet after packet, each 5 ms later on the sender's clock.
  /// - Parameter delay: milliseconds on the way for packet n; nil loses it.
  mutating func send(_ count: Int, senderSpeed: Double = 1, delay: (Int, inout SplitMix) -> Double?) {
    for _ in 0..<count {
      let time = Double(sent) * 5 / senderSpeed
      if let delay = delay(sent, &random) {
        onTheWay.append((time + delay, firstTimestamp &+ UInt32(sent * 240), sent))
      }
      sent += 1
    }
  }

  struct Heard {
    /// Packet numbers, −1 for 5 ms that were missing.
    var timeline: [Int] = []
    /// When each came out, less when it was sent.
    var latency: [Double] = []
    var delays: [Double] = []
  }

  /// Plays all of it through `buffer`, looking every 0.5 ms.
  mutating func play(through buffer: inout JitterBuffer, lastLook: Double? = nil) -> Heard {
    var heard = Heard()
    let arrivals = onTheWay.sorted { $0.arrival < $1.arrival }
    var next = 0
    let end = lastLook ?? (arrivals.last?.arrival ?? 0) + 60
    for look in stride(from: 0, through: end, by: 0.5) {
      while next < arrivals.count, arrivals[next].arrival <= look {
        let packet = arrivals[next]
        let number = UInt32(packet.number)
        buffer.insert(
          withUnsafeBytes(of: number) { Array($0) }, timestamp: packet.timestamp, frames: 240,
          at: milliseconds(packet.arrival))
        next += 1
      }
      steps: while true {
        switch buffer.next(at: milliseconds(look)) {
        case .packet(let bytes):
          let number = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
          heard.timeline.append(Int(number))
          heard.latency.append(look - Double(number) * 5)
          heard.delays.append(buffer.delayMilliseconds)
        case .missing(let frames):
          #expect(frames > 0 && frames <= 240)
          heard.timeline.append(-1)
        case .wait: break steps
        }
      }
    }
    return heard
  }
}

struct JitterBufferTests {
  @Test("on a steady network everything comes out once, in order, and the delay goes down to a few milliseconds")
  func steady() {
    var network = SimulatedNetwork()
    network.send(4_000) { _, _ in 3 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    #expect(heard.timeline.prefix(4_000).elementsEqual(0..<4_000))
    #expect(buffer.delayMilliseconds < 2.5)
    #expect(buffer.latePackets == 0 && buffer.duplicatePackets == 0)
  }

  @Test("jitter of 30 ms is taken up: after the first second next to nothing is late")
  func jitter() {
    var network = SimulatedNetwork()
    network.send(6_000) { _, random in 10 + Double.random(in: 0...30, using: &random) }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    let settled = heard.timeline.dropFirst(200)
    #expect(settled.count { $0 < 0 } < settled.count / 50)
    #expect(buffer.delayMilliseconds > 25 && buffer.delayMilliseconds < 60)
    // The timeline is whole: every place is a packet or is known to be missing.
    #expect(abs(heard.timeline.count - 6_000) <= 20)
    let played = heard.timeline.filter { $0 >= 0 }
    #expect(zip(played, played.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("reordered packets come out in order")
  func reorder() {
    var network = SimulatedNetwork()
    network.send(2_000) { n, _ in n % 10 == 3 ? 14 : 2 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    let settled = heard.timeline.dropFirst(100).prefix(1_800)
    #expect(settled.allSatisfy { $0 >= 0 })
    #expect(zip(settled, settled.dropFirst()).allSatisfy { $0 + 1 == $1 })
  }

  @Test("a lost packet is a gap of its own length, where it belongs")
  func loss() {
    var network = SimulatedNetwork()
    network.send(1_000) { n, _ in n % 7 == 5 ? nil : 2 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    for (place, number) in heard.timeline.prefix(990).enumerated() {
      #expect(number == (place % 7 == 5 ? -1 : place))
    }
    #expect(buffer.missingFrames >= 990 / 7 * 240)
  }

  @Test("a packet that comes twice is heard once, even when the first was played already")
  func duplicates() {
    var buffer = JitterBuffer()
    for time in [0.0, 1, 100] { buffer.insert([1], timestamp: 480, frames: 240, at: milliseconds(time)) }
    var steps: [JitterBuffer.Step] = []
    for look in stride(from: 0.0, to: 23, by: 0.5) {
      while true {
        let step = buffer.next(at: milliseconds(look))
        if case .wait = step { break }
        steps.append(step)
      }
    }
    buffer.insert([1], timestamp: 480, frames: 240, at: milliseconds(24))
    #expect(steps == [.packet([1])])
    #expect(buffer.duplicatePackets == 3)
    #expect(buffer.latePackets == 0)
  }

  @Test("a sender whose clock runs 200 ppm fast or slow is followed without gaps", arguments: [0.9998, 1.0002])
  func drift(speed: Double) {
    var network = SimulatedNetwork()
    network.send(60_000, senderSpeed: speed) { _, random in 2 + Double.random(in: 0...2, using: &random) }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    let settled = heard.timeline.dropFirst(200)
    // Five minutes drift by 60 ms: without following it, everything would be late in the end, or that much too early.
    #expect(settled.prefix(59_000).count { $0 < 0 } < 60)
    #expect(buffer.delayMilliseconds < 8)
  }

  @Test("a delay that goes up for good is late once, and is then the new delay")
  func step() {
    var network = SimulatedNetwork()
    network.send(4_000) { n, _ in n < 1_000 ? 2 : 42 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    #expect(heard.timeline.dropFirst(1_200).prefix(2_700).allSatisfy { $0 >= 0 })
    // When the shorter way is forgotten, the buffer needs no more than before.
    #expect(buffer.delayMilliseconds < 10)
  }

  @Test(
    "when the stream stops, a tenth of a second is made up and then it waits; when it goes on, the gap has its length")
  func pause() {
    var network = SimulatedNetwork()
    network.send(200) { _, _ in 2 }
    // Packets 200 to 399 are held up for a second and lost.
    network.send(200) { _, _ in nil }
    network.send(200) { _, _ in 2 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    #expect(heard.timeline.prefix(200).elementsEqual(0..<200))
    #expect(heard.timeline[200..<400].allSatisfy { $0 < 0 })
    #expect(heard.timeline[400..<600].elementsEqual(400..<600))
    var alone = JitterBuffer()
    alone.insert([9], timestamp: 0, frames: 240, at: milliseconds(0))
    var made = 0
    while true {
      let step = alone.next(at: milliseconds(5_000))
      if case .missing(let frames) = step { made += frames }
      if case .wait(let until) = step {
        #expect(until == nil)
        break
      }
    }
    #expect(made == 4_800)
  }

  @Test("for a file a packet that is nearly half a second late is in time; at the end nothing is left")
  func patience() {
    var network = SimulatedNetwork()
    // A busy machine keeps four of them back.
    network.send(1_000) { n, _ in [1, 400].contains(n % 500) ? 470 : 2 }
    var buffer = JitterBuffer(isPatient: true)
    var heard = network.play(through: &buffer).timeline
    #expect(!buffer.isEmpty)
    while !buffer.isEmpty, case .packet(let bytes) = buffer.next(at: HostTime(nanoseconds: .max)) {
      heard.append(Int(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
    }
    #expect(heard == Array(0..<1_000))
    #expect(buffer.latePackets == 0 && buffer.missingFrames == 0)
  }

  @Test("timestamps wrap without a trace")
  func wrap() {
    var network = SimulatedNetwork(firstTimestamp: UInt32.max - 50_000)
    network.send(1_000) { _, _ in 2 }
    var buffer = JitterBuffer()
    let heard = network.play(through: &buffer)
    #expect(heard.timeline.prefix(1_000).elementsEqual(0..<1_000))
  }

  @Test("a jump of the timeline begins again instead of waiting for hours")
  func jump() {
    var buffer = JitterBuffer()
    buffer.insert([1], timestamp: 0, frames: 240, at: milliseconds(0))
    #expect(buffer.next(at: milliseconds(30)) == .packet([1]))
    buffer.insert([2], timestamp: 2_000_000_000, frames: 240, at: milliseconds(40))
    #expect(buffer.next(at: milliseconds(70)) == .packet([2]))
  }
}
