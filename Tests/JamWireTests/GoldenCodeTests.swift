import Foundation
import JamCore
import Testing

@testable import JamWire

/// `Tests/Golden/error-codes.txt` holds the codes in the order of `ErrorExamples`. A line that is
/// there stays as it is, because other people's programs compare it. A new reason adds a line.
@Suite("The codes of errors, which stay as they are") struct GoldenCodeTests {
  private static let golden: [String] = {
    let text = try? String(contentsOf: Golden.root.appending(path: "Tests/Golden/error-codes.txt"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }()

  @Test("each example has the code that the list has in its place") func list() {
    #expect(ErrorExamples.all.map(\.code.text) == GoldenCodeTests.golden)
    #expect(Set(GoldenCodeTests.golden).count == GoldenCodeTests.golden.count)
  }

  @Test("every code in the sources has an example") func examples() throws {
    let file = Golden.root.appending(path: "Sources/JamWire/ErrorCode+Reasons.swift")
    let source = try String(contentsOf: file, encoding: .utf8)
    let codes = source.matches(of: /"([^"]*)"\n/).map { String($0.1) }
    #expect(Set(codes) == Set(GoldenCodeTests.golden))
    let ofHTTP: Set<ErrorCode> = [
      .argumentMissing, .noSuchBlock, .noSuchRoom, .passwordNeeded, .tooManyGuesses, .wrongPassword,
    ]
    #expect(ofHTTP.isSubset(of: ErrorExamples.all.map(\.code)))
  }

  @Test("a code is a short word in small letters and hyphens") func kebabCase() {
    for code in GoldenCodeTests.golden {
      #expect(code.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil && code.count <= 32, "\(code)")
    }
  }

  @Test("errors that have no example of their own share another's code") func shared() {
    let messages: [(WireError, String)] = [
      (.unknownWord(argument: "grid", word: "1/5", choices: [], address: "/grid"), "unknown-word"),
      (.badName(argument: "room", name: "…", address: "/hello"), "bad-room-name"),
      (.badName(argument: "name", name: "…", address: "/hello"), "bad-name"),
      (.badSignature(beatsPerBar: 33, beatUnit: 4, address: "/signature"), "bad-signature"),
    ]
    let packets: [OSCError] = [
      .empty, .unaligned(bytes: 7), .notOSC, .unterminatedAddress, .addressUnprintable,
      .missingComma(address: "/pad/1"),
      .unterminatedTypes(address: "/pad/1"), .unknownType("x", address: "/pad/1"),
      .truncatedArguments(address: "/pad/1"), .wrongLength(address: "/pad/1"), .textNotUTF8(address: "/pad/1"),
      .bundleTruncated, .elementPastEnd(claimed: 8, available: 4),
    ]
    for (error, code) in messages { #expect(error.code.text == code) }
    for error in packets { #expect(error.code.text == "bad-packet", "\(error)") }
    #expect(FramingError.tooLong(bytes: 9, limit: 8).code.text == "packet-too-long")
    #expect(FramingError.badEscape(7).code.text == "bad-framing")
  }

  @Test("a refusal's code is the name of its case, in small letters and hyphens") func names() {
    for refusal in Refusal.examples {
      let name = Mirror(reflecting: refusal).children.first?.label ?? "\(refusal)"
      let code = name.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
      #expect(refusal.code.text == code)
    }
  }
}
