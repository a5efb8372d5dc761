internal import Glibc
internal import JamCommand

/// Spectrograms as PNG files: time to the right, 0…24 kHz upwards, 100 dB from black to white.
///
/// - Source: PNG (W3C, third edition), with stored blocks of RFC 1951, so that no compressor is
///   needed.
enum SoundPicture {
  private static let size = 1_024
  private static let mostColumns = 1_500

  /// - Throws: where the file cannot be written.
  static func draw(_ signal: [Float], in folder: String, _ name: String) throws {
    mkdir(folder, 0o755)
    let spectrum = Spectrum(size: size)
    let hop = max(64, signal.count / mostColumns)
    let columns = stride(from: 0, to: signal.count, by: hop).map { start in
      spectrum.windowed(signal, from: start - size / 2)[..<(size / 2)].map(\.power)
    }
    let loudest = columns.lazy.map { $0.max() ?? 0 }.max() ?? 0
    var rows: [UInt8] = []
    for bin in (0..<size / 2).reversed() {
      rows.append(0)
      for column in columns {
        let decibels = SoundMath.decibels(power: column[bin] / max(loudest, 1e-30))
        rows.append(UInt8(max(0, min(255, 255 + decibels * 2.55))))
      }
    }
    let bytes = png(rows, width: columns.count, height: size / 2)
    guard let file = fopen("\(folder)/\(name).png", "wb") else {
      throw ChildProcess.Failure(description: "\(folder)/\(name).png: \(SystemError.text(errno))")
    }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten else {
      throw ChildProcess.Failure(description: "\(folder)/\(name).png: \(SystemError.text(errno))")
    }
  }

  /// - Parameter rows: 8 bits of grey for each dot, with a filter byte in front of every row.
  static func png(_ rows: [UInt8], width: Int, height: Int) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    func chunk(_ type: String, _ body: [UInt8]) {
      let content = Array(type.utf8) + body
      file += big(UInt32(body.count)) + content + big(checksum(content))
    }
    chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [8, 0, 0, 0, 0])
    var data: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: rows.count, by: 65_535) {
      let end = min(start + 65_535, rows.count)
      let count = UInt16(end - start)
      data += [
        end == rows.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
      ]
      data += rows[start..<end]
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in rows {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    chunk("IDAT", data + big(b << 16 | a))
    chunk("IEND", [])
    return file
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }
}
