import Foundation
import Testing

/// Ranges and conversions that end the process where their values are not what one thought.
///
/// Bounds that are numbers as they stand, as in `0..<count`, are not looked at. Where something comes from outside, or from a clock, it may run backwards, be infinite or be no number. There a range is made by
/// `Range(from:to:)`, and a whole number by `Int(saturating:)`. A line that cannot trap says why in a comment: `// In order: …` of a
/// range, `// Finite: …` of a conversion.
@Suite("traps")
struct TrapTests {
  /// The modules that messages, files from elsewhere and clocks reach first.
  private static let modules = [
    "JamCore", "JamNet", "JamKit", "JamImport", "JamWire", "JamStore", "JamExport", "JamLayout", "JamRoom", "JamOSC",
    "JamStream", "JamListen", "JamBonjour", "JamWeb", "JamServer", "JamBackend", "JamDoctor", "bandshell",
  ]

  private static let sources: String = {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources"
  }()

  @Test("no range can be reversed, and no conversion is of what may be infinite", arguments: modules)
  func traps(module: String) throws {
    let folder = TrapTests.sources + "/" + module
    let files = try #require(FileManager.default.enumerator(atPath: folder))
    var count = 0
    for case let file as String in files where file.hasSuffix(".swift") {
      count += 1
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      for (line, trap) in TrapTests.traps(in: text) { Issue.record("\(module)/\(file):\(line): \(trap)") }
    }
    #expect(count > 3)
  }

  @Test("traps are found, and what is bounded is none")
  func finding() {
    func lines(_ text: String) -> [Int] { TrapTests.traps(in: text).map(\.line) }
    let text = """
      for i in first..<last {}
      for i in 0..<last {}
      let a = text[text.startIndex..<end]
      let b = low...high
      let c = UInt8(ascii: "a")...UInt8(ascii: "z")
      let d = Int(seconds.rounded(.up))
      let e = Int(saturating: seconds.rounded(.up))
      // In order: the end is the greater of both.
      let f = low..<high
      let g = low..<high  // In order: as above.
      let h = Int(length.seconds)
      // let i = low..<high
      let j = Range(from: low, to: high)
      let k = "\\(low)..<\\(high)"
      let l = low...UInt64.max
      let m = Int(Double(bytes) * factor)
      // The bounds are in order, because they were compared.
      let n = low..<high
      """
    #expect(lines(text) == [1, 3, 4, 6, 11, 16])
  }

  private static func traps(in text: String) -> [(line: Int, trap: String)] {
    var found: [(line: Int, trap: String)] = []
    var before = ""
    for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = String(whole).trimmingCharacters(in: .whitespaces)
      defer { before = line }
      // Most lines have neither, and an expression that is looked for takes long.
      guard line.contains("..") || line.contains("Int") else { continue }
      let parts = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
      let code = withoutTexts(String(parts[0]))
      let comments = before.hasPrefix("//") ? before + line : String(parts.dropFirst().first ?? "")
      if !comments.contains("In order:"), !comments.contains("are in order"), hasRange(code) {
        let remedy = "use Range(from:to:), or say why it is // In order: …, or why the bounds are in order"
        found.append((index + 1, "a range that may be reversed: \(remedy)"))
      }
      if !comments.contains("Finite:"), hasConversion(code) {
        found.append((index + 1, "a conversion that may trap: use init(saturating:), or say why it is // Finite: …"))
      }
    }
    return found
  }

  /// Without what stands in quotation marks.
  private static func withoutTexts(_ line: String) -> String {
    line.replacing(/"(\\.|[^"\\])*"/, with: "\"\"")
  }

  /// Two bounds of which neither is a number, the end of a type's values or a letter.
  private static func hasRange(_ code: String) -> Bool {
    let number = /-?(0x[0-9A-Fa-f_]+|[0-9_.]+)/
    for match in code.matches(of: /([\w.)\]]+)\s*\.\.[.<]\s*([\w.(]+)/) {
      let (lower, upper) = (match.1, match.2)
      // A one-sided one says nothing of its other bound.
      if lower == "case" || lower == upper || lower.wholeMatch(of: number) != nil { continue }
      if upper.wholeMatch(of: number) != nil || upper.hasSuffix(".max") || lower.hasSuffix(".min") { continue }
      let letters = code.contains("UInt8(ascii:") || code.contains("range.lowerBound)...Double(range.upperBound)")
      if letters || code.contains("Double(Int32.min)...") { continue }
      return true
    }
    return false
  }

  /// A whole number made of what shows that it is none.
  private static func hasConversion(_ code: String) -> Bool {
    let numbers = /\bU?Int(?:8|16|32|64)?\((?!saturating|clamping|truncatingIfNeeded|bitPattern|exactly|nearestTime)/
    let fractions = [
      ".rounded(", ".seconds", ".milliseconds", "Double(", "Float(", ".framesPerBeat", ".beatsPerMinute",
    ]
    for match in code.matches(of: numbers) {
      var depth = 1
      let argument = code[match.range.upperBound...].prefix { letter in
        depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
        return depth > 0
      }
      if fractions.contains(where: argument.contains) { return true }
    }
    return false
  }
}
