import JamCore
import Testing

@testable import JamEngine

/// The loops of transposed voices: the same bits in four lanes and in eight, and in runs of any length.
@Suite struct VoiceKernelTests {
  private static let frames = 240
  /// One rate for each table.
  private static let rates = [0.5, 0.9, 1.2, 1.4, 1.7, 1.9, 2.3, 2.7, 3.2, 5.1]

  private struct Output: Equatable {
    var left: [UInt32]
    var right: [UInt32]
    var phase: UInt64
  }

  private static let isWide = KernelTables.shared.table(for: 1).isWide

  /// What `frames` frames come to, in runs of `run` frames, on buses that are not silent.
  private func render(
    rate: Double, isStereo: Bool, run: Int, isWide: Bool, gains: VoiceKernels.Gains = .init(left: 0.7, right: 0.3)
  ) -> Output {
    var random = Random(seed: 17)
    func noise(_ count: Int) -> [Float] { (0..<count).map { _ in Float(random.below(2_000_001)) / 1_000_000 - 1 } }
    let increment = UInt64(rate * 4_294_967_296)
    var kernel = KernelTables.shared.table(for: increment)
    kernel.isWide = isWide
    let guards = SampleView.guardFrames
    let (left, right) = (noise(1_400 + guards * 2), noise(1_400 + guards * 2))
    var (busLeft, busRight) = (noise(Self.frames), noise(Self.frames))
    var phase: UInt64 = 0x5_6789_ABCD
    var done = 0
    while done < Self.frames {
      let count = min(run, Self.frames - done)
      left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { right in
          busLeft.withUnsafeMutableBufferPointer { busLeft in
            busRight.withUnsafeMutableBufferPointer { busRight in
              let (first, second) = (left.baseAddress! + guards, right.baseAddress! + guards)
              let (toLeft, toRight) = (busLeft.baseAddress! + done, busRight.baseAddress! + done)
              phase =
                isStereo
                ? VoiceKernels.addStereo(
                  left: first, right: second, phase: phase, increment: increment, kernel: kernel, toLeft: toLeft,
                  toRight: toRight, count: count, gains: gains)
                : VoiceKernels.addMono(
                  first, phase: phase, increment: increment, kernel: kernel, toLeft: toLeft, toRight: toRight,
                  count: count, gains: gains)
            }
          }
        }
      }
      done += count
    }
    return Output(left: busLeft.map(\.bitPattern), right: busRight.map(\.bitPattern), phase: phase)
  }

  @Test("four lanes and eight give the same bits", .enabled(if: isWide), arguments: rates, [true, false])
  func lanes(rate: Double, isStereo: Bool) {
    let four = render(rate: rate, isStereo: isStereo, run: Self.frames, isWide: false)
    #expect(render(rate: rate, isStereo: isStereo, run: Self.frames, isWide: true) == four)
    #expect(four.left != four.right)
  }

  @Test("a frame alone has the bits that it has among others", arguments: rates, [true, false])
  func runs(rate: Double, isStereo: Bool) {
    for isWide in Set([false, Self.isWide]) {
      let whole = render(rate: rate, isStereo: isStereo, run: Self.frames, isWide: isWide)
      for run in [1, 3, 7, 13] {
        #expect(render(rate: rate, isStereo: isStereo, run: run, isWide: isWide) == whole, "runs of \(run) frames")
      }
    }
  }

  @Test("a voice that moves is added in the same order as one that is steady", arguments: rates, [true, false])
  func moving(rate: Double, isStereo: Bool) {
    let steady = VoiceKernels.Gains(left: 0.7, right: 0.3)
    var moving = steady
    // So little that it is nothing beside the gain.
    moving.leftStep = 1e-30
    moving.rightStep = 1e-30
    let whole = render(rate: rate, isStereo: isStereo, run: Self.frames, isWide: Self.isWide, gains: steady)
    #expect(render(rate: rate, isStereo: isStereo, run: Self.frames, isWide: Self.isWide, gains: moving) == whole)
  }
}
