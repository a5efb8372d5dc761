import Testing

@testable import JamImport
@testable import JamLayout

@Suite struct TouchOSCTests {
  @Test(
    "the text is well formed, whatever people call their kits and sounds",
    arguments: [
      "Kick", "a]]>b", "<b>&\"'", "\u{0}\u{1}\u{b}\u{fffe}", "👩‍🎤 ⟪ð⟫",
      String(repeating: "long ", count: 60),
    ]) func wellFormed(name: String) throws
  {
    var room = LayoutRoom.some
    room.kit.pads = Array(repeating: name, count: 16)
    room.kit.name = name
    room.kits = [room.kit]
    for form in [LayoutForm.touchOSCPhone, .touchOSCTablet] {
      let text = form.text(of: room)
      let root = try XMLReader.read(Array(text.utf8), of: form.fileName)
      #expect(root.name == "lexml")
      let ids = text.split(separator: "<node ID='").dropFirst().map { $0.prefix(36) }
      #expect(ids.count == Set(ids).count && ids.count > 100)
      let said = name.unicodeScalars.map {
        $0.value < 0x20 || $0.value == 0xfffe ? " " : String($0)
      }.joined()
      #expect(texts(in: root).contains(said))
    }
  }

  @Test("the same room gives the same bytes") func same() {
    for form in LayoutForm.allCases { #expect(form.text(of: .some) == form.text(of: .some)) }
  }

  @Test("a pad sends its hit, and a light above it takes no touches") func pad() {
    let control = LayoutControl(
      kind: .button, frame: LayoutFrame(x: 0, y: 0, width: 96, height: 96), address: "/pad/1",
      label: "Kick",
      light: "/pad/1/lit", caption: "/pad/1/name", isPad: true)
    let nodes = TouchOSCControl(control: control, screen: .phone).nodes
    #expect(nodes.map(\.kind) == [.button, .fader, .text])
    #expect(
      nodes.map { $0.messages.map(\.address) } == [["/pad/1"], ["/pad/1/lit"], ["/pad/1/name"]])
    #expect(nodes.map { $0.messages.map(\.sends) } == [[true], [false], [false]])
    #expect(nodes.map { $0.messages.map(\.receives) } == [[false], [true], [true]])
    var xml = ""
    var number = 1
    for node in nodes.dropFirst() { node.append(to: &xml, number: &number) }
    #expect(xml.split(separator: "<key><![CDATA[interactive]]></key><value>0</value>").count == 3)
  }

  @Test("a title is a text with a light below it, and takes no touches") func title() {
    let control = LayoutControl.title(
      "Others", LayoutFrame(x: 0, y: 0, width: 400, height: 40), light: "/host")
    let nodes = TouchOSCControl(control: control, screen: .tablet).nodes
    #expect(nodes.map(\.kind) == [.text, .fader])
    #expect(nodes.map { $0.messages.map(\.address) } == [[], ["/host"]])
    #expect(nodes.flatMap(\.messages).allSatisfy { !$0.sends && $0.receives })
    for node in nodes {
      guard case .truth(false)? = node.properties["interactive"] else {
        Issue.record("\(node.kind) takes touches")
        continue
      }
    }
  }

  @Test("a message of a fader is what TouchOSC's editor writes") func golden() {
    let control = LayoutControl.fader(
      "/gain", "Me", LayoutFrame(x: 0, y: 0, width: 80, height: 300))
    var xml = ""
    TouchOSCControl(control: control, screen: .phone).nodes[0].messages[0].append(to: &xml)
    #expect(
      xml == """
        <osc><enabled>1</enabled><send>1</send><receive>1</receive><feedback>0</feedback>\
        <noDuplicates>0</noDuplicates><connections>1111111111</connections><triggers><trigger>\
        <var><![CDATA[x]]></var><condition>ANY</condition></trigger></triggers><path><partial>\
        <type>CONSTANT</type><conversion>STRING</conversion><value><![CDATA[/gain]]></value>\
        <scaleMin>0</scaleMin><scaleMax>1</scaleMax></partial></path><arguments><partial><type>VALUE</type>\
        <conversion>FLOAT</conversion><value><![CDATA[x]]></value><scaleMin>-60</scaleMin>\
        <scaleMax>12</scaleMax></partial></arguments></osc>
        """)
  }

  @Test("a long name is written small, and never smaller than 2 mm") func sizes() throws {
    var room = LayoutRoom.some
    room.kit.pads = ["Supercalifragilisticexpialidocious", "Kick"]
    let layout = LayoutForm.touchOSCPhone.layout(of: room)
    let sizes = layout.controls.filter(\.isPad).prefix(2).compactMap { control -> Int? in
      let node = TouchOSCControl(control: control, screen: layout.screen).nodes.last
      guard case .whole(let size)? = node?.properties["textSize"] else { return nil }
      return size
    }
    #expect(sizes == [layout.screen.leastTextSize, layout.screen.textSize])
    #expect(Double(layout.screen.leastTextSize) * layout.screen.millimetresPerUnit >= 2)
  }
}

/// The texts of an element and of all in it.
private func texts(in element: XMLElement) -> Set<String> {
  element.children.reduce(into: [element.text]) { $0.formUnion(texts(in: $1)) }
}
