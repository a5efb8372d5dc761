import Glibc
import JamCore
import JamRealtime
import Synchronization

@testable import JamStream

/// A tape written by hand, as an engine would.
final class HandTape {
  let owner: MixTapeOwner
  var tape: MixTape { owner.tape }
  /// A room's streams hold no tape: in the server it outlives them, and so it does here, though nothing of a test uses it any more.
  private static let kept = Mutex<[MixTapeOwner]>([])

  init(seconds: Int = 4) {
    let owner = MixTapeOwner(seconds: seconds)
    self.owner = owner
    HandTape.kept.withLock { $0.append(owner) }
  }

  /// Writes whole buffers until `frames` more are there; `sound` gives left, right and click of a frame.
  func write(_ frames: Int, _ sound: (Int64) -> (Float, Float, Float) = { _ in (0, 0, 0) }) {
    for _ in 0..<frames / 120 {
      let start = tape.end.count
      let mix = tape.nextMix
      let click = tape.nextClick
      for i in 0..<120 {
        let (left, right, tick) = sound(start + Int64(i))
        mix[i * 2] = left
        mix[i * 2 + 1] = right
        click[i] = tick
      }
      tape.commitBuffer()
    }
  }
}

/// Two different tones, so that swapped or mixed channels show.
func tones(_ frame: Int64) -> (Float, Float, Float) {
  let t = Double(frame) / 48_000 * 2 * .pi
  return (Float(0.4 * sin(440 * t)), Float(0.4 * sin(1_000 * t)), 0)
}

/// A sink that only counts.
final class CountingSink: PacketSink, @unchecked Sendable {
  // Unchecked: tests call it on their own thread.
  var calls = 0
  func packetsReady(on stream: EncodedStream) { calls += 1 }
}

extension PacketTape {
  /// All packets on the tape, in order.
  var packets: [(header: Header, bytes: [UInt8])] {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: maximumPacketBytes, alignment: 16)
    defer { memory.deallocate() }
    return (0..<end).compactMap { index in
      read(index, into: memory.baseAddress!).map { ($0, Array(memory.prefix($0.byteCount))) }
    }
  }
}

func hex(_ text: String) -> [UInt8] {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text where !character.isWhitespace {
    let value = UInt8(character.hexDigitValue!)
    if let h = high {
      bytes.append(h << 4 | value)
      high = nil
    } else {
      high = value
    }
  }
  return bytes
}

func milliseconds(_ value: Double) -> HostTime { HostTime(nanoseconds: 1_000_000_000).advanced(byMilliseconds: value) }
