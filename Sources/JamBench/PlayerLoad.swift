internal import JamCommand
internal import JamCore
internal import JamNet
internal import JamWire

/// Players of a dense room in a process of their own. So the server's CPU time does not include
/// theirs.
///
/// Thread: one.
final class PlayerLoad {
  let process: ChildProcess
  private let socket: DatagramSocket
  private let path: NetworkPath

  /// How much has reached the players since they joined.
  struct Counts {
    var datagrams = 0
    var messages = 0
    /// Datagrams that the kernel dropped, because a player's socket was full.
    var drops = 0
  }

  /// Starts the process, and waits until its players have joined.
  init(_ room: DenseRoom, players: Range<Int>, server: ChildServer) throws(ChildProcess.Failure) {
    process = try ChildProcess(
      "process",
      [
        "player-load", room.rawValue, String(server.ports.osc), "--first",
        String(players.lowerBound), "--count",
        String(players.count),
      ], showsErrors: true)
    guard let words = process.line(withinSeconds: 60)?.split(separator: " "), words.count == 2,
      words[0] == "ready",
      let port = UInt16(words[1])
    else { throw ChildProcess.Failure(description: "the players did not all join") }
    do throws(NetError) { socket = try DatagramSocket(binding: .loopback(port: 0)) } catch {
      throw ChildProcess.Failure(description: "\(error)")
    }
    path = NetworkPath(peer: .loopback(port: port))
  }

  /// Begins to record layers, on one of the next bar lines at the tempo of recordings.
  func record(_ layers: Range<Int>) {
    order(OSCMessage("/record", .int32(Int32(layers.lowerBound)), .int32(Int32(layers.upperBound))))
  }

  /// Waits until the loops are recorded and play.
  func waitForLoops(withinSeconds seconds: Int) throws(ChildProcess.Failure) {
    guard process.line(withinSeconds: seconds) == "recorded" else {
      throw ChildProcess.Failure(description: "the players could not record their loops")
    }
  }

  func setTempo(_ bpm: Double) { order(OSCMessage("/tempo", .float(Float(bpm)))) }

  func counts() throws(ChildProcess.Failure) -> Counts {
    order(OSCMessage("/counts"))
    let numbers = (process.line(withinSeconds: 10) ?? "").split(separator: " ").compactMap {
      Int($0)
    }
    guard numbers.count == 3 else {
      throw ChildProcess.Failure(description: "the players are gone")
    }
    return Counts(datagrams: numbers[0], messages: numbers[1], drops: numbers[2])
  }

  private func order(_ message: OSCMessage) {
    message.encoded().withUnsafeBytes { _ = socket.send($0, along: path) }
  }
}
