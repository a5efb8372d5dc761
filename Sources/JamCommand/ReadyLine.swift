/// The line that a server prints on standard output when it accepts traffic: `ready osc=8000
/// http=8088 media=8089`.
public struct ReadyLine: Hashable, LosslessStringConvertible {
  public var osc: UInt16
  public var http: UInt16
  public var media: UInt16

  public init(osc: UInt16, http: UInt16, media: UInt16) {
    self.osc = osc
    self.http = http
    self.media = media
  }

  /// - Returns: nil for any other line. Ports that a later version may add are ignored.
  public init?(_ line: String) {
    let words = line.split(separator: " ")
    guard words.first == "ready" else { return nil }
    var ports: [Substring: UInt16] = [:]
    for word in words.dropFirst() {
      let parts = word.split(separator: "=")
      if parts.count == 2 { ports[parts[0]] = UInt16(parts[1]) }
    }
    guard let osc = ports["osc"], let http = ports["http"], let media = ports["media"] else { return nil }
    self.init(osc: osc, http: http, media: media)
  }

  public var description: String { "ready osc=\(osc) http=\(http) media=\(media)" }
}
