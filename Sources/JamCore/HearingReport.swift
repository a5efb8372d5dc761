/// How the room's sound reaches one player, as the player's client measures it: what nobody else
/// can know. A client that lies harms its own light alone.
public struct HearingReport: Hashable, Sendable {
  /// The share of the sound since the report before that was made up, 0…1: what had not come in
  /// time, and was guessed from what came before it.
  public let madeUp: Float
  /// The share of packets since the report before that never came, 0…1.
  public let loss: Float
  /// To the server and back, in ms.
  public let roundTrip: Float
  /// How unevenly packets come, in ms.
  public let jitter: Float
  /// How long packets wait in the client to be played, in ms.
  public let buffer: Float
  /// From the client to the ear, in ms: the sound card, or Bluetooth.
  public let output: Float
  /// The share of the time since the report before in which the client's own work was held up:
  /// 0…1.
  public let busy: Float

  /// Numbers out of range are brought into it, and NaN is 0.
  public init(
    madeUp: Float = 0, loss: Float = 0, roundTrip: Float = 0, jitter: Float = 0,
    buffer: Float = 0, output: Float = 0, busy: Float = 0
  ) {
    func within(_ value: Float, _ most: Float) -> Float { value > 0 ? min(value, most) : 0 }
    self.madeUp = within(madeUp, 1)
    self.loss = within(loss, 1)
    self.roundTrip = within(roundTrip, HearingReport.longest)
    self.jitter = within(jitter, HearingReport.longest)
    self.buffer = within(buffer, HearingReport.longest)
    self.output = within(output, HearingReport.longest)
    self.busy = within(busy, 1)
  }

  /// In ms.
  public static let longest: Float = 60_000
}
