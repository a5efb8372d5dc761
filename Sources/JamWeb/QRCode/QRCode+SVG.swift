extension QRCode {
  /// The dots of a module at the drawing's own size.
  private static let dotsPerModule = 8

  /// The code as an SVG drawing: dark on light with its quiet zone, whatever ground it lies on.
  var svg: String {
    let side = size + 2 * QRCode.margin
    let dots = side * QRCode.dotsPerModule
    var path = ""
    for y in 0..<size {
      var x = 0
      while x < size {
        let start = x
        while x < size, self[x, y] { x += 1 }
        if x > start {
          path += "M\(start + QRCode.margin) \(y + QRCode.margin)h\(x - start)v1H\(start + QRCode.margin)z"
        }
        x += 1
      }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(dots)" height="\(dots)" viewBox="0 0 \(side) \(side)" \
      shape-rendering="crispEdges"><rect width="\(side)" height="\(side)" fill="#fff"/>\
      <path fill="#000" d="\(path)"/></svg>

      """
  }
}
