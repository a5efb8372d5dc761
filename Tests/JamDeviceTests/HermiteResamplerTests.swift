import Glibc
import JamDevice
import Testing

@Suite("Hermite resampler")
struct HermiteResamplerTests {
  private func run(_ input: [Float], ratio: Double, chunk: Int = 120) -> [Float] {
    var resampler = HermiteResampler()
    var result: [Float] = []
    var output = [Float](repeating: 0, count: HermiteResampler.mostOutput(for: chunk, ratio: ratio) * 2)
    for start in stride(from: 0, to: input.count / 2, by: chunk) {
      let count = min(chunk, input.count / 2 - start)
      let written = input.withUnsafeBufferPointer {
        resampler.process($0.baseAddress! + start * 2, count: count, ratio: ratio, into: &output)
      }
      #expect(written <= HermiteResampler.mostOutput(for: count, ratio: ratio))
      result += output[0..<written * 2]
    }
    return result
  }

  private func sine(_ hertz: Double, frames: Int, rate: Double = 48_000) -> [Float] {
    (0..<frames).flatMap { i -> [Float] in
      let level = Float(sin(2 * Double.pi * hertz * Double(i) / rate))
      return [level, -level]
    }
  }

  @Test("at ratio 1 every frame comes out as it went in, two frames later")
  func identity() {
    let input = sine(997, frames: 1_200)
    let output = run(input, ratio: 1)
    #expect(output.count == input.count)
    #expect(Array(output[4...]) == Array(input[..<(input.count - 4)]))
  }

  @Test(
    "frames out are frames in times the ratio, whatever the chunks",
    arguments: [0.997, 1.0002, 0.918_75, 2.0] as [Double], [1, 7, 120] as [Int])
  func count(ratio: Double, chunk: Int) {
    let output = run(sine(100, frames: 48_000), ratio: ratio, chunk: chunk)
    #expect(abs(Double(output.count / 2) - 48_000 * ratio) <= 1)
  }

  @Test("a sine keeps its level and its pitch, with an error below −60 dB at 1 kHz")
  func quality() {
    let ratio = 1.001
    let output = run(sine(1_000, frames: 9_600), ratio: ratio)
    var worst: Float = 0
    for i in 100..<(output.count / 2 - 100) {
      // Output frame i lies at input frame i / ratio, two frames after it was put in.
      let x = Double(i) / ratio - Double(HermiteResampler.latency)
      let expected = Float(sin(2 * Double.pi * 1_000 * x / 48_000))
      worst = max(worst, abs(output[i * 2] - expected), abs(output[i * 2 + 1] + expected))
    }
    #expect(worst < 0.001)
  }
}
