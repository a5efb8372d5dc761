extension String {
  /// The text on one line, and without characters that would steer a terminal or turn the reading
  /// direction. Names in foreign files may hold such characters.
  package var printable: String {
    var text = ""
    for scalar in unicodeScalars {
      let isSign = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
      text.unicodeScalars.append(isSign ? "?" : scalar)
    }
    return text
  }
}
