import Foundation
import Testing

/// The files that make up `RoomState` lie in layers: what is read and told at the bottom, commands at the top. No file calls one that
/// calls it, be it by others, so that each can be read with those below it alone.
///
/// The values that the state holds, and all else beside the actor, call nothing in a circle either.
///
/// Calls are told apart by the function's name and its labels, as they stand in the text: no compiler is asked.
@Suite("calls in circles")
struct CallCircleTests {
  private static let folder: String = {
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Sources/JamRoom"
  }()

  /// The texts of files, by their names.
  private func texts(_ isMeant: (_ folder: Substring, _ file: Substring) -> Bool) throws -> [String: String] {
    let paths = try #require(FileManager.default.enumerator(atPath: Self.folder)).compactMap { $0 as? String }
    var texts: [String: String] = [:]
    for path in paths where path.hasSuffix(".swift") {
      let parts = path.split(separator: "/")
      guard let folder = parts.first, let file = parts.last, isMeant(folder, file) else { continue }
      let name = String(file.dropLast(".swift".count))
      texts[name] = try String(contentsOfFile: Self.folder + "/" + path, encoding: .utf8)
    }
    return texts
  }

  // In `Room`, the actor and its carriers name their functions as the state does what they call.
  @Test("no files of the room call each other in a circle, but for those of the actor")
  func files() throws {
    let texts = try texts { folder, _ in folder != "Room" }
    #expect(texts.count > 120)
    let calls = Calls(texts)
    #expect(calls.count > 250)
    for circle in calls.circles { Issue.record("these call each other: \(circle.joined(separator: " → "))") }
  }

  @Test("each file of the room's state lies in a layer of docs/internals/layers.md, and calls none above it")
  func layers() throws {
    let document = try String(contentsOfFile: Self.folder + "/../../docs/internals/layers.md", encoding: .utf8)
    let table = try #require(
      document.split(separator: "| layer, from the bottom |").last?.split(separator: "\n\n").first)
    var layers = ["RoomState": 0]
    var layer = 0
    for row in table.split(separator: "\n") where row.hasPrefix("| ") {
      // A row without a name continues the layer above it.
      if !row.hasPrefix("| |") { layer += 1 }
      for name in row.matches(of: /`(\w+)`/) { layers["RoomState+\(name.output.1)"] = layer }
    }
    let texts = try texts { _, file in file.hasPrefix("RoomState") }
    #expect(Set(layers.keys) == Set(texts.keys))
    for (file, callees) in Calls(texts).callees {
      for callee in callees {
        guard let layer = layers[file], let other = layers[callee] else { continue }
        #expect(other <= layer, "\(file) calls \(callee), which lies above it")
      }
    }
  }

  @Test("a circle is found, and labels tell functions of one name apart")
  func finding() {
    let a = "extension RoomState { func rise(at frame: Int) { fall(by: 1) }\n func rest() { fall(to: 2) } }"
    let b = "extension RoomState { func fall(by height: Int) { land() } }"
    let c = "extension RoomState { func land(_ softly: Bool = true) { rise(at: 3) }\n func fall(to floor: Int) {} }"
    #expect(Calls(["a": a, "b": b, "c": c]).circles.map { $0.sorted() } == [["a", "b", "c"]])
    let other =
      "extension RoomState { func land(_ softly: Bool = true) { state.rise(by: 3) }\n func fall(to floor: Int) {} }"
    #expect(Calls(["a": a, "b": b, "c": other]).circles.isEmpty)
    let wrapped =
      "extension RoomState { func land(\n    softly: Bool\n  ) { rise(at: 3) }\n func fall(to floor: Int) {} }"
    let calling = "extension RoomState { func fall(by height: Int) { land(softly: true) } }"
    #expect(Calls(["a": a, "b": calling, "c": wrapped]).circles.count == 1)
    let hidden = a.replacing("func rise", with: "private mutating func rise")
    #expect(Calls(["a": hidden, "b": b, "c": c]).circles.isEmpty)
    let comment = "extension RoomState { func land() { // rise(at: 3)\n } }"
    #expect(Calls(["a": a, "b": b, "c": comment]).circles.isEmpty)
  }
}

/// Which files call functions that are declared in which others.
private struct Calls {
  private(set) var callees: [String: Set<String>] = [:]

  private struct Function {
    var file: String
    /// No other file can call it.
    var isPrivate: Bool
    var labels: [(text: String, isOptional: Bool)]
  }

  /// - Parameter texts: by the names of their files.
  init(_ texts: [String: String]) {
    let codes = texts.mapValues {
      $0.replacing(/\/\/[^\n]*/, with: "").replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"")
    }
    var functions: [Substring: [Function]] = [:]
    for (file, code) in codes {
      for match in code.matches(of: /(private )?(?:static |mutating )*\bfunc (\w+)(<[^>]*>)?\(/) {
        let labels = Calls.parts(of: code[match.range.upperBound...]).parts.map { part in
          let label = part.prefix { $0 != ":" }.split(whereSeparator: \.isWhitespace).first ?? ""
          return (text: label == "_" ? "" : String(label), isOptional: part.contains("="))
        }
        functions[match.output.2, default: []].append(
          Function(file: file, isPrivate: match.output.1 != nil, labels: labels))
      }
    }
    for (file, code) in codes {
      for match in code.matches(of: /(\bfunc |\bcase )?([\w\)\]]\??)?(\.)?\b(\w+)\(/) {
        // A declaration, or a case of an enum.
        if match.output.1 != nil || match.output.3 != nil && match.output.2 == nil { continue }
        guard let named = functions[match.output.4] else { continue }
        let (parts, behind) = Calls.parts(of: code[match.range.upperBound...])
        let labels = parts.map { part in
          part.firstMatch(of: /^\s*(\w+)\s*:(?!:)/).map { String($0.output.1) } ?? ""
        }
        let hasClosure = behind.drop { $0 == " " }.first == "{"
        let meant = named.filter {
          ($0.file == file || !$0.isPrivate) && Calls.fits(labels, $0.labels, hasClosure: hasClosure)
        }
        guard !meant.contains(where: { $0.file == file }) else { continue }
        callees[file, default: []].formUnion(meant.map(\.file))
      }
    }
  }

  /// Between how many files there are calls.
  var count: Int { callees.values.reduce(0) { $0 + $1.count } }

  /// What stands between commas up to the closing parenthesis, and what stands behind that.
  private static func parts(of text: Substring) -> (parts: [Substring], behind: Substring) {
    var (depth, start) = (0, text.startIndex)
    var parts: [Substring] = []
    for index in text.indices {
      switch text[index] {
      case "(", "[", "{": depth += 1
      case ")" where depth == 0, "]" where depth == 0, "}" where depth == 0:
        let last = text[start..<index]  // In order: the start lies before where the loop is.
        return (last.allSatisfy(\.isWhitespace) ? parts : parts + [last], text[text.index(after: index)...])
      case ")", "]", "}": depth -= 1
      case "," where depth == 0:
        parts.append(text[start..<index])  // In order: as above.
        start = text.index(after: index)
      default: break
      }
    }
    return (parts, "")
  }

  private static func fits(
    _ labels: [String], _ wanted: [(text: String, isOptional: Bool)], hasClosure: Bool
  ) -> Bool {
    var (place, closures) = (0, hasClosure ? 1 : 0)
    for label in wanted {
      if place < labels.count, labels[place] == label.text {
        place += 1
      } else if !label.isOptional {
        guard closures > 0 else { return false }
        closures -= 1
      }
    }
    return place == labels.count
  }

  /// Files that reach themselves by their calls, those of one circle together (Tarjan's strongly connected components).
  var circles: [[String]] {
    var (order, low): ([String: Int], [String: Int]) = ([:], [:])
    var (stack, found): ([String], [[String]]) = ([], [])
    func visit(_ file: String) {
      (order[file], low[file]) = (order.count, order.count)
      stack.append(file)
      for next in callees[file, default: []].sorted() {
        if order[next] == nil {
          visit(next)
          low[file] = min(low[file]!, low[next]!)
        } else if stack.contains(next) {
          low[file] = min(low[file]!, order[next]!)
        }
      }
      guard low[file] == order[file], let place = stack.firstIndex(of: file) else { return }
      let circle = Array(stack[place...])
      stack.removeSubrange(place...)
      if circle.count > 1 { found.append(circle) }
    }
    for file in callees.keys.sorted() where order[file] == nil { visit(file) }
    return found
  }
}
