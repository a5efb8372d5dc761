import Glibc
import JamCore
import Testing

@Suite struct WordsTests {
  @Test("a grid's line at or before a beat is the last one, triplets and negative beats too", arguments: Grid.allCases)
  func grid(grid: Grid) {
    guard grid != .off else { return }
    let bar = Beats(microBeats: 3_500_000)
    var random = TestRandom(seed: 8)
    for _ in 0..<10_000 {
      let beat = Beats(microBeats: Int64(random.below(2_000_000_000)) - 1_000_000_000)
      let index = grid.index(atOrBefore: beat, barLength: bar)
      #expect(grid.line(index, barLength: bar) <= beat)
      #expect(grid.line(index + 1, barLength: bar) > beat)
      #expect(grid.index(atOrBefore: grid.line(index, barLength: bar), barLength: bar) == index)
    }
    #expect(Grid(word: grid.word) == grid)
  }

  @Test("decibels are 20 log10, without libm; −60 and below is silence")
  func decibels() {
    for step in -5_999...2_000 {
      let value = Float(step) / 100
      let expected = pow(10, Double(value) / 20)
      #expect(abs(Double(Decibels.gain(value)) - expected) <= expected * 1e-7)
    }
    #expect(Decibels.gain(0) == 1)
    for silent: Float in [-60, -61, -1e9, -.infinity, .nan] { #expect(Decibels.gain(silent) == 0) }
    #expect(Decibels.gain(.infinity).isFinite)
    for exponent in [-1_000.0, -500.5, -1, -0.001, 0, 0.5, 12.25, 1_000] {
      #expect(abs(Decibels.powerOfTwo(exponent) / exp2(exponent) - 1) < 1e-13)
    }
  }

  @Test("a pan is constant in power, and leaves a sound in the middle as it is")
  func pan() {
    #expect(PanGains(pan: 0) == PanGains(left: 1, right: 1))
    for step in -100...100 {
      let gains = PanGains(pan: Float(step) / 100)
      #expect(abs(gains.left * gains.left + gains.right * gains.right - 2) < 1e-6)
      let balance = PanGains(pan: Float(step) / 100, isStereo: true)
      #expect(max(balance.left, balance.right) == 1)
      #expect(step <= 0 ? balance.left == 1 : balance.right == 1)
    }
    #expect(PanGains(pan: -1).right == 0 && PanGains(pan: 1).left == 0)
    #expect(PanGains(pan: -7) == PanGains(pan: -1))
    let odd = PanGains(pan: .nan)
    #expect(odd.left.isFinite && odd.right.isFinite)
  }

  @Test("milliseconds and seconds become the nearest frame")
  func frames() {
    #expect(Frames.milliseconds(2.5) == .buffer)
    #expect(Frames.seconds(3_600).count == 172_800_000)
    #expect(Frames.milliseconds(0.0105).count == 1)
    #expect(Frames.milliseconds(-0.0105).count == -1)
    #expect(Frames(48).milliseconds == 1)
  }

  @Test("tempos are 20…300, pads 1…16, velocities above 0 up to 1")
  func ranges() {
    #expect(Tempo(beatsPerMinute: 19.99) == nil && Tempo(beatsPerMinute: 300.1) == nil)
    #expect(Tempo(beatsPerMinute: .nan) == nil && Tempo(beatsPerMinute: 20) != nil)
    #expect(Pad(0) == nil && Pad(17) == nil && Pad(16)?.index == 15 && Pad.all.count == 16)
    #expect(Velocity(0) == nil && Velocity(.nan) == nil && Velocity(-1) == nil && Velocity(7)?.value == 1)
  }

  @Test("names keep what OSC can address")
  func names() {
    #expect(PlayerName("  DJ /One* ")?.text == "DJ__One")
    #expect(PlayerName("") == nil && PlayerName("///") == nil)
    #expect(PlayerName(String(repeating: "x", count: 33)) == nil)
    #expect(PlayerName("Zoë 👩‍🎤")?.text == "Zoë_👩‍🎤")
  }
}
