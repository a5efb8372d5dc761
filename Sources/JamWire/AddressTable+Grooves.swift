internal import JamCore

extension AddressTable {
  /// Grooves: drums, bass and chords that the room makes for a player.
  static let grooveRows: [AddressEntry] =
    [
      .call(
        "/groove", [.choice("mood", GrooveMood.allCases.map(\.word)).optional], .player,
        """
        A groove on free lanes of yours, from the next bar line on: drums, a bass and chords in \
        the room's key, of that mood (`any`). Again: another one. In silence it begins at once, \
        in its own tempo. A button's 1 is no mood.
        """
      ) {
        .command(.groove($0.text(0).flatMap { GrooveMood(rawValue: $0) } ?? .any))
      }.button.lit { _ in .groove },
      .call(
        "/groove/replace", [.choice("part", GroovePart.allCases.map(\.word))], .player,
        """
        That part rests from the next bar line on, and a layer of your loop is recorded in its \
        place.
        """
      ) {
        $0.text(0).flatMap { GroovePart(rawValue: $0) }.map { .command(.replaceGroove($0)) }
      },
    ] + Setting.ofGrooves.map { .setting($0) }
}
