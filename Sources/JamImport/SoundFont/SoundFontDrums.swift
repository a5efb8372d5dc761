internal import JamKit

/// General MIDI's drums: the keys, and their order on pads.
/// - Source: General MIDI System Level 1, "Percussion Key Map".
enum SoundFontDrums {
  static let bank = 128

  /// Keys in the order of pads: kick, snares and clap, hats and cowbell, toms and crash, ride and
  /// small ones. Behind these come the keys that replace missing ones.
  static let order =
    [36, 38, 37, 39, 42, 44, 46, 56, 41, 45, 50, 49, 51, 54, 70, 75]
    + [35, 40, 43, 47, 48, 57, 53, 52, 55, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 58, 71, 72, 73, 74]
    + [76, 77, 78, 79, 80, 81]

  static func described(_ key: Int) -> (name: String, category: PadCategory)? { names[key] }

  private static let names: [Int: (name: String, category: PadCategory)] = [
    35: ("Kick 2", .kick), 36: ("Kick", .kick), 37: ("Side stick", .percussion), 38: ("Snare", .snare),
    39: ("Clap", .clap), 40: ("Snare 2", .snare), 41: ("Low floor tom", .tom), 42: ("Closed hat", .hat),
    43: ("High floor tom", .tom), 44: ("Pedal hat", .hat), 45: ("Low tom", .tom), 46: ("Open hat", .hat),
    47: ("Low-mid tom", .tom), 48: ("High-mid tom", .tom), 49: ("Crash", .cymbal), 50: ("High tom", .tom),
    51: ("Ride", .cymbal), 52: ("China", .cymbal), 53: ("Ride bell", .cymbal), 54: ("Tambourine", .percussion),
    55: ("Splash", .cymbal), 56: ("Cowbell", .percussion), 57: ("Crash 2", .cymbal), 58: ("Vibraslap", .percussion),
    59: ("Ride 2", .cymbal), 60: ("High bongo", .percussion), 61: ("Low bongo", .percussion),
    62: ("Muted conga", .percussion), 63: ("High conga", .percussion), 64: ("Low conga", .percussion),
    65: ("High timbale", .percussion), 66: ("Low timbale", .percussion), 67: ("High agogo", .percussion),
    68: ("Low agogo", .percussion), 69: ("Cabasa", .percussion), 70: ("Maracas", .percussion),
    71: ("Short whistle", .percussion), 72: ("Long whistle", .percussion), 73: ("Short guiro", .percussion),
    74: ("Long guiro", .percussion), 75: ("Claves", .percussion), 76: ("High wood block", .percussion),
    77: ("Low wood block", .percussion), 78: ("Muted cuica", .percussion), 79: ("Open cuica", .percussion),
    80: ("Muted triangle", .percussion), 81: ("Open triangle", .percussion),
  ]
}
