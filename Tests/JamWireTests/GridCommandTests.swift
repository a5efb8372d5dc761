import JamCore
import JamWire
import Testing

@Suite struct GridCommandTests {
  @Test("the grid is a word or its index, and another word is told which there are")
  func quantize() throws {
    #expect(try request("/quantize", .string("1/8T")) == .command(.set(.quantize, .text("1/8T"))))
    #expect(try request("/quantize", .int32(7)) == .command(.set(.quantize, .text("bar"))))
    #expect(try request("/quantize") == .command(.read(.quantize)))
    let words = complaint("/quantize", .string("1/64"))
    #expect(Grid.allCases.allSatisfy { words.contains($0.word) }, "\(words)")
  }

  @Test("strength and swing have their ranges")
  func ranges() throws {
    #expect(try request("/quantize/strength", .float(0.5)) == .command(.set(.quantizeStrength, .float(0.5))))
    #expect(try request("/swing", .float(0.75)) == .command(.set(.swing, .float(0.75))))
    #expect(complaint("/quantize/strength", .float(2)).contains("0…1"), "\(complaint("/quantize/strength", .float(2)))")
    #expect(complaint("/swing", .float(-1)).contains("0…0.75"), "\(complaint("/swing", .float(-1)))")
    #expect(complaint("/swing", .float(.nan)) != "none")
  }

  @Test("a score's numbers come back in front of what they number")
  func numbers() throws {
    let messages = [OSCMessage("/seq", .int32(7)), OSCMessage("/pad/1", .float(1))]
    var reader = ScoreReader()
    let bytes = (0..<2).flatMap { _ in ScoreWriter.encode(ScoreBundle(frame: .zero, messages: messages)) }
    #expect(try reader.receive(bytes).flatMap(\.messages).map(\.address) == ["/seq", "/pad/1", "/seq", "/pad/1"])
  }
}
