/// The pages of a phone that is held upright.
extension LayoutDesk {
  var phonePages: [LayoutPage] {
    [
      LayoutPage(name: "Pads", controls: phonePads), LayoutPage(name: "Loop", controls: phoneLoop),
      LayoutPage(name: "Scenes", controls: phoneScenes),
      LayoutPage(name: "Mix", controls: phoneMix),
      LayoutPage(name: "Keys", controls: phoneKeys),
    ]
  }

  private var content: LayoutFrame { screen.page.inset(by: 2) }

  private var phonePads: [LayoutControl] {
    let rows = content.rows([76, 76, 396, 78, 78])
    let top = rows[0].columns([1, 1])
    return [connect(top[0])] + ownKit(top[1]) + kitSteps(rows[1]) + pads(rows[2])
      + loop(rows[3].columns([1, 1, 1, 1]))
      + edits(rows[4].columns([1, 1, 1, 1]))
  }

  /// Buttons that a player needs beside the pads at any moment.
  private func edits(_ cells: [LayoutFrame]) -> [LayoutControl] {
    [
      .button("/undo", "Undo", cells[0]), .button("/redo", "Redo", cells[1]),
      .toggle("/repeat/all", "Repeat", cells[2]), .button("/panic", "All off", cells[3], .stop),
    ]
  }

  private var phoneLoop: [LayoutControl] {
    let rows = content.rows([112, 112, 40, 80, 80, 80, 108, 80])
    let clearing = rows[3].columns([1, 1, 1])
    let grid = rows[5].columns([1, 2])
    return loop(rows[0].columns([1, 1]) + rows[1].columns([1, 1]))
      + [
        .meter("/loop/position", "", rows[2]), .reading("/loop/state", "Loop", clearing[0]),
        .lit("/loop/clear", "Clear", clearing[1], .stop), .button("/undo", "Undo", clearing[2]),
      ] + loopLengths(rows[4])
      + [.reading("/quantize", "Grid", grid[0]), .fader("/n/quantize", "", grid[1], isLying: true)]
      + transport(rows[6].columns([1, 1, 1, 1]))
      + [.fader("/tempo", "Tempo", rows[7], isLying: true)]
  }

  private var phoneScenes: [LayoutControl] {
    let rows = content.rows([256, 244, 42, 158])
    let build = rows[1].cells(columns: 3, rows: 3)
    return scenes(rows[0].cells(columns: 4, rows: 2))
      + buildUp(build) + [.toggle("/buildup/hold", "Hold", build[8])]
      + keeping(rows[2], rows[3].cells(columns: 4, rows: 2))
  }

  private var phoneMix: [LayoutControl] {
    let rows = content.rows([7, 7, 2])
    let switches = rows[2].columns([1, 1, 1])
    return faders(
      [("/gain", "Me"), ("/master/gain", "Room")] + LayoutDesk.ownMacros,
      rows[0].columns([1, 1, 1, 1, 1]))
      + faders(LayoutDesk.roomMacros, Array(rows[1].columns([1, 1, 1, 1, 1]).prefix(4)), .stop)
      + faders([("/send/reverb", "Reverb")], [rows[1].columns([1, 1, 1, 1, 1])[4]])
      + [
        .toggle("/mute", "Mute me", switches[0], .record),
        .toggle("/repeat/all", "Repeat", switches[1]),
        .button("/panic", "All off", switches[2], .stop),
      ]
  }

  private var phoneKeys: [LayoutControl] {
    let rows = content.rows([80, 80, 552])
    let switches = rows[1].columns([1, 1, 2])
    return instrument(rows[0])
      + [
        .toggle("/key/snap", "In key", switches[0]), .toggle("/sustain", "Sustain", switches[1]),
        .fader("/chord/size", "Chord", switches[2], isLying: true),
      ] + keys(from: 60, rising(rows[2], columns: 4, rows: 4))
  }
}
