/// Lengths of fades, in frames. Each is S-shaped (`Curve`): two parabolas, or a rounder curve up to
/// 2 ms.
///
/// When a tone is faded, the by-products above 2 kHz stay below −66 dB for 2 ms, −71 dB for 5 ms,
/// −78 dB for 8 ms, and −50 dB for 1 ms.
enum Fade {
  /// A voice that makes room for another, or that another pad of its group cuts off: 2 ms. So
  /// little of a kick is left when the next one's first peak comes.
  static var steal: Int32 { @_noLocks get { 96 } }
  /// A note that makes room for another: 4 ms. A low note needs a longer fade, and has no first
  /// peak that would add up.
  static var note: Int32 { @_noLocks get { 192 } }
  /// A gated voice whose pad was released: 8 ms.
  static var release: Int32 { @_noLocks get { 384 } }
  /// The end of everything on a bus: 5 ms.
  static var silence: Int32 { @_noLocks get { 240 } }
  /// A voice that reached its pad's decay: 10 ms.
  static var decay: Int32 { @_noLocks get { 480 } }
  /// A sample that was cut off at full loudness: 2 ms.
  static var end: Int32 { @_noLocks get { 96 } }
  /// A sample that starts in its middle: 1 ms, too short to soften a drum.
  static var attack: Int32 { @_noLocks get { 48 } }
  /// The end of a loop's round, which fades into the frames in front of its beginning, in a
  /// straight line: 5 ms. A loop fades over the same time into the voice that replaces it.
  static var seam: Int32 { @_noLocks get { 240 } }
  /// Gains of buses, master and click, pads' levels and pans: 5 ms. A byte holds them.
  static var gain: Int { @_noLocks get { 240 } }
}
