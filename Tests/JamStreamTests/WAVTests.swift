import Glibc
import JamCore
import JamRealtime
import Testing

@testable import JamStream

struct WAVTests {
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
      let count = fread(&bytes, 1, bytes.count, file)
      return Array(bytes.prefix(count))
    }
    var writer = try WAVWriter(path: path, channels: 1)
    let sound: [Float] = [0.5, -0.5, 0.25]
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try writer.flush()
    #expect(content() == WAVHead(channels: 1, frames: 3).bytes + hex("000040 0000c0 000020"))
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    try sound.withUnsafeBufferPointer { samples throws(StreamError) in try writer.append(samples) }
    #expect(writer.frameCount == 9)
    try writer.finish()
    let file = content()
    #expect(file.count == 44 + 27 + 1)
    #expect(Array(file.prefix(44)) == WAVHead(channels: 1, frames: 9).bytes)
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
    let header = WAVHead(format: .float32, frames: 48_000)
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
