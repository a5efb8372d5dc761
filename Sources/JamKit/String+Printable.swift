extension String {
  /// On one line and without signs that would steer a terminal or turn the reading direction: what names in foreign files may hold.
  package var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      let isSign = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      text.unicodeScalars.append(isSign ? "?" : scalar)
    }
    return text
  }
}
