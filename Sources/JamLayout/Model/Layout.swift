/// The controls of a room on one screen, in pages. It knows no app; the writers make its files.
struct Layout: Hashable, Sendable {
  var screen: LayoutScreen
  var pages: [LayoutPage]

  var controls: [LayoutControl] { pages.flatMap(\.controls) }

  /// The same layout, whose way in also asks for the shares that its faders show: the server tells
  /// a share to nobody else.
  var askingForShares: Layout {
    let shares = Set(controls.map(\.address).filter { $0.hasPrefix("/n/") }).sorted()
    var layout = self
    for page in pages.indices {
      for place in pages[page].controls.indices
      where pages[page].controls[place].address == "/hello" {
        guard case .order(let messages) = pages[page].controls[place].kind else { continue }
        let asks = shares.map { LayoutMessage(address: $0, values: []) }
        layout.pages[page].controls[place].kind = .order(messages + asks)
      }
    }
    return layout
  }
}

struct LayoutPage: Hashable, Sendable {
  /// The text of its tab.
  var name: String
  /// Their frames are relative to the page.
  var controls: [LayoutControl]
}
