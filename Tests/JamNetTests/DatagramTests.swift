import Glibc
import JamCore
import JamNet
import Testing

@Suite struct DatagramTests {
  struct Received {
    var bytes: [UInt8]
    var path: NetworkPath
    var arrival: HostTime
    var isTruncated: Bool
  }

  /// Everything that comes, until `count` datagrams are there or the poll gives up.
  func receive(_ count: Int, from socket: DatagramSocket, with receiver: DatagramReceiver) -> [Received] {
    var all: [Received] = []
    while all.count < count {
      var descriptor = pollfd(fd: socket.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 5_000) == 1 else { break }
      _ = receiver.receive(from: socket) {
        all.append(
          Received(bytes: Array($0.bytes), path: $0.path, arrival: $0.arrival, isTruncated: $0.isTruncated))
      }
    }
    return all
  }

  func now() -> HostTime {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return HostTime(nanoseconds: Int64(t.tv_sec) * 1_000_000_000 + Int64(t.tv_nsec))
  }

  func send(_ bytes: [UInt8], from socket: DatagramSocket, to peer: SocketAddress) {
    bytes.withUnsafeBytes { _ = socket.send($0, along: NetworkPath(peer: peer)) }
  }

  @Test("a datagram comes with its sender, the local address and a stamp between sending and receiving")
  func one() throws {
    let server = try DatagramSocket(binding: .anyIPv4(port: 0))
    let client = try DatagramSocket(binding: .loopback(port: 0))
    let before = now()
    send([1, 2, 3, 4], from: client, to: .loopback(port: server.localAddress.port))
    let datagram = try #require(receive(1, from: server, with: DatagramReceiver()).first)
    #expect(datagram.bytes == [1, 2, 3, 4])
    #expect(datagram.path.peer == client.localAddress)
    #expect(datagram.path.local == SocketAddress.ipv4(127, 0, 0, 1))
    #expect(!datagram.isTruncated)
    // The kernel's clock readings are taken apart by less than this.
    #expect(datagram.arrival >= before.advanced(byMilliseconds: -0.1))
    #expect(datagram.arrival <= now())
  }

  @Test("an answer leaves from the local address that was addressed") func answer() throws {
    let server = try DatagramSocket(binding: .anyIPv4(port: 0))
    let client = try DatagramSocket(binding: .loopback(port: 0))
    let second = SocketAddress.ipv4(127, 0, 0, 2, port: server.localAddress.port)
    send([1], from: client, to: second)
    let receiver = DatagramReceiver()
    let question = try #require(receive(1, from: server, with: receiver).first)
    #expect(question.path.local == second.host)
    var batch = DatagramBatch()
    _ = batch.append([7, 8], along: question.path)
    let lost = batch.flush(through: server)
    #expect(lost == 0)
    let answer = try #require(receive(1, from: client, with: receiver).first)
    #expect(answer.bytes == [7, 8])
    #expect(answer.path.peer == second)
  }

  @Test("IPv6 works the same, from a socket of its own on the same port") func ipv6() throws {
    let server = try DatagramSocket(binding: .anyIPv4(port: 0))
    let server6 = try DatagramSocket(binding: .anyIPv6(port: server.localAddress.port))
    let loopback = try #require(SocketAddress(host: "::1"))
    let client = try DatagramSocket(binding: loopback)
    send([5], from: client, to: loopback.with(port: server6.localAddress.port))
    let receiver = DatagramReceiver()
    let question = try #require(receive(1, from: server6, with: receiver).first)
    #expect(question.path.peer == client.localAddress)
    #expect(question.path.local == loopback)
    [UInt8](repeating: 6, count: 4).withUnsafeBytes { _ = server6.send($0, along: question.path) }
    let answer = try #require(receive(1, from: client, with: receiver).first)
    #expect(answer.path.peer == loopback.with(port: server6.localAddress.port))
  }

  @Test("batches keep their order") func order() throws {
    let server = try DatagramSocket(binding: .loopback(port: 0))
    let client = try DatagramSocket(binding: .loopback(port: 0))
    var batch = DatagramBatch()
    for i in 0..<100 { _ = batch.append([UInt8(i)], along: NetworkPath(peer: server.localAddress)) }
    let lost = batch.flush(through: client)
    #expect(lost == 0)
    #expect(batch.isEmpty)
    let all = receive(100, from: server, with: DatagramReceiver(capacity: 16))
    #expect(all.map(\.bytes) == (0..<100).map { [UInt8($0)] })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.arrival <= $1.arrival })
  }

  @Test("a full batch says so") func fullBatch() {
    var batch = DatagramBatch(capacity: 2, byteCapacity: 10)
    let path = NetworkPath(peer: .loopback(port: 9))
    let taken = [6, 6, 1, 1].map { batch.append([UInt8](repeating: 0, count: $0), along: path) }
    #expect(taken == [true, false, true, false])
  }

  @Test("a datagram that is too long arrives marked") func truncated() throws {
    let server = try DatagramSocket(binding: .loopback(port: 0))
    let client = try DatagramSocket(binding: .loopback(port: 0))
    send([UInt8](repeating: 1, count: 65), from: client, to: server.localAddress)
    send([UInt8](repeating: 2, count: 64), from: client, to: server.localAddress)
    let all = receive(2, from: server, with: DatagramReceiver(datagramBytes: 64))
    #expect(all.map(\.isTruncated) == [true, false])
    #expect(all.map(\.bytes.count) == [64, 64])
  }

  @Test("one payload goes to many, and a dead path does not stop the others") func fanOut() throws {
    let server = try DatagramSocket(binding: .anyIPv4(port: 0))
    let clients = try (0..<150).map { _ in try DatagramSocket(binding: .loopback(port: 0)) }
    var paths = clients.map { NetworkPath(peer: $0.localAddress) }
    // Port 0 cannot be sent to.
    paths.insert(NetworkPath(peer: .loopback(port: 0)), at: 70)
    let payload: [UInt8] = [9, 9, 9]
    let sent = payload.withUnsafeBytes { bytes in paths.withUnsafeBufferPointer { server.send(bytes, toMany: $0) } }
    #expect(sent == 150)
    let receiver = DatagramReceiver()
    for client in clients { #expect(receive(1, from: client, with: receiver).map(\.bytes) == [payload]) }
  }

  @Test("what the kernel drops is counted") func kernelDrops() throws {
    let server = try DatagramSocket(binding: .loopback(port: 0), receiveBufferBytes: 4_096)
    let client = try DatagramSocket(binding: .loopback(port: 0))
    let receiver = DatagramReceiver()
    for _ in 0..<500 { send([1], from: client, to: server.localAddress) }
    var kept = 0
    while true {
      let count = receiver.receive(from: server) { _ in }
      if count == 0 { break }
      kept += count
    }
    #expect(kept < 500)
    // The count travels with the next datagram that is queued.
    send([1], from: client, to: server.localAddress)
    #expect(receive(1, from: server, with: receiver).count == 1)
    #expect(Int(receiver.kernelDrops) == 500 - kept)
  }

  @Test("a port in use is named") func portInUse() throws {
    let first = try DatagramSocket(binding: .loopback(port: 0))
    #expect(throws: NetError.portInUse(first.localAddress)) { try DatagramSocket(binding: first.localAddress) }
    #expect(NetError.portInUse(first.localAddress).description.contains("port \(first.localAddress.port) is in use"))
  }

  @Test("an address of another machine cannot be bound") func foreignAddress() {
    let address = SocketAddress.ipv4(192, 0, 2, 1, port: 8000)
    #expect(throws: NetError.noSuchAddress(address)) { try DatagramSocket(binding: address) }
  }
}
