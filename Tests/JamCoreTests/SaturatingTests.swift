import JamCore
import Testing

@Suite struct SaturatingTests {
  private static let wild: [Double] = [
    0, -0.0, 0.5, -0.5, 1e300, -1e300, .infinity, -.infinity, .nan, -.nan, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 9_223_372_036_854_774_784,
  ]

  @Test("a number beyond an integer's range becomes its nearest end, and what is no number 0")
  func ends() {
    #expect(Int64(saturating: 1e300) == .max && Int64(saturating: -.infinity) == .min)
    #expect(Int64(saturating: 9_223_372_036_854_775_808) == .max)
    #expect(Int64(saturating: -9_223_372_036_854_775_808) == .min)
    #expect(Int64(saturating: 9_223_372_036_854_774_784) == 9_223_372_036_854_774_784)
    #expect(Int64(saturating: .nan) == 0 && Int(saturating: .nan) == 0 && Int32(saturating: Float.nan) == 0)
    #expect(Int32(saturating: Float.infinity) == .max && Int32(saturating: -1e30) == .min)
    #expect(Int64(saturating: -2.9) == -2 && Int(saturating: 2.9) == 2 && Int32(saturating: 7.5) == 7)
  }

  @Test("no number makes a moment or a beat that traps, and sums of some do not wrap")
  func time() {
    for value in Self.wild {
      let (frames, beats) = (Frames.milliseconds(value), Beats(nearest: value))
      #expect(frames.count.magnitude <= 1 << 60 && beats.microBeats.magnitude <= 1 << 60)
      #expect((frames + frames).count.magnitude >= frames.count.magnitude)
      #expect(Decibels.powerOfTwo(value).isFinite)
    }
    #expect(Frames.milliseconds(.nan) == .zero && Beats(nearest: .nan) == .zero)
    for (value, nanoseconds) in [(0.5, 500_005), (-0.5, -499_995), (.nan, 5)] as [(Double, Int64)] {
      #expect(HostTime(nanoseconds: 5).advanced(byMilliseconds: value).nanoseconds == nanoseconds)
    }
    #expect(HostTime(nanoseconds: 0).advanced(byMilliseconds: .infinity).nanoseconds == .max)
    #expect(Frames.milliseconds(-0.5 / 48) == Frames(-1) && Frames.milliseconds(0.5 / 48) == Frames(1))
  }

  @Test("a map tells a frame for every beat, and a beat for every frame")
  func map() {
    let map = TempoMap(tempo: Tempo(clamping: 300)).nudging(by: Frames(48_000), at: Frames(1_000))
    // A view owns nothing: the map must outlive it.
    withExtendedLifetime(map) {
      let view = map.view
      let counts = [Int64.min, -(1 << 60), -1, 0, 1, 1 << 60, .max]
      for count in counts {
        // A frame beyond the clamp, for the map begins at one.
        #expect(view.frame(at: Beats(microBeats: count)).count.magnitude <= 1 << 61)
      }
      // Beyond ±2⁶⁰ the difference of two beats wraps.
      let frames = counts.dropFirst().dropLast().map { view.frame(at: Beats(microBeats: $0)) }
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 <= $1 })
      let beats = counts.dropFirst().dropLast().map { view.beat(at: Frames($0)) }
      #expect(zip(beats, beats.dropFirst()).allSatisfy { $0 <= $1 })
      let exact = Self.wild.filter { !$0.isNaN }.sorted().map { view.beat(atExact: $0) }
      #expect(zip(exact, exact.dropFirst()).allSatisfy { $0 <= $1 })
      // What is no number lies nowhere: it is as good as the last change of the tempo.
      #expect(view.beat(atExact: .nan) == view.beat(atExact: -.nan))
    }
  }

  @Test("an interval that would run backwards is empty")
  func intervals() {
    #expect(Range(from: 3, to: 5) == 3..<5)
    #expect(Range(from: Frames(5), to: Frames(3)).isEmpty)
    #expect(!Range(from: Beats(2), to: Beats(1)).contains(Beats(2)))
  }
}
