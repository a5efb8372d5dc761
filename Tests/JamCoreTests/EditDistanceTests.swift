import JamCore
import TestSupport
import Testing

@Suite struct EditDistanceTests {
  @Test("it counts insertions, removals and exchanges") func known() {
    #expect(EditDistance(from: "kitten").to("sitting") == 3)
    #expect(EditDistance(from: "").to("abc") == 3)
    #expect(EditDistance(from: "abc").to("") == 3)
    #expect(EditDistance(from: "/pad/1").to("/pda/1") == 2)
    #expect(EditDistance(from: "Größe").to("Grösse") == 2)
  }

  @Test("it agrees with the table that is written out, for words of all lengths") func likeTheTable() {
    var random = RunSeed.numbers()
    for _ in 0..<2_000 {
      let (a, b) = (word(&random), word(&random))
      #expect(EditDistance(from: a).to(b) == table(a, b), "\(a) \(b)")
    }
  }

  private func word(_ random: inout some RandomNumberGenerator) -> String {
    String((0..<Int.random(in: 0...64, using: &random)).map { _ in "abé/1".randomElement(using: &random)! })
  }

  private func table(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
    var row = Array(0...b.count)
    for i in a.indices {
      var corner = row[0]
      row[0] = i + 1
      for j in b.indices {
        let exchange = corner + (a[i] == b[j] ? 0 : 1)
        corner = row[j + 1]
        row[j + 1] = min(exchange, corner + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
