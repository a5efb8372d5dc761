import JamCore
import Testing

@Suite struct ChanceTests {
  @Test(
    "a number's random values are always the same",
    arguments: [
      (1, [2_953_000, 3_955_558, 1_585_933]), (2, [7_701_871, 5_906_001, 11_171_549]),
      (7, [8_055_572, 8_441_446, 13_277_684]), (1_000, [12_172_617, 7_204_430, 6_082_674]),
      (2_147_483_647, [7_903_213, 12_943_496, 6_200_896]),
    ] as [(UInt64, [Float])])
  func golden(number: UInt64, bits: [Float]) {
    // The page's own hits vary by the same numbers: own-shape.test.js has this table, too.
    let streams: [Chance.Stream] = [.pan, .transpose, .gain]
    #expect(streams.map { Chance.value(number, $0) } == bits.map { $0 / 8_388_608 - 1 })
  }
}
