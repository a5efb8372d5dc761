internal import JamCore

extension AddressTable {
  /// Scenes: which loops, lanes and mutes play, for everybody to launch.
  static let sceneRows: [AddressEntry] = [
    .trigger(
      "/scene/<n>", .room,
      """
      From the next bar line on plays what played when the scene was kept: loops, layers, lanes and mutes of \
      everybody who is in it. A transport that stands begins.
      """
    ) {
      .launchScene($0.numbers.0)
    } write: {
      if case .launchScene(let number) = $0 { ([number], [], []) } else { nil }
    }.lit { .scene($0) },
    .trigger("/scene/<n>/keep", .room, "What plays now becomes the scene, for everybody.") {
      .keepScene($0.numbers.0)
    } write: {
      if case .keepScene(let number) = $0 { ([number], [], []) } else { nil }
    },
    .setting { .sceneName($0) },
    .setting { .scene($0) },
    .setting(.sceneLaunched),
    .setting(.sceneWaiting),
  ]
}
