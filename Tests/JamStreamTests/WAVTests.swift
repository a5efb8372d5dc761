import Glibc
import JamCore
import JamRealtime
import Testing

@testable import JamStream

struct WAVTests {
  @Test("the headers are RIFF's, byte for byte")
  func headers() {
    #expect(
      WAVHeader(frameCount: 2).bytes
        == Array("RIFF".utf8) + hex("30000000") + Array("WAVEfmt ".utf8)
        + hex("10000000 0100 0200 80bb0000 00650400 0600 1800") + Array("data".utf8) + hex("0c000000"))
    #expect(
      WAVHeader(format: .float32, channels: 1, frameCount: 3).bytes
        == Array("RIFF".utf8) + hex("3e000000") + Array("WAVEfmt ".utf8)
        + hex("12000000 0300 0100 80bb0000 00ee0200 0400 2000 0000") + Array("fact".utf8) + hex("04000000 03000000")
        + Array("data".utf8) + hex("0c000000"))
  }

  @Test("samples are rounded, clipped, and never trap")
  func samples() {
    let values: [Float] = [0, 1, -1, 2, -.infinity, .nan, 0.5, 1.0 / 8_388_608]
    #expect(
      values.map(WAVHeader.integer24) == [0, 8_388_607, -8_388_608, 8_388_607, -8_388_608, 0, 4_194_304, 1])
  }

  @Test("a file is whole after every flush and at the end, and counts what it holds")
  func writer() throws {
    var name = Array("/tmp/bandshell-wav-XXXXXX".utf8CString)
    let made = mkstemp(&name)
    #expect(made >= 0)
    close(made)
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    func content() -> [UInt8] {
      guard let file = fopen(path, "r") else { return [] }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      return Array(bytes.prefix(fread(&bytes, 1, bytes.count, file)))
    }
    var writer = try WAVWriter(path: path, channels: 1)
    let sound: [Float] = [0.5, -0.5, 0.25]
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try writer.flush()
    #expect(content() == WAVHeader(channels: 1, frameCount: 3).bytes + hex("000040 0000c0 000020"))
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    #expect(writer.frameCount == 9)
    try writer.finish()
    let file = content()
    #expect(file.count == 44 + 27 + 1)
    #expect(Array(file.prefix(44)) == WAVHeader(channels: 1, frameCount: 9).bytes)
  }

  @Test("a file that cannot be made is an error with its name")
  func unwritable() {
    let error = #expect(throws: StreamError.self) { try WAVWriter(path: "/nowhere/at/all.wav").finish() }
    #expect(error?.description.contains("/nowhere/at/all.wav") == true)
  }

  @Test("the last seconds are the tape's, in pieces whose lengths add up to what was announced")
  func lastMinute() {
    let tape = HandTape(seconds: 6)
    tape.write(48_000 * 5, tones)
    var last = LastMinute(tape: tape.tape, seconds: 1, format: .float32)
    var file: [UInt8] = []
    while let chunk = last.nextChunk() { file += chunk }
    #expect(Int64(file.count) == last.byteCount)
    #expect(file.count == 58 + 48_000 * 8)
    let header = WAVHeader(format: .float32, frameCount: 48_000)
    #expect(Array(file.prefix(58)) == header.bytes)
    let left = file.withUnsafeBytes {
      Float(bitPattern: $0.loadUnaligned(fromByteOffset: 58 + 8 * 100, as: UInt32.self))
    }
    #expect(left == tones(48_000 * 4 + 100).0)
  }

  @Test(
    "what the room does not have yet, or no more, is not in the file", arguments: [-1, 0, 100, Double.infinity, .nan])
  func limits(seconds: Double) {
    let tape = HandTape(seconds: 4)
    var empty = LastMinute(tape: tape.tape, seconds: seconds)
    #expect(empty.byteCount == 44)
    #expect(empty.nextChunk()?.count == 44)
    #expect(empty.nextChunk() == nil)
    tape.write(48_000 * 9)
    var last = LastMinute(tape: tape.tape, seconds: seconds)
    #expect(last.byteCount == (seconds > 0 || seconds.isNaN ? 44 + 2 * 48_000 * 6 : 44))
    var total = 0
    while let chunk = last.nextChunk() { total += chunk.count }
    #expect(Int64(total) == last.byteCount)
  }
}
