import JamCore
import Testing

@testable import JamKit

@Suite("kit.schema.json")
struct KitSchemaTests {
  private let schema: [String: JSONValue]

  init() throws {
    let path = ShippedKits.path + "/../Protocol/kit.schema.json"
    guard case .object(let schema) = try JSONValue(reading: try Files.read(path, limit: 1 << 20), of: path) else {
      throw KitError(path, .empty)
    }
    self.schema = schema
  }

  @Test("names exactly the fields that the reader knows")
  func fields() throws {
    let text = #"""
      { "format": 1, "name": "K", "pads": [
        { "pad": 1, "name": "A", "file": "a" }, { "pad": 2, "name": "B", "layers": [{ "files": ["b"] }] }] }
      """#
    let description = KitDescription(id: "kit", reading: Array(text.utf8), of: "kit.json")
    let definitions = try #require(members("$defs", of: schema))
    for part in KitDescription.Part.allCases {
      let object =
        switch part {
        case .kit: schema
        case .pad: try #require(members("pad", of: definitions))
        case .layer: try #require(members("layer", of: definitions))
        }
      let properties = try #require(members("properties", of: object))
      #expect(Set(properties.keys) == description.askedFor[part], "\(part)")
    }
  }

  @Test("names exactly the categories that the reader knows")
  func words() throws {
    let definitions = try #require(members("$defs", of: schema))
    let pad = try #require(members("pad", of: definitions))
    let properties = try #require(members("properties", of: pad))
    let property = try #require(members("category", of: properties))
    #expect(property["enum"] == .array(PadCategory.allCases.map { .string($0.rawValue) }))
  }

  @Test("gives each setting of a pad the range of its row")
  func ranges() throws {
    let definitions = try #require(members("$defs", of: schema))
    let pad = try #require(members("pad", of: definitions))
    let properties = try #require(members("properties", of: pad))
    for setting in PadSetting.allCases {
      guard let name = setting.row.kitName else { continue }
      var property = try #require(members(name, of: properties), "\(name)")
      if case .string(let reference)? = property["$ref"] {
        property = try #require(members(String(reference.dropFirst("#/$defs/".count)), of: definitions), "\(name)")
      }
      switch setting.row.kind {
      case .float(let range?, _), .integer(let range?):
        #expect(
          property["minimum"] == .number(range.lowerBound) && property["maximum"] == .number(range.upperBound),
          "\(name)")
      case .choice(let words): #expect(property["enum"] == .array(words.map { .string($0) }), "\(name)")
      default: Issue.record("\(name) is not checked")
      }
    }
  }

  private func members(_ name: String, of object: [String: JSONValue]) -> [String: JSONValue]? {
    if case .object(let members)? = object[name] { members } else { nil }
  }
}
