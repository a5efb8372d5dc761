/// The chunks of a RIFF or RF64 file, read without the writer's code.
struct RIFFReader {
  var name: String
  var riffBytes: Int
  var chunks: [(name: String, body: [UInt8])] = []

  init?(_ bytes: [UInt8]) {
    func text(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }
    guard bytes.count >= 12, text(8) == "WAVE" else { return nil }
    name = text(0)
    riffBytes = RIFFReader.number(bytes, at: 4, 4)
    var dataBytes = 0
    var place = 12
    while place + 8 <= bytes.count {
      var size = RIFFReader.number(bytes, at: place + 4, 4)
      let chunk = text(place)
      if chunk == "ds64" {
        riffBytes = RIFFReader.number(bytes, at: place + 8, 8)
        dataBytes = RIFFReader.number(bytes, at: place + 16, 8)
      }
      if chunk == "data", size == 0xffff_ffff { size = dataBytes }
      guard place + 8 + size <= bytes.count else { return nil }
      chunks.append((chunk, Array(bytes[place + 8..<place + 8 + size])))
      place += 8 + size + size % 2
    }
    guard place == bytes.count, riffBytes == bytes.count - 8 else { return nil }
  }

  subscript(_ name: String) -> [UInt8]? { chunks.first { $0.name == name }?.body }

  static func number(_ bytes: [UInt8], at place: Int, _ width: Int) -> Int {
    (0..<width).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }
}
