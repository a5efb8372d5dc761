internal import JamCore
internal import JamWire

/// The groups of controls of which the pages are made, for one room on one screen. Each function
/// fills the frame that it is given.
struct LayoutDesk {
  let room: LayoutRoom
  let screen: LayoutScreen

  init(_ room: LayoutRoom, _ screen: LayoutScreen) {
    self.room = room
    self.screen = screen
  }

  /// The device's name in the room: the player's with the kind of device behind it, or that kind
  /// alone. The room adds a number where somebody else has the name.
  var deviceName: String {
    guard let player = room.player else { return screen.device }
    let rest = "-\(screen.device)"
    let name = String(player.prefix(Limits.standard.nameCharacters - rest.count)) + rest
    return PlayerName(name) == nil ? screen.device : name
  }

  /// Whether the pages have strips of other players: the server refuses those to all but hosts.
  var hasOthers: Bool { room.isForHost && screen.hasMixer }

  // MARK: The way in, and kits

  /// The button that joins the room and asks for feedback. Pressed again it does no harm: the
  /// device keeps its player, and gets all values once more.
  func connect(_ frame: LayoutFrame) -> LayoutControl {
    let words = [deviceName, room.name] + (room.password.map { [$0] } ?? [])
    // A device that asks for seats leaves the first ones to others.
    let topics = ["state", "beat", "position", "hits"] + (hasOthers ? ["seats"] : [])
    return .order(
      [
        LayoutMessage(address: "/hello", values: words.map { .text($0) }),
        LayoutMessage(address: screen.subscription, values: topics.map { .text($0) }),
      ], "Connect", frame, .go)
  }

  /// One kit back, the kit's name, one kit on.
  func kitSteps(_ frame: LayoutFrame) -> [LayoutControl] {
    let parts = frame.columns([3, 5, 3])
    return [
      .button("/kit/prev", "Kit −", parts[0]),
      .reading("/kit/name", "Kit", parts[1], start: room.kit.name),
      .button("/kit/next", "Kit +", parts[2]),
    ]
  }

  /// A button for each kit whose id makes an address, as many as there are cells.
  func kits(_ cells: [LayoutFrame]) -> [LayoutControl] {
    let kits = room.kits.filter {
      AddressTable.standard.row(at: "/kit/\($0.id)")?.entry.template == "/kit/<id>"
    }
    return zip(kits, cells).map { kit, frame in
      let colour = kit.colours.first.flatMap { LayoutColour($0) } ?? .plain
      return .lit("/kit/\(kit.id)", kit.name, frame, colour.asGround)
    }
  }

  /// The button of the kit whose pads are shown, so that the names fit.
  func ownKit(_ frame: LayoutFrame) -> [LayoutControl] {
    kits([frame]).isEmpty ? [] : LayoutDesk(room.showingOwnKitAlone, screen).kits([frame])
  }

  // MARK: Pads and keys

  /// Sixteen pads, pad 1 at the top left, as on the page.
  func pads(_ frame: LayoutFrame) -> [LayoutControl] {
    let tones = padColours
    return frame.cells(columns: 4, rows: 4).enumerated().map { place, cell in
      let pad = place + 1
      let isFirst = (place / 4 + place % 4) % 2 == 0
      return LayoutControl(
        kind: .button, frame: cell, address: "/pad/\(pad)",
        label: nameOfPad(pad),
        colour: isFirst ? tones.0 : tones.1, light: "/pad/\(pad)/lit", caption: "/pad/\(pad)/name",
        isPad: true)
    }
  }

  /// The kit's name of a pad from 1 on; empty for an empty pad.
  func nameOfPad(_ pad: Int) -> String {
    room.kit.pads.indices.contains(pad - 1) ? room.kit.pads[pad - 1] : ""
  }

  private var padColours: (LayoutColour, LayoutColour) {
    let colours = room.kit.colours.compactMap { LayoutColour($0) }
    guard colours.count >= 2 else { return LayoutColour.pads }
    return (colours[0].standingOut, colours[1].standingOut)
  }

  /// Cells of one size, from the left to the right, and from the lowest row up.
  func rising(_ frame: LayoutFrame, columns: Int, rows: Int) -> [LayoutFrame] {
    frame.rows(Array(repeating: 1, count: rows)).reversed()
      .flatMap { $0.columns(Array(repeating: 1, count: columns)) }
  }

  /// Keys from a note on, one in each cell.
  func keys(from note: Int, _ cells: [LayoutFrame]) -> [LayoutControl] {
    cells.enumerated().map { key(note + $0.offset, $0.element) }
  }

  func key(_ note: Int, _ frame: LayoutFrame) -> LayoutControl {
    LayoutControl(
      kind: .key, frame: frame, address: "/key/\(note)", label: LayoutDesk.name(ofNote: note),
      colour: LayoutDesk.isBlack(note) ? .blackKey : .whiteKey)
  }

  /// Two octaves as on a piano: black keys lie over the upper part of the white ones.
  func piano(from note: Int, octaves: Int, _ frame: LayoutFrame) -> [LayoutControl] {
    let notes = Range(from: note, to: note + 12 * octaves + 1)
    let white = notes.filter { !LayoutDesk.isBlack($0) }
    let frames = frame.columns(Array(repeating: 1, count: white.count), gap: 2)
    let width = screen.leastTouch
    let black = notes.filter { LayoutDesk.isBlack($0) }.compactMap { note -> LayoutControl? in
      guard let left = white.firstIndex(of: note - 1) else { return nil }
      let middle = frames[left].right + 1
      return key(
        note,
        LayoutFrame(
          x: middle - width / 2, y: frame.y, width: width, height: frame.height * 55 / 100))
    }
    return zip(white, frames).map { key($0, $1) } + black
  }

  /// The instrument, and what a press plays.
  func instrument(_ frame: LayoutFrame) -> [LayoutControl] {
    let parts = frame.columns([3, 5, 3])
    return [
      .button("/instrument/prev", "Instr. −", parts[0]),
      .reading("/instrument", "Instrument", parts[1]),
      .button("/instrument/next", "Instr. +", parts[2]),
    ]
  }

  // MARK: Loop, clock, scenes, build-up

  func loop(_ cells: [LayoutFrame]) -> [LayoutControl] {
    let buttons: [(String, String, LayoutColour)] = [
      ("/loop/record", "Record", .record), ("/loop/overdub", "Overdub", .record),
      ("/loop/play", "Loop play", .go),
      ("/loop/stop", "Loop stop", .stop),
    ]
    return zip(buttons, cells).map { .lit($0.0, $0.1, $1, $0.2) }
  }

  /// Lengths of the next recording.
  func loopLengths(_ frame: LayoutFrame) -> [LayoutControl] {
    let cells = frame.columns([1, 1, 1, 1, 1])
    let lengths = zip([1, 2, 4, 8], cells.dropFirst()).map { bars, cell in
      LayoutControl.order(
        [LayoutMessage(address: "/loop/bars", values: [.whole(bars)])],
        bars == 1 ? "1 bar" : "\(bars) bars", cell)
    }
    return [.reading("/loop/bars", "Bars", cells[0])] + lengths
  }

  func transport(_ cells: [LayoutFrame]) -> [LayoutControl] {
    let make: [(LayoutFrame) -> LayoutControl] = [
      { .lit("/play", "Play", $0, .go) }, { .button("/stop", "Stop", $0, .stop) },
      { .button("/tempo/tap", "Tap", $0) },
      { .reading("/bpm", "bpm", $0) },
    ]
    return zip(make, cells).map { $0($1) }
  }

  /// A button in each cell that launches a scene.
  func scenes(_ cells: [LayoutFrame]) -> [LayoutControl] {
    cells.enumerated().map { place, cell in
      let scene = place + 1
      var launch = LayoutControl.lit("/scene/\(scene)", "Scene \(scene)", cell)
      launch.caption = "/scene/\(scene)/name"
      return launch
    }
  }

  /// Buttons that keep what plays as a scene. A scene that was there is lost, so they are far from
  /// those that launch one, and a title parts them from all others.
  func keeping(_ title: LayoutFrame, _ cells: [LayoutFrame]) -> [LayoutControl] {
    [.title("Keep what plays now as a scene", title)]
      + cells.enumerated().map { place, cell in
        .button("/scene/\(place + 1)/keep", "Keep \(place + 1)", cell, .stop)
      }
  }

  func buildUp(_ cells: [LayoutFrame]) -> [LayoutControl] {
    let make: [(LayoutFrame) -> LayoutControl] = [
      { .lit("/buildup", "Build-up", $0, .go) }, { .lit("/buildup/drop", "Drop", $0, .record) },
      { .button("/buildup/cancel", "Cancel", $0, .stop) },
      { .reading("/buildup/bars", "Bars left", $0) },
      { .toggle("/buildup/roll", "Roll", $0) }, { .toggle("/buildup/riser", "Riser", $0) },
      { .toggle("/buildup/silence", "Silence", $0) }, { .toggle("/buildup/impact", "Impact", $0) },
    ]
    return zip(make, cells).map { $0($1) }
  }

  // MARK: Levels and macros

  static let ownMacros = [("/macro/1", "Filter"), ("/macro/2", "Drive"), ("/macro/3", "Space")]
  static let roomMacros = [
    ("/room/macro/throw", "Throw"), ("/room/macro/wash", "Wash"), ("/room/macro/cut", "Cut"),
    ("/room/macro/crush", "Crush"),
  ]
  static let roomLevels = [
    ("/room/fx/delay/level", "Delay room"), ("/room/fx/reverb/level", "Reverb room"),
  ]
  static let sends = [("/send/delay", "Delay"), ("/send/reverb", "Reverb")]

  func faders(
    _ addresses: [(String, String)], _ cells: [LayoutFrame], _ colour: LayoutColour = .fader
  )
    -> [LayoutControl]
  {
    zip(addresses, cells).map { .fader($0.0, $0.1, $1, colour) }
  }

  /// A strip of a mixer for whoever has the seat. Hosts alone move it.
  func seat(_ seat: Int, _ frame: LayoutFrame) -> [LayoutControl] {
    let parts = frame.rows([30, 8])
    return [
      .fader("/seat/\(seat)/gain", "\(seat)", parts[0], .stop, caption: "/seat/\(seat)/name"),
      .toggle("/seat/\(seat)/mute", "Mute", parts[1]),
    ]
  }

  // MARK: Notes

  static func isBlack(_ note: Int) -> Bool { [1, 3, 6, 8, 10].contains(note % 12) }

  static func name(ofNote note: Int) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    return "\(names[note % 12])\(note / 12 - 1)"
  }
}

extension LayoutRoom {
  /// The same room with one kit to choose: the one whose pads are shown.
  fileprivate var showingOwnKitAlone: LayoutRoom {
    var room = self
    room.kits = [kit]
    return room
  }
}

extension LayoutColour {
  /// The colour, made darker in steps until white text on it can be read.
  var asGround: LayoutColour {
    var colour = self
    for _ in 0..<16 where colour.contrast(with: .white) < 4.5 {
      colour = LayoutColour(colour.red * 7 / 8, colour.green * 7 / 8, colour.blue * 7 / 8)
    }
    return colour
  }
}
