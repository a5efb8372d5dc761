extension GeneralMIDI {
  /// The program that sounds most like an instrument, by the words of its name; nil where General
  /// MIDI has nothing like it.
  /// - Returns: 0…127. General MIDI's own list counts from 1.
  /// - Source: General MIDI System Level 1 (MIDI Manufacturers Association, RP-003), sound set.
  public static func program(named name: String) -> UInt8? {
    let words = Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    return programs.first { words.isSuperset(of: $0.words) }?.program
  }

  /// The more exact names come first.
  private static let programs: [(words: Set<String>, program: UInt8)] = [
    (["electric", "piano"], 4), (["woodsy", "bass"], 32), (["acoustic", "bass"], 32),
    (["sub", "bass"], 39), (["reese"], 39), (["bass"], 38), (["piano"], 0), (["clavinet"], 7),
    (["celesta"], 8), (["glockenspiel"], 9), (["vibraphone"], 11), (["marimba"], 12),
    (["xylophone"], 13), (["bell"], 14), (["bells"], 14), (["organ"], 16), (["accordion"], 21),
    (["guitar"], 24), (["violin"], 40), (["cello"], 42), (["pluck"], 45), (["harp"], 46),
    (["strings"], 48), (["choir"], 52), (["voices"], 53), (["trumpet"], 56), (["brass"], 62),
    (["saxophone"], 65), (["flute"], 73), (["sine", "square", "triangle"], 80), (["square"], 80),
    (["lead"], 81), (["pad"], 89), (["sitar"], 104), (["kalimba"], 108),
  ]
}
