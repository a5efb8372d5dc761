/// The controls of a room on one screen, in pages. It knows no app; the writers make its files.
struct Layout: Hashable, Sendable {
  var screen: LayoutScreen
  var pages: [LayoutPage]

  var controls: [LayoutControl] { pages.flatMap(\.controls) }
}

struct LayoutPage: Hashable, Sendable {
  /// The text of its tab.
  var name: String
  /// Their frames are relative to the page.
  var controls: [LayoutControl]
}
