import Foundation
import Testing

@testable import JamLayout

@Suite struct OpenStageControlTests {
  private func widgets(_ room: LayoutRoom = .some) throws -> [[String: Any]] {
    let text = LayoutForm.openStageControl.text(of: room)
    let session = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(session["type"] as? String == "session")
    let root = try #require(session["content"] as? [String: Any])
    let tabs = try #require(root["tabs"] as? [[String: Any]])
    #expect(tabs.allSatisfy { $0["type"] as? String == "tab" })
    return tabs.flatMap { $0["widgets"] as? [[String: Any]] ?? [] }
  }

  @Test("both apps send and show the same addresses") func same() throws {
    let controls = LayoutForm.touchOSCTablet.layout(of: .some).controls
    let told = Set(controls.flatMap(\.told))
    let widgets = try widgets()
    let addresses = Set(widgets.compactMap { $0["address"] as? String })
    #expect(told.isSubset(of: addresses))
    for control in controls where control.isTouched {
      if case .key = control.kind {
        let key = widgets.first { $0["address"] as? String == control.heightAddress }
        #expect((key?["onTouch"] as? String)?.contains("\"\(control.address)\"") == true)
      } else {
        #expect(addresses.contains(control.address), "\(control.address)")
      }
    }
  }

  @Test("what shows a light or a text sends nothing") func silent() throws {
    for widget in try widgets() where ["led", "text"].contains(widget["type"] as? String) {
      #expect(widget["bypass"] as? Bool == true)
      #expect(widget["interaction"] as? Bool == false)
    }
  }

  @Test("a title is a text that sends nothing, with a light below it") func title() throws {
    let widgets = try widgets(.ofHost)
    let place = try #require(
      widgets.firstIndex { ($0["value"] as? String)?.contains("once this device is a host") == true })
    let (text, light) = (widgets[place], widgets[place + 1])
    #expect(text["type"] as? String == "text" && text["address"] == nil)
    #expect(light["type"] as? String == "led" && light["address"] as? String == "/host")
    let bottom = try #require(text["top"] as? Double) + (text["height"] as? Double ?? 0)
    #expect(bottom <= (light["top"] as? Double ?? 0))
  }

  @Test("a name that Open Stage Control would carry out is only a name") func names() throws {
    var room = LayoutRoom.some
    room.kit.pads = ["JS{alert(1)}", "@{root.id}", "</script>"] + Array(repeating: "", count: 13)
    room.kit.name = "#{1+1}"
    room.kits = [room.kit]
    for widget in try widgets(room) {
      for key in ["label", "default", "value"] {
        #expect((widget[key] as? String)?.contains("{") != true, "\(widget)")
      }
    }
    #expect(!LayoutForm.openStageControl.text(of: room).contains("</script>"))
  }

  @Test("the way in says its name, its room, and asks for feedback at its own port") func connect()
    throws
  {
    let connect = try #require(try widgets().first { $0["address"] as? String == "/hello" })
    #expect(connect["preArgs"] as? [String] == ["stage", "main"])
    #expect(connect["mode"] as? String == "momentary")
    #expect((connect["onValue"] as? String)?.hasPrefix("send(\"/subscribe\", \"state\"") == true)
  }
}
