/// Lengths of fades, in frames. Each is an S (`Curve`): of two parabolas, and up to 2 ms a rounder one.
///
/// Of a tone, 2 ms leave less than −66 dB above 2 kHz, 5 ms −71 dB, 8 ms −78 dB, and 1 ms −50 dB.
enum Fade {
  /// A voice that makes room for another, or that another pad of its group cuts off: 2 ms, so that little of a kick is left
  /// when the next one's first peak comes.
  static var steal: Int32 { @_noLocks get { 96 } }
  /// A note that makes room for another: 4 ms, for a low one has much to end, and no first peak that would add up.
  static var note: Int32 { @_noLocks get { 192 } }
  /// A gated voice whose pad was let go: 8 ms.
  static var release: Int32 { @_noLocks get { 384 } }
  /// Everything off: 5 ms.
  static var silence: Int32 { @_noLocks get { 240 } }
  /// A voice that reached its pad's decay: 10 ms.
  static var decay: Int32 { @_noLocks get { 480 } }
  /// A sample that was cut off in full sound: 2 ms.
  static var end: Int32 { @_noLocks get { 96 } }
  /// A sample that starts in its midst: 1 ms, too short to soften a drum.
  static var attack: Int32 { @_noLocks get { 48 } }
  /// The end of a loop's round into what lies in front of its beginning, in a straight line: 5 ms.
  /// So long, too, a voice that goes round fades into the one that takes its place.
  static var seam: Int32 { @_noLocks get { 240 } }
  /// Gains of buses, master and click, pads' levels and pans: 5 ms. A byte holds them.
  static var gain: Int { @_noLocks get { 240 } }
}
