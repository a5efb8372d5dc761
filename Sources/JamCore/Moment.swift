/// The arrival of a command, and the time at which it should take effect, on the room's frame
/// clock.
///
/// Thread: any. Real-time safe.
@frozen
public struct Moment: Hashable, BitwiseCopyable, Sendable {
  /// The frame that was due when the command arrived, by the kernel's time stamp where there is
  /// one.
  public var arrival: Frames
  /// The exact frame of the command's timetag. Nil is a live command, which takes effect one
  /// constant delay after its arrival.
  public var tagged: Frames?

  /// The low 32 bits of the frame that the player was hearing. A player who listens by RTP sees
  /// this number as the RTP timestamp.
  public var heard: UInt32?

  @inlinable public init(arrival: Frames, tagged: Frames? = nil, heard: UInt32? = nil) {
    self.arrival = arrival
    self.tagged = tagged
    self.heard = heard
  }
}
