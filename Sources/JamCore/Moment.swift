/// When a command arrived, and when it is meant to take effect, on the room's frame clock.
///
/// Thread: any. Real-time safe.
@frozen
public struct Moment: Hashable, BitwiseCopyable, Sendable {
  /// The frame that was due when the command arrived (by the kernel's stamp where there is one).
  public var arrival: Frames
  /// The exact frame that a timetag named; nil is live: one constant delay after the arrival.
  public var tagged: Frames?

  /// The low 32 bits of the frame that the player was hearing: the timestamp of what it hears by RTP.
  public var heard: UInt32?

  @inlinable public init(arrival: Frames, tagged: Frames? = nil, heard: UInt32? = nil) {
    self.arrival = arrival
    self.tagged = tagged
    self.heard = heard
  }
}
