/// One number that can make a player late: from which value on the light is amber, and from which
/// it is red.
///
/// docs/internals/hearing.md has the same table, with the reasons.
struct LateMeasure: Hashable, Sendable {
  let cause: PlayerLight.Cause
  let remedy: PlayerLight.Remedy
  let amber: Float
  let red: Float

  /// In ms. Musicians slow each other down from some 30 ms in one direction on; with 75 ms in one
  /// direction nobody plays along any more.
  static let roundTrip = LateMeasure(cause: .network, remedy: .interval, amber: 60, red: 150)
  /// In ms. Buffers hold two to three times the jitter. A cable has 1 ms, good radio 5 ms.
  static let jitter = LateMeasure(cause: .network, remedy: .cable, amber: 15, red: 40)
  /// A share. One packet of 20 ms in two seconds is 1 %, which resending and Opus still hide.
  static let loss = LateMeasure(cause: .network, remedy: .cable, amber: 0.01, red: 0.05)
  /// Hits in a second that came after the moment of their timetag.
  static let lateHits = LateMeasure(cause: .network, remedy: .cable, amber: 1, red: 8)
  /// In ms. A browser rests at 20 to 60 ms of packets of 20 ms.
  static let buffer = LateMeasure(cause: .buffer, remedy: .reload, amber: 100, red: 250)
  /// In ms. Sound cards have 5 to 50 ms, Bluetooth has 100 to 300.
  static let output = LateMeasure(cause: .output, remedy: .wire, amber: 80, red: 150)
  /// In ms, from the room to the ear and back: the network, the client's buffer and its output
  /// together. Below that, each of them may be as it should.
  static let heard = LateMeasure(cause: .delay, remedy: .shorten, amber: 100, red: 250)
  /// A share. A tenth is a hit in ten that comes late by what held it up.
  static let busy = LateMeasure(cause: .computer, remedy: .programs, amber: 0.1, red: 0.3)
  /// Buffers, commands and packets in a second for which this server came too late. Each one is a
  /// gap or a late hit for everybody.
  static let server = LateMeasure(cause: .server, remedy: .relieve, amber: 1, red: 5)
  /// A share. Nothing made up is good: from the first made-up moment on, the light is amber.
  /// Packets that all come, and evenly, are there in time: then the computer did not play them.
  static let madeUp = LateMeasure(
    cause: .computer, remedy: .programs, amber: .leastNonzeroMagnitude, red: 0.05)

  /// In ms. Such a buffer is that of a stream over TCP: WebRTC does not come through.
  static let streamOverTCP: Float = 700

  /// How bad `value` is: 1 is amber, 2 red, 3 the most.
  func severity(_ value: Float) -> Float {
    guard value > 0 else { return 0 }
    if value < amber { return value / amber }
    if value < red { return 1 + (value - amber) / (red - amber) }
    return min(3, 1 + value / red)
  }
}
