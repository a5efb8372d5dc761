internal import JamCore

/// The pages of a tablet that lies down, and of Open Stage Control.
extension LayoutDesk {
  var tabletPages: [LayoutPage] {
    [
      LayoutPage(name: "Play", controls: tabletPlay),
      LayoutPage(name: "Kits", controls: tabletKits),
      LayoutPage(name: "Scenes", controls: tabletScenes),
      LayoutPage(name: "Mixer", controls: tabletMixer),
      LayoutPage(name: "Sound", controls: tabletSound),
      LayoutPage(name: "Keys", controls: tabletKeys),
    ]
  }

  private var content: LayoutFrame { screen.page.inset(by: 6) }

  private var tabletPlay: [LayoutControl] {
    let halves = content.columns([62, 38])
    let rows = halves[1].rows([70, 70, 70, 70, 32, 70, 70, 220])
    let top = rows[0].columns([1, 1])
    let clearing = rows[5].columns([1, 1, 1, 1])
    return pads(halves[0])
      + [connect(top[0])] + ownKit(top[1]) + kitSteps(rows[1])
      + transport(rows[2].columns([1, 1, 1, 1])) + loop(rows[3].columns([1, 1, 1, 1]))
      + [
        .meter("/loop/position", "", rows[4]), .reading("/loop/state", "Loop", clearing[0]),
        .lit("/loop/clear", "Clear", clearing[1], .stop), .button("/undo", "Undo", clearing[2]),
        .button("/redo", "Redo", clearing[3]),
      ] + loopLengths(rows[6])
      + faders([("/gain", "Me")] + LayoutDesk.ownMacros, rows[7].columns([1, 1, 1, 1]))
  }

  /// Six in a row, 42 at most.
  private var tabletKits: [LayoutControl] {
    kits(content.cells(columns: 6, rows: min(max((room.kits.count + 5) / 6, 4), 7)))
  }

  private var tabletScenes: [LayoutControl] {
    let rows = content.rows([270, 206, 68, 38, 66])
    let middle = rows[2].columns([1, 3])
    return scenes(rows[0].cells(columns: 4, rows: 2))
      + buildUp(rows[1].cells(columns: 4, rows: 2))
      + [
        .toggle("/buildup/hold", "Hold", middle[0]),
        .fader("/tempo", "Tempo", middle[1], isLying: true),
      ] + keeping(rows[3], rows[4].cells(columns: 8, rows: 1))
  }

  private var tabletMixer: [LayoutControl] { hasOthers ? hostsMixer : ownMixer }

  /// The pads' levels and places, and the player's own level.
  private var ownMixer: [LayoutControl] {
    let rows = content.rows([280, 38, 260, 104])
    let last = rows[3].columns([6, 6, 2])
    return padFaders("gain", rows[0])
      + [.title("Pads between left and right", rows[1])] + padFaders("pan", rows[2])
      + [
        .fader("/gain", "Me", last[0], .go, isLying: true),
        .fader("/master/gain", "Room", last[1], .record, isLying: true),
        .toggle("/mute", "Mute", last[2], .record),
      ]
  }

  /// A fader for each pad, with the pad's name.
  private func padFaders(_ setting: String, _ frame: LayoutFrame) -> [LayoutControl] {
    let pads = Range(from: 1, to: 17)
    return zip(pads, frame.columns(pads.map { _ in 1 }, gap: 0)).map { pad, cell in
      .fader("/pad/\(pad)/\(setting)", nameOfPad(pad), cell, caption: "/pad/\(pad)/name")
    }
  }

  /// The pads' levels, and a strip for each of the first eight seats. The device has the last seat
  /// of the room as it asks for feedback, so none of these strips is its own.
  private var hostsMixer: [LayoutControl] {
    let rows = content.rows([276, 40, 366])
    let strips = rows[2].columns(Array(repeating: 1, count: 11))
    let own = strips[10].rows([30, 8])
    let others = LayoutFrame(
      x: rows[1].x, y: rows[1].y, width: strips[7].right - rows[1].x, height: rows[1].height)
    return padFaders("gain", rows[0]) + [
      .title(
        "Other players, by seat: once this device is a host. No name: an empty seat.", others,
        light: "/host")
    ] + zip(Range(from: 1, to: 9), strips).flatMap { seat($0, $1) }
      + faders([("/master/gain", "Room")], [strips[9]], .record)
      + faders([("/gain", "Me")], [own[0]], .go)
      + [.toggle("/mute", "Mute", own[1], .record)]
  }

  private var tabletSound: [LayoutControl] {
    let rows = content.rows([5, 1])
    let strips = rows[0].columns(Array(repeating: 1, count: 11))
    let bottom = rows[1].columns([2, 2, 1, 3, 1, 3])
    return faders(LayoutDesk.ownMacros, Array(strips[0..<3]))
      + faders(LayoutDesk.sends, Array(strips[3..<5]))
      + faders(LayoutDesk.roomMacros, Array(strips[5..<9]), .stop)
      + faders(LayoutDesk.roomLevels, Array(strips[9..<11]))
      + [
        .button("/panic", "All off", bottom[0], .stop),
        .toggle("/repeat/all", "Repeat", bottom[1]),
        .reading("/repeat", "Rate", bottom[2]), .fader("/n/repeat", "", bottom[3], isLying: true),
        .reading("/quantize", "Grid", bottom[4]),
        .fader("/n/quantize", "", bottom[5], isLying: true),
      ]
  }

  private var tabletKeys: [LayoutControl] {
    let rows = content.rows([1, 6])
    let top = rows[0].columns([7, 2, 2, 4])
    return instrument(top[0])
      + [
        .toggle("/key/snap", "In key", top[1]), .toggle("/sustain", "Sustain", top[2]),
        .fader("/chord/size", "Chord", top[3], isLying: true),
      ] + piano(from: 48, octaves: 2, rows[1])
  }
}
