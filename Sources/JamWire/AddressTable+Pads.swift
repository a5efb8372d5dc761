internal import JamCore

extension AddressTable {
  /// Each player has a kit of its own.
  static let padRows: [AddressEntry] = playingRows + padSettingRows + mixRows

  private static let padSettingRows = PadSetting.allCases.map { setting in
    AddressEntry.setting { .pad(setting, Pad($0)!) }
  }

  private static let playingRows: [AddressEntry] = [
    .call(
      "/pad/<n>", [ArgumentSpec("velocity", .velocity, optional: true), .own], .pad,
      """
      Hit the pad; 0 is the release. From the first int above 1 or float from 2 on, such numbers are \
      MIDI's velocities, see `/velocity/max`. `own` is for a client that sounds the hit itself: a \
      number of its own for the hit, which streams `without=me` leave out.
      """,
      access: .trigger
    ) {
      .command(hit($0.pad, $0, 0))
    } write: {
      switch $0 {
      case .hit(let pad, let velocity, let own) where !pad.isKey:
        ([Int(pad.number)], [], [.float(velocity.value)] + own.arguments)
      case .strike(let pad, let strike, let own) where !pad.isKey:
        ([Int(pad.number)], [], [strike.argument] + own.arguments)
      case .release(let pad) where !pad.isKey: ([Int(pad.number)], [], [.float(0)])
      default: nil
      }
    },
    .call(
      "/pad", [ArgumentSpec("n", .pad), ArgumentSpec("velocity", .velocity, optional: true)], .pad,
      "The same, with the pad's number as an argument.", access: .trigger
    ) { arguments in
      arguments.integer(0).flatMap { Pad($0) }.map { .command(hit($0, arguments, 1)) }
    },
    .setting(.velocityMax),
    .trigger("/pad/<n>/cancel", .pad, "Withdraw the hits of the pad that wait for their time.") {
      .cancel($0.pad)
    } write: {
      if case .cancel(let pad) = $0, !pad.isKey { ([Int(pad.number)], [], []) } else { nil }
    },
    AddressEntry(
      .kit, [ArgumentSpec("kit", .textOrIndex, optional: true)], .setter,
      build: { arguments throws(WireError) in
        if let index = arguments.integer(0) { return .command(.chooseKit(.index(index))) }
        if let id = arguments.text(0) { return .command(.chooseKit(.id(id))) }
        return .command(.read(.kit))
      },
      write: {
        switch $0 {
        case .chooseKit(.id(let id)): ([], [], [.string(id)])
        case .chooseKit(.index(let index)): ([], [], [.int32(Int32(clamping: index))])
        default: nil
        }
      }),
    .trigger("/kit/next", .player, "The kit after this one.", .chooseKit(.next)),
    .trigger("/kit/prev", .player, "The kit before this one.", .chooseKit(.previous)),
    .call(
      "/kit/tune", [.text("key").optional], .player,
      """
      Sounds that have a key are transposed to that one, as `C`, `F#` or `Bb`, the shortest way, or to the \
      room's by `room`, which they follow from then on; without one they are as the kit has them.
      """
    ) {
      .command(.tuneKit($0.text(0) ?? ""))
    } write: {
      if case .tuneKit(let key) = $0 { ([], [], [.string(key)]) } else { nil }
    },
    .setting(.kitFollow),
    .setting(.kitName),
    .trigger("/kit/<id>", .player, "Choose that kit.") {
      .chooseKit(.id($0.texts.first ?? ""))
    } write: { _ in
      nil
    },
    .list("/kits", "Answers one `/kits/item` for each kit.", .listKits),
    .setting { .padName(Pad($0)!) },
    .setting { .padSeconds(Pad($0)!) },
    .setting { .padCategory(Pad($0)!) },
    .setting { .padLit(Pad($0)!) },
    .setting { .padPending(Pad($0)!) },
    .setting { .padPlays(Pad($0)!) },
    .setting { .padSample(Pad($0)!) },
    .trigger("/pad/<n>/sample/next", .pad, "The next sound of its category, through all kits.") {
      .browseSample($0.pad, 1)
    } write: {
      if case .browseSample(let pad, 1) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .trigger("/pad/<n>/sample/prev", .pad, "The one before it.") {
      .browseSample($0.pad, -1)
    } write: {
      if case .browseSample(let pad, -1) = $0 { ([Int(pad.number)], [], []) } else { nil }
    },
    .call(
      "/samples", [.text("category").optional], .player,
      "Answers one `/samples/item` for each sound, of one category or all; `own` lists what was brought along.",
      access: .query
    ) {
      .command(.listSamples($0.text(0) ?? ""))
    } write: {
      if case .listSamples(let category) = $0 { ([], [], [.string(category)]) } else { nil }
    },
  ]

  private static let mixRows: [AddressEntry] =
    [
      .trigger("/pad/<n>/reset", .pad, "The kit's own settings again.") {
        .resetPad($0.pad)
      } write: {
        if case .resetPad(let pad) = $0 { ([Int(pad.number)], [], []) } else { nil }
      },
      .call(
        "/pad/<n>/fit", [.float("factor", PadFit.range)], .pad,
        "In scores alone: from here on the sound is so many times as long, so that it lasts its beats."
      ) { arguments in
        arguments.float(0).map { .command(.fit(arguments.pad, $0)) }
      } write: {
        if case .fit(let pad, let factor) = $0 { ([Int(pad.number)], [], [.float(factor)]) } else { nil }
      },
    ] + Setting.ofMix.map { .setting($0) }

  /// The hit or release for the velocity at `i`, and where the row has it, the number of the
  /// client's own hit behind it. A button without a number hits at full velocity.
  static func hit(_ pad: Pad, _ arguments: WireArguments, _ i: Int) -> Command {
    let own = arguments.integer(i + 1).map { OwnHit(Int64($0)) } ?? .none
    guard let argument = arguments.raw(i), argument != .true, let number = argument.number else {
      return .hit(pad, .full, own)
    }
    if arguments.isOfScore {
      return Velocity(Float(number)).map { .hit(pad, $0, own) } ?? .release(pad)
    }
    return .press(pad, Float(number), isInteger: argument.isInteger, own)
  }
}

extension ArgumentSpec {
  /// The number of a hit that its client sounds itself; 0 is none.
  static let own = ArgumentSpec(
    "own", .integer(0...Double(OwnHit.range.upperBound)), optional: true)
}

extension OwnHit {
  /// The last argument of a hit that its client sounds itself; nothing for every other hit.
  var arguments: [OSCArgument] { isOwn ? [.int32(number)] : [] }
}

extension Strike {
  /// The argument in the form in which it was sent.
  var argument: OSCArgument { isInteger ? .int32(Int32(saturating: number)) : .float(number) }
}
