internal import Glibc
internal import JamCommand
internal import JamCore
internal import JamNet
internal import JamRealtime
internal import JamWire

/// Players of a dense room. They record their loops, and read all that the server tells them.
///
/// The bench gives orders by OSC, on a socket of its own, and reads the answers from standard
/// output:
///
/// - `/record i:from i:to` records the layers from one number up to another. The answer is
///   `recorded`, as soon as the loops play.
/// - `/tempo f:bpm` lets the first player set the room's tempo.
/// - `/counts` is answered by `counts` with three numbers: datagrams that came, messages in them, and
///   datagrams that the kernel dropped.
///
/// Thread: one.
final class PlayerCrowd {
  private let room: DenseRoom
  private let numbers: Range<Int>
  private let players: [BenchPlayer]
  private let clock: ServerClock
  private let orders: DatagramSocket
  private let orderReceiver = DatagramReceiver(capacity: 8)
  /// The deeds to come. The next one stands last.
  private var deeds: [Deed] = []
  /// The layers that are recorded from a bar line on that is not known yet.
  private var wanted: Range<Int>?
  private var datagrams = 0
  private var messages = 0

  private struct Deed {
    var time: HostTime
    /// A place in `players`; nil tells the bench that the loops are recorded.
    var player: Int?
    var bytes: [UInt8] = []
  }

  /// How long before the moment in its timetag a hit is sent.
  private static let aheadMilliseconds = 200.0
  /// How long before its bar line an order for a loop is sent: less than a bar.
  private static let orderMilliseconds = 400.0

  /// Joins the room with each of the players, and subscribes to everything.
  init(_ room: DenseRoom, numbers: Range<Int>, port: UInt16) throws {
    self.room = room
    self.numbers = numbers
    players = try numbers.map { number in
      // One address may not fill a room.
      let player = try BenchPlayer(port: port, host: UInt8(truncatingIfNeeded: 2 + number / 16))
      guard player.join("p\(number)", kit: nil) else {
        throw ChildProcess.Failure(description: "player \(number) could not join")
      }
      player.send(OSCMessage("/loop/bars", .int32(Int32(room.bars))))
      player.send(OSCMessage("/quantize", .string(room.grid)))
      return player
    }
    guard let clock = players.first?.serverClock() else {
      throw ChildProcess.Failure(description: "no answer to /ping")
    }
    self.clock = clock
    let topics = ["state", "beat", "position", "hits", "meters", "history"]
    for player in players { player.send(OSCMessage("/subscribe", topics.map { .string($0) })) }
    orders = try DatagramSocket(binding: .loopback(port: 0))
  }

  /// Plays, reads and obeys until the process that started this one ends it, or is gone.
  func run() {
    Console.say("ready \(orders.localAddress.port)")
    let parent = getppid()
    var entries = (players.map(\.descriptor) + [orders.fileDescriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while getppid() == parent {
      let wait = deeds.last.map { max(0, $0.time.milliseconds(since: .now)).rounded(.up) } ?? 500
      poll(
        &entries, nfds_t(entries.count), Int32(truncatingIfNeeded: Int(saturating: min(wait, 500))))
      for (index, entry) in entries.enumerated() where entry.revents != 0 {
        if index < players.count { read(index) } else { obey() }
      }
      carryOutDue()
    }
  }

  private func read(_ index: Int) {
    players[index].read { datagram in
      datagrams += 1
      messages += PlayerCrowd.messages(in: datagram.bytes)
      if index == 0, let wanted { begin(wanted, datagram.bytes) }
    }
  }

  /// How many messages a packet holds. The server does not put bundles into bundles.
  static func messages(in bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count >= 16, bytes[0] == UInt8(ascii: "#") else { return 1 }
    var (count, place) = (0, 16)
    while place + 4 <= bytes.count {
      count += 1
      place +=
        4 + Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    return count
  }

  private func obey() {
    _ = orderReceiver.receive(from: orders) { datagram in
      var packet = OSCPacket()
      try? packet.decode(datagram.bytes)
      for element in packet.elements { obey(element.message) }
    }
  }

  private func obey(_ order: OSCMessage) {
    let numbers = order.arguments.compactMap(\.number)
    switch order.address {
    case "/record" where numbers.count == 2:
      wanted = Range(from: Int(saturating: numbers[0]), to: Int(saturating: numbers[1]))
    case "/tempo": players[0].send(order)
    case "/counts":
      Console.say(
        "counts \(datagrams) \(messages) \(players.reduce(0) { $0 + Int($1.kernelDrops) })")
    default: break
    }
  }

  private func carryOutDue() {
    let now = HostTime.now
    while let deed = deeds.last, deed.time <= now {
      deeds.removeLast()
      if let player = deed.player {
        players[player].send(deed.bytes)
      } else {
        Console.say("recorded")
      }
    }
  }

  // MARK: Recording

  /// Plans the recording, where `packet` tells the next beat at the tempo of recordings.
  private func begin(_ layers: Range<Int>, _ packet: UnsafeRawBufferPointer) {
    var content = OSCPacket()
    try? content.decode(packet)
    for element in content.elements where element.message.address == "/beat/next" {
      let numbers = element.message.arguments.compactMap(\.number)
      guard numbers.count == 3, abs(numbers[2] - DenseRoom.recordingBPM) < 0.01 else { continue }
      let bar = DenseRoom.barMilliseconds(DenseRoom.recordingBPM)
      var start = clock.time(of: element.timetag)
      // Beats count from 1.
      start = start.advanced(
        byMilliseconds: (5 - numbers[1]).truncatingRemainder(dividingBy: 4) * bar / 4)
      while start.milliseconds(since: .now) < 1_000 { start = start.advanced(byMilliseconds: bar) }
      plan(layers, from: start)
      wanted = nil
      return
    }
  }

  private func plan(_ layers: Range<Int>, from start: HostTime) {
    let end = start.advanced(byMilliseconds: Double(layers.count) * room.passMilliseconds)
    for (index, number) in numbers.enumerated() {
      for (address, line) in [("/loop/overdub", start), ("/loop/play", end)] {
        deeds.append(
          Deed(
            time: line.advanced(byMilliseconds: -PlayerCrowd.orderMilliseconds), player: index,
            bytes: OSCMessage(address).encoded()))
      }
      for (pass, layer) in layers.enumerated() {
        let begin = start.advanced(byMilliseconds: Double(pass) * room.passMilliseconds)
        for hit in room.pass(ofLayer: layer, by: number) {
          let time = begin.advanced(byMilliseconds: hit.milliseconds)
          deeds.append(
            Deed(
              time: time.advanced(byMilliseconds: -PlayerCrowd.aheadMilliseconds), player: index,
              bytes: OSCPacket.encode([hit.message], at: clock.timetag(at: time))))
        }
      }
    }
    deeds.append(Deed(time: end.advanced(byMilliseconds: 200)))
    deeds.sort { $0.time > $1.time }
  }
}
