/// A layout as the text of a TouchOSC file, which zlib packs.
///
/// Thread: any.
/// - Source: the files of TouchOSC's editor, `lexml` version 6; the manual at hexler.net.
enum TouchOSCText {
  static func text(of layout: Layout) -> String {
    var xml = "<?xml version='1.0' encoding='UTF-8'?><lexml version='6'>"
    // Some 1.5 KB for each element.
    xml.reserveCapacity(600_000)
    var number = 1
    root(layout).append(to: &xml, number: &number, isRoot: true)
    return xml + "</lexml>"
  }

  private static func root(_ layout: Layout) -> TouchOSCNode {
    let screen = layout.screen
    let whole = LayoutFrame(x: 0, y: 0, width: screen.width, height: screen.height)
    var root = TouchOSCNode(.group, "Bandshell", whole)
    var pager = TouchOSCNode(.pager, "pages", whole)
    pager.properties["tabbarSize"] = .whole(screen.tabs)
    pager.properties["textSizeOff"] = .whole(screen.textSize)
    pager.properties["textSizeOn"] = .whole(screen.textSize)
    for page in layout.pages {
      let frame = LayoutFrame(
        x: 0, y: screen.tabs, width: screen.width, height: screen.height - screen.tabs)
      var group = TouchOSCNode(.group, page.name, frame)
      group.properties["tabLabel"] = .text(page.name)
      group.properties["tabColorOff"] = .colour(.strip, alpha: 1)
      group.properties["tabColorOn"] = .colour(.plain, alpha: 1)
      group.properties["textColorOff"] = .colour(.white, alpha: 1)
      group.properties["textColorOn"] = .colour(.white, alpha: 1)
      group.children = page.controls.flatMap { TouchOSCControl(control: $0, screen: screen).nodes }
      pager.children.append(group)
    }
    root.children = [pager]
    return root
  }

  /// A number without needless zeros.
  static func number(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? number.description
  }

  /// A text in a CDATA section. Characters that XML does not allow become spaces.
  /// - Source: Extensible Markup Language 1.0, fifth edition, 2.2 and 2.7.
  static func quoted(_ text: String) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
      clean.append(isAllowed ? scalar : " ")
    }
    // The end of the section must not stand in the text, so it is parted.
    let parts = String(clean).split(separator: "]]>", omittingEmptySubsequences: false)
    return "<![CDATA[" + parts.joined(separator: "]]]]><![CDATA[>") + "]]>"
  }
}
