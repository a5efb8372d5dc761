/// A layout as a session of Open Stage Control, version 1.
///
/// Thread: any.
/// - Source: Open Stage Control's documentation of widgets and of scripts, and the sessions that
///   its editor saves. Properties that are left out have its own defaults.
enum OpenStageControlText {
  static func text(of layout: Layout) -> String {
    let tabs = layout.pages.map { page in
      LayoutJSON.object([
        ("type", .text("tab")), ("id", .text("page \(page.name)")), ("label", .text(page.name)),
        ("widgets", .list(page.controls.flatMap { OpenStageControlWidgets(control: $0).widgets })),
      ])
    }
    let root = LayoutJSON.object([
      ("type", .text("root")), ("id", .text("root")),
      ("colorBg", .text(LayoutColour.ground.hexadecimal)),
      ("widgets", .list([])), ("tabs", .list(tabs)),
    ])
    let session = LayoutJSON.object([
      ("createdWith", .text("Open Stage Control")), ("version", .text("1.30.1")),
      ("type", .text("session")),
      ("content", root),
    ])
    return session.text + "\n"
  }
}
