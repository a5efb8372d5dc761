import JamCore
import Testing

@testable import JamLayout
@testable import JamWire

@Suite struct LayoutTests {
  private static let table = AddressTable.standard
  private static let rooms = [LayoutRoom.some, .ofHost]

  @Test(
    "every address that a control sends or shows is in the table", arguments: LayoutForm.allCases)
  func addresses(form: LayoutForm) throws {
    for control in Self.rooms.flatMap({ form.layout(of: $0).controls }) {
      let sent: [String] =
        switch control.kind {
        case .button, .switch, .fader: [control.address]
        case .key: [control.address, control.heightAddress]
        case .order(let messages): messages.map(\.address)
        case .reading, .meter, .title: []
        }
      for address in sent {
        let row = try #require(Self.table.row(at: address), "\(address)")
        #expect(![.sent, .readOnly, .query].contains(row.entry.access), "\(address) takes nothing")
      }
      for address in control.told { #expect(Self.isTold(address), "\(address) is told to nobody") }
    }
  }

  /// Whether the server tells a value at the address.
  private static func isTold(_ address: String) -> Bool {
    guard let found = try? table.resolve(address) else { return false }
    return table.setting(of: found) != nil || table.entries[found.entry].access == .sent
  }

  @Test("what a control sends is of the kind that its row takes", arguments: LayoutForm.allCases)
  func kinds(form: LayoutForm) throws {
    for control in Self.rooms.flatMap({ form.layout(of: $0).controls }) {
      guard let row = Self.table.row(at: control.address) else { continue }
      let first = row.entry.arguments.first?.kind
      switch control.kind {
      case .button, .key:
        #expect(row.entry.access == .trigger || row.entry.isButton, "\(control.address)")
      case .switch: #expect(first == .bool, "\(control.address)")
      case .fader(let range, _):
        if row.isShare {
          #expect(range == .share)
        } else {
          let bounds = range.least...range.largest
          #expect(
            first == (range.isWhole ? .integer(bounds) : .float(bounds)), "\(control.address)")
        }
      case .order(let messages):
        for message in messages {
          let row = try #require(Self.table.row(at: message.address)).entry
          #expect(
            message.values.count <= row.arguments.count || row.arguments.last?.repeats == true)
        }
      case .reading, .meter, .title: break
      }
    }
  }

  @Test(
    "a finger hits each control: 12 mm, on its page, and not over another",
    arguments: LayoutForm.allCases)
  func touch(form: LayoutForm) { for room in Self.rooms { touch(form.layout(of: room)) } }

  private func touch(_ layout: Layout) {
    let (page, least) = (layout.screen.page, layout.screen.leastTouch)
    #expect(Double(least) * layout.screen.millimetresPerUnit >= 12)
    #expect(layout.screen.tabs >= least && layout.screen.width / layout.pages.count >= least)
    for part in layout.pages {
      let touched = part.controls.filter(\.isTouched)
      for control in part.controls {
        let frame = control.frame
        #expect(
          frame.x >= 0 && frame.y >= 0 && frame.right <= page.width && frame.bottom <= page.height)
      }
      for (place, control) in touched.enumerated() {
        #expect(
          min(control.frame.width, control.frame.height) >= least, "\(part.name) \(control.address)"
        )
        // Black keys lie over white ones, as on a piano.
        if case .key = control.kind { continue }
        for other in touched.dropFirst(place + 1) {
          #expect(!control.frame.overlaps(other.frame), "\(control.address) \(other.address)")
        }
      }
    }
  }

  @Test("texts have a contrast of 4.5 with their ground") func contrast() {
    for ground in [LayoutColour.plain, .go, .stop, .record, .strip] {
      #expect(ground.contrast(with: .white) >= 4.5, "\(ground)")
    }
    for text in ["#ffffff", "#ff5a36", "#ffff00", "#000000"] {
      #expect(LayoutColour(text).map { $0.asGround.contrast(with: .white) } ?? 0 >= 4.5, "\(text)")
      #expect(
        LayoutColour(text).map { $0.standingOut.contrast(with: .ground) } ?? 0 >= 2, "\(text)")
    }
    #expect(LayoutColour.quiet.contrast(with: .strip) >= 4.5)
  }

  @Test("only CSS hex colours are colours") func colours() {
    #expect(LayoutColour("#ff8000") == LayoutColour(255, 128, 0))
    #expect(LayoutColour("#ff8000")?.hexadecimal == "#ff8000")
    for text in [
      "", "#", "ff8000", "#ff800", "#ff80000", "#-f8000", "#+f8000", "#gg0000", "#ff800é",
    ] {
      #expect(LayoutColour(text) == nil, "\(text)")
    }
  }

  @Test(
    "pads, kits, loop, scenes, build-up, levels, keys and macros are on every screen",
    arguments: LayoutForm.allCases)
  func content(form: LayoutForm) {
    let addresses = Set(form.layout(of: .some).controls.map(\.address))
    for pad in 1...16 { #expect(addresses.contains("/pad/\(pad)")) }
    for scene in 1...8 {
      #expect(addresses.isSuperset(of: ["/scene/\(scene)", "/scene/\(scene)/keep"]))
    }
    #expect(
      addresses.isSuperset(of: [
        "/hello", "/kit/starter", "/kit/next", "/loop/record", "/loop/overdub", "/loop/play",
        "/loop/stop",
        "/loop/clear", "/undo", "/play", "/stop", "/buildup", "/buildup/drop", "/buildup/roll",
        "/gain", "/master/gain",
        "/macro/1", "/room/macro/throw", "/key/60", "/panic",
      ]))
  }

  @Test("no slip from a button that launches a scene keeps one", arguments: LayoutForm.allCases)
  func keeping(form: LayoutForm) throws {
    let layout = form.layout(of: .some)
    let page = try #require(layout.pages.first { $0.name == "Scenes" })
    let touched = page.controls.filter(\.isTouched)
    let keeps = touched.filter { $0.address.hasSuffix("/keep") }
    let launches = touched.filter { (1...8).map { "/scene/\($0)" }.contains($0.address) }
    #expect(keeps.count == 8 && launches.count == 8)
    // Other controls, or 5 mm, lie between.
    let apart = 5 / layout.screen.millimetresPerUnit
    for keep in keeps {
      for launch in launches {
        #expect(Double(keep.frame.y - launch.frame.bottom) > 4 * apart, "\(keep.address)")
        #expect(keep.frame.height < launch.frame.height && keep.colour != launch.colour)
      }
      for other in touched where !keeps.contains(other) {
        #expect(Double(keep.frame.y - other.frame.bottom) >= apart, "\(other.address)")
      }
    }
  }

  @Test(
    "nothing in a layout is refused to somebody who is no host", arguments: LayoutForm.allCases)
  func rights(form: LayoutForm) throws {
    let controls = form.layout(of: .some).controls
    for control in controls {
      #expect(!control.address.hasPrefix("/seat/"), "\(control.address)")
      guard control.isTouched, let row = Self.table.row(at: control.address) else { continue }
      #expect(row.entry.scope != .host, "\(control.address)")
    }
    #expect(!controls.flatMap(\.told).contains("/host"))
    #expect(!(try topics(controls)).contains(.text("seats")))
  }

  private func topics(_ controls: [LayoutControl]) throws -> [LayoutMessage.Value] {
    let connect = try #require(controls.first { $0.address == "/hello" })
    guard case .order(let messages) = connect.kind else { return [] }
    return messages[1].values
  }

  @Test("a host's mixer has strips of other players, and a light that says whether they work")
  func others() throws {
    for form in [LayoutForm.touchOSCTablet, .openStageControl] {
      let layout = form.layout(of: .ofHost)
      let page = try #require(layout.pages.first { $0.name == "Mixer" })
      let title = try #require(page.controls.first { $0.kind == .title })
      #expect(title.label.contains("is a host") && title.light == "/host" && !title.isTouched)
      let seats = page.controls.filter { $0.address.hasPrefix("/seat/") }
      #expect(seats.count == 16)
      for seat in seats {
        #expect(seat.frame.y >= title.frame.bottom, "\(seat.address)")
        #expect(seat.frame.x >= title.frame.x && seat.frame.right <= title.frame.right)
      }
      #expect(try topics(layout.controls).contains(.text("seats")))
    }
  }

  @Test("the strips of a mixer have the kit's names before anything is told") func levels() {
    let form = LayoutForm.touchOSCTablet
    func labels(_ room: LayoutRoom) -> [String] {
      let controls = form.layout(of: room).controls
      return (1...16).flatMap { pad in
        controls.filter { $0.address == "/pad/\(pad)/gain" }.map(\.label)
      }
    }
    #expect(labels(.some) == LayoutKit.some.pads)
    var room = LayoutRoom.some
    room.kit.pads = ["Kick"]
    #expect(labels(room) == ["Kick"] + Array(repeating: "", count: 15))
  }

  @Test("a room's pads have its kit's names and colours, and its light and name are told")
  func pads() throws {
    let pads = LayoutForm.touchOSCPhone.layout(of: .some).controls.filter(\.isPad)
    #expect(pads.map(\.label) == LayoutKit.some.pads)
    #expect(Set(pads.map(\.colour)).count == 2)
    #expect(pads[2].light == "/pad/3/lit" && pads[2].caption == "/pad/3/name")
  }

  @Test("the device says the room and the password, and a name that is its own") func connect()
    throws
  {
    var room = LayoutRoom.some
    room.player = String(repeating: "x", count: 32)
    room.password = "open sesame"
    let controls = LayoutForm.touchOSCTablet.layout(of: room).controls
    let connect = try #require(controls.first { $0.address == "/hello" })
    guard case .order(let messages) = connect.kind else {
      Issue.record("no order")
      return
    }
    let name = String(repeating: "x", count: 25) + "-tablet"
    #expect(messages[0].values == [.text(name), .text("main"), .text("open sesame")])
    #expect(PlayerName(name) != nil)
    #expect(messages[1].address == "/subscribe/9000")
  }

  @Test("a kit whose id is a word of the protocol gets no button") func kitIDs() {
    var room = LayoutRoom.some
    room.kits = ["next", "prev", "a b", "save", "techno"].map {
      LayoutKit(id: $0, name: $0, colours: [], pads: [])
    }
    let kits = LayoutDesk(room, .tablet).kits(Array(repeating: LayoutScreen.tablet.page, count: 9))
    #expect(kits.map(\.address).contains("/kit/techno"))
    #expect(
      !kits.map(\.address).contains("/kit/next") && !kits.map(\.address).contains("/kit/save"))
  }
}

extension LayoutFrame {
  fileprivate func overlaps(_ other: LayoutFrame) -> Bool {
    x < other.right && other.x < right && y < other.bottom && other.y < bottom
  }
}
