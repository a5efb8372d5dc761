import Glibc
import JamCore
import JamRealtime
import TestSupport
import Testing

@testable import JamDevice

@Suite("ALSA input")
struct ALSAInputTests {
  @Test("what the device gives is what is recorded, to its last sample")
  func file() throws {
    let source = FileSource(frames: 9_600, channels: 2)
    var take = InputTake(try source.recorder(), mostFrames: 9_600, status: InputStatus(), at: .zero)
    for milliseconds in stride(from: 0.0, to: 100, by: 10) {
      let goesOn = take.step(at: .zero.advanced(byMilliseconds: milliseconds))
      #expect(goesOn)
    }
    let goesOn = take.step(at: .zero.advanced(byMilliseconds: 100))
    #expect(!goesOn)
    let recording = take.recording
    #expect(recording.samples == source.samples)
    #expect(recording.channels == 2 && recording.rate == 48_000 && recording.overruns == 0)
    #expect(recording.end == .full && recording.endedEarly)
  }

  @Test("a device that fails, or gives nothing for two seconds, ends the recording, which keeps what came before")
  func gone() {
    for (script, end) in [
      ([480, 0, 480], ALSARecording.End.failed(.lost(device: "script"))),
      ([480, 480, -1], .failed(.failed(device: "script", doing: "reading", code: -5))),
    ] {
      let device = ScriptedDevice(script: script)
      let status = InputStatus()
      var take = InputTake(device, mostFrames: 48_000, status: status, at: .zero)
      var milliseconds = 0.0
      while take.step(at: .zero.advanced(byMilliseconds: milliseconds)) { milliseconds += 10 }
      #expect(take.recording.end == end)
      #expect(take.recording.samples == [Float](repeating: 0.5, count: 960))
      #expect(take.recording.overruns == 3)
      #expect(milliseconds == (script.last == -1 ? 20 : 2_030))
      #expect(status.recordedFrames == 960 && status.takePeak() == 0.5)
    }
  }

  @Test("a device is looked for without recording from it")
  func check() throws {
    try ALSAInput(device: "null").check()
    #expect(throws: DeviceError.unknownInput(device: "nowhere", known: ALSADevices.capture)) {
      try ALSAInput(device: "nowhere").check()
    }
  }

  @Test("integer formats and mono come as floats of ±1", arguments: [1, 2])
  func formats(channels: Int) throws {
    let narrow: [Int16] = [0, 1, -1, 16_384, .max, .min]
    let wide: [Int32] = [0, 65_536, -65_536, 1 << 30, .max, .min]
    func recorded(_ source: FileSource, _ format: Int) throws -> [Float] {
      var wish = ALSARecorder.Wish.standard
      wish.formats = [wish.formats[format]]
      var recorder = try source.recorder(wish)
      #expect(recorder.channels == channels)
      var samples: [Float] = []
      #expect(try recorder.read(6 / channels, appendingTo: &samples) == 6 / channels)
      return samples
    }
    let expected: [Float] = [0, 1 / 32_768, -1 / 32_768, 0.5, 32_767 / 32_768, -1]
    #expect(try recorded(FileSource(narrow, channels: channels), 2) == expected)
    #expect(try recorded(FileSource(wide, channels: channels), 1) == expected.map { $0 > 0.9 ? 1 : $0 })
    let floats: [Float] = [0.25, -0.5, .nan, 7, -.infinity, 1]
    #expect(try recorded(FileSource(floats, channels: channels), 0) == [0.25, -0.5, 0, 1, -1, 1])
  }

  @Test("a device that has any amount at once gives what the clock allows, and no more than was asked for")
  func paced() throws {
    let status = InputStatus()
    var take = InputTake(try ALSARecorder(device: "null"), mostFrames: 24_000, status: status, at: .zero)
    for (milliseconds, frames) in [(0.0, 4_800), (10, 5_280), (10, 5_280), (250, 16_800)] {
      let goesOn = take.step(at: .zero.advanced(byMilliseconds: milliseconds))
      #expect(goesOn)
      #expect(take.recording.frameCount == frames && status.recordedFrames == frames)
    }
    for milliseconds in [10_000.0, 20_000] {
      let goesOn = take.step(at: .zero.advanced(byMilliseconds: milliseconds))
      #expect(!goesOn)
    }
    #expect(take.recording.frameCount == 24_000 && take.recording.end == .full)
    #expect(take.recording.samples.allSatisfy { $0 == 0 })
  }

  @Test("it records on a thread of its own, tells its level, and ends when it is full")
  func records() throws {
    let source = FileSource(frames: 4_800, channels: 2)
    let input = source.input()
    try input.start(mostFrames: 3_000)
    #expect(comesTrue { !input.isRecording })
    #expect(input.recordedFrames == 3_000)
    #expect(input.takePeak() == source.samples[..<6_000].map(\.magnitude).max())
    #expect(input.takePeak() == 0)
    let recording = try #require(input.stop())
    #expect(recording.samples == Array(source.samples[..<6_000]) && recording.end == .full)
  }

  @Test("it ends when it is told to, and can be started again")
  func again() throws {
    let source = FileSource(frames: 4_800, channels: 2)
    let input = source.input()
    for _ in 0..<2 {
      try input.start(mostFrames: 1 << 20)
      #expect(input.isRecording)
      #expect(comesTrue { input.recordedFrames >= 4_800 })
      let recording = try #require(input.stop())
      // What the plugin gives behind the file's end is none of ours.
      #expect(recording.samples.starts(with: source.samples))
      #expect(recording.frameCount == input.recordedFrames && recording.end == .stopped)
      #expect(!input.isRecording)
    }
  }

  @Test("stop without start, stop twice and start twice do no harm")
  func twice() throws {
    let input = ALSAInput(device: "null")
    #expect(input.stop() == nil)
    try input.start(mostFrames: 4_800)
    try input.start(mostFrames: 1)
    #expect(comesTrue { !input.isRecording })
    #expect(input.stop()?.frameCount == 4_800)
    #expect(input.stop() == nil)
    #expect(!input.isRecording)
  }

  @Test("it stops when it is dropped")
  func dropped() throws {
    weak var dropped: ALSAInput?
    do {
      let input = ALSAInput(device: "null")
      try input.start(mostFrames: 1 << 20)
      dropped = input
    }
    #expect(dropped == nil)
  }

  @Test("a device that is not there is named, with those that are, and leaves nothing running")
  func unknown() throws {
    for name in ["kazoo", "hw:99", "", "a:b:c,,"] {
      let input = ALSAInput(device: name)
      #expect(throws: DeviceError.self) { try input.start(mostFrames: 4_800) }
      #expect(!input.isRecording && input.stop() == nil)
    }
    let error = DeviceError.unknownInput(device: "kazoo", known: ALSADevices.capture)
    #expect(throws: error) { try ALSAInput(device: "kazoo").start(mostFrames: 4_800) }
    #expect(error.description.hasPrefix("no ALSA device 'kazoo' to record from. Recording devices here: "))
    #expect(ALSADevices.capture.contains("null"))
    #expect(!ALSADevices.canCapture || !ALSADevices.cards.isEmpty)
  }
}

/// A recording device that reads a file of ours, by ALSA's own `file` plugin.
private final class FileSource {
  let samples: [Float]
  private let file = TemporaryFile(".raw")

  init<Value: BitwiseCopyable>(_ values: [Value], channels: Int) {
    samples = values as? [Float] ?? []
    self.channels = channels
    let output = fopen(file.path, "wb")
    fwrite(values, MemoryLayout<Value>.stride, values.count, output)
    fclose(output)
  }

  convenience init(frames: Int, channels: Int) {
    let count = frames * channels
    self.init((0..<count).map { Float(($0 &* 7_919) % count) / Float(count) * 2 - 1 }, channels: channels)
  }

  private let channels: Int

  private var configuration: String {
    """
    pcm.source {
      type file
      slave.pcm { type null }
      file "/dev/null"
      infile "\(file.path)"
      format "raw"
    }
    """
  }

  func input() -> ALSAInput { ALSAInput(device: "source", configuration: configuration) }

  func recorder(_ wish: ALSARecorder.Wish = .standard) throws -> ALSARecorder {
    var wish = wish
    wish.channels = [channels]
    return try ALSARecorder(device: "source", wish: wish, configuration: configuration)
  }
}

/// Gives as many frames at each read as its script says; −1 is a failure, and behind its end there is nothing.
private struct ScriptedDevice: RecordingDevice {
  let device = "script"
  let channels = 1
  let rate = 48_000
  let overruns = 3
  var script: [Int]

  mutating func read(_ most: Int, appendingTo frames: inout [Float]) throws(DeviceError) -> Int {
    guard !script.isEmpty else { return 0 }
    let count = script.removeFirst()
    guard count >= 0 else { throw .failed(device: device, doing: "reading", code: -5) }
    for _ in 0..<count { frames.append(0.5) }
    return count
  }
}

extension HostTime {
  fileprivate static var zero: HostTime { HostTime(nanoseconds: 0) }
}
