import Foundation
import JamCore
import TestSupport
import Testing

@testable import JamWire

/// The tree of OSCQuery: every row of the table, with its type, range, access and value.
@Suite struct QueryTreeTests {
  private let view = QueryRoom.view()
  private let table = AddressTable.standard

  @Test("every row of the table is in the whole tree, with the type and the range of its arguments")
  func rows() throws {
    let nodes = try QueryRoom.nodes("/", view)
    var rows: [String: AddressEntry] = [:]
    for entry in table.entries where rows[entry.template] == nil || entry.access != .sent {
      if rows[entry.template].map({ $0.access == .sent }) ?? true { rows[entry.template] = entry }
    }
    for entry in rows.values {
      let address = QueryRoom.address(of: entry)
      guard let node = nodes[address] else {
        Issue.record("\(address) is not in the tree")
        continue
      }
      let specs = entry.querySpecs
      let type = specs.map { spec in
        if let most = spec.ends?.upperBound, most > Double(Int32.max) { return "h" }
        return spec.kind == .textOrIndex ? "s" : spec.tag
      }.joined()
      #expect(node["TYPE"] as? String == (type.isEmpty ? "N" : type), "\(address)")
      #expect((node["DESCRIPTION"] as? String)?.contains(entry.summary) == true, "\(address)")
      let ranges = node["RANGE"] as? [Any] ?? specs.map { _ in NSNull() }
      #expect(ranges.count == specs.count, "\(address)")
      for (range, spec) in zip(ranges, specs) {
        let range = range as? [String: Any]
        switch spec.kind {
        case .choice(let words): #expect(range?["VALS"] as? [String] == words, "\(address)")
        case .textOrIndex:
          #expect(range?["VALS"] as? [String] == ["808", "909", "starter"], "\(address)")
        default:
          guard address != "/instrument" else { continue }
          #expect(range?["MIN"] as? Double == spec.ends?.lowerBound, "\(address)")
          #expect(range?["MAX"] as? Double == spec.ends?.upperBound, "\(address)")
        }
      }
    }
  }

  @Test("every setting has its value, also in the whole tree")
  func values() throws {
    let nodes = try QueryRoom.nodes("/", view)
    for (address, arguments) in view.values where address != "/host" {
      let node = nodes[address]
      let value = node?["VALUE"] as? [Any]
      #expect(value?.count == arguments.count, "\(address)")
      #expect((node?["ACCESS"] as? Int ?? 0) & 1 == 1, "\(address)")
      for (element, argument) in zip(value ?? [], arguments) {
        if let text = argument.text {
          #expect(element as? String == text, "\(address)")
        } else {
          let number = try #require(element as? Double)
          #expect(Float(number) == Float(try #require(argument.number)), "\(address)")
        }
      }
    }
    #expect(nodes["/host"]?["VALUE"] as? [String] == [""], "it takes a word, and tells a number")
  }

  @Test("nodes as clients read them")
  func golden() {
    var view = QueryRoom.view(steps: 16)
    view.hear(OSCMessage("/pad/3/gain", .float(-6)))
    view.hear(OSCMessage("/pad/3/name", .string("Clap \"dry\"")))
    view.hear(OSCMessage("/signature", .int32(7), .int32(8)))
    view.hear(OSCMessage("/loop/record", .float(0.5)))
    view.hear(OSCMessage("/arp/mode", .string("up")))
    #expect(
      QueryRoom.json("/pad/3/gain", "", view).hasPrefix(
        #"{"FULL_PATH":"/pad/3/gain","TYPE":"f","RANGE":[{"MIN":-60.0,"MAX":12.0}],"UNIT":["gain.db"],"#
          + #""CLIPMODE":["both"],"ACCESS":3,"VALUE":[-6.0],"DESCRIPTION":"The pad's level"#))
    #expect(
      QueryRoom.json("/loop/record", "", view).hasPrefix(
        #"{"FULL_PATH":"/loop/record","TYPE":"f","RANGE":[{"MIN":0.0,"MAX":1.0}],"TAGS":["trigger"],"#
          + #""ACCESS":3,"VALUE":[0.5],"DESCRIPTION":""#))
    #expect(
      QueryRoom.json("/signature", "", view).hasPrefix(
        #"{"FULL_PATH":"/signature","TYPE":"ii","RANGE":[{"MIN":1,"MAX":32},{"MIN":1,"MAX":32}],"#
          + #""CLIPMODE":["both","both"],"ACCESS":3,"VALUE":[7,8],"#))
    #expect(
      QueryRoom.json("/kit/next", "", view).hasPrefix(
        #"{"FULL_PATH":"/kit/next","TYPE":"f","RANGE":[{"MIN":0.0,"MAX":1.0}],"TAGS":["trigger"],"#
          + #""ACCESS":2,"VALUE":[0.0],"#))
    #expect(QueryRoom.json("/arp/mode", "VALUE", view) == #"{"VALUE":["up"]}"#)
    #expect(
      QueryRoom.json("/pad/3", "DESCRIPTION", view).hasPrefix(
        #"{"DESCRIPTION":"Clap \"dry\": Hit the pad"#))
    #expect(QueryRoom.json("/pad/3", "ACCESS", view) == #"{"ACCESS":2}"#)
    #expect(QueryRoom.json("/step/2/5", "TYPE", view) == #"{"TYPE":"f"}"#)
    #expect(QueryRoom.json("/pad", "FULL_PATH", view) == #"{"FULL_PATH":"/pad"}"#)
    #expect(QueryRoom.json("/seat", "ACCESS", view) == #"{"ACCESS":0}"#)
  }

  @Test("the whole tree of a room of four players stays below 400 KB, also with all steps")
  func size() {
    #expect(QueryRoom.json("/", "", view).utf8.count < 400_000)
    #expect(QueryRoom.json("/", "", QueryRoom.view(steps: 16)).utf8.count < 300_000)
    #expect(QueryRoom.json("/", "", QueryView(asker: .anybody)).utf8.count < 300_000)
  }

  @Test("that of a full room does, too: seats and descriptions of players are left out of it")
  func full() throws {
    let names = (1...64).map { "player-number-\($0 + 10)" }
    var full = QueryRoom.view(players: names, steps: 16)
    // The player's own mix has all of them, and as many names of people who are gone.
    let gone = (1...64).map { "player-number-\($0 + 110)" }
    for name in names + gone {
      full.hear(OSCMessage("/mix/\(name)/gain", .float(-6)))
      full.hear(OSCMessage("/mix/\(name)/mute", .int32(0)))
    }
    #expect(QueryRoom.json("/", "", full).utf8.count < 400_000)
    let whole = try QueryRoom.nodes("/", full)
    #expect(whole["/seat/8/gain"] != nil && whole["/seat/9"] != nil && whole["/seat/9/gain"] == nil)
    #expect(try QueryRoom.nodes("/seat", full)["/seat/9/gain"] != nil)
    let (first, last) = ("/player/player-number-11/gain", "/player/player-number-74/gain")
    #expect(whole[first]?["DESCRIPTION"] != nil && whole[last]?["DESCRIPTION"] == nil)
    #expect(whole[last]?["VALUE"] != nil && whole[last]?["RANGE"] != nil)
    #expect(try QueryRoom.nodes(last, full)[last]?["DESCRIPTION"] != nil)
    let (mixed, kept) = ("/mix/player-number-11/gain", "/mix/player-number-174/gain")
    #expect(whole[mixed]?["DESCRIPTION"] != nil && whole[kept]?["DESCRIPTION"] == nil && whole[kept]?["VALUE"] != nil)
    #expect(try QueryRoom.nodes(kept, full)[kept]?["DESCRIPTION"] != nil)
  }

  // MARK: Access

  @Test("access is what the asker may read and set")
  func access() throws {
    let nodes = try QueryRoom.nodes("/", view)
    func access(_ path: String) -> Int? { nodes[path]?["ACCESS"] as? Int }
    #expect(
      access("/tempo") == 3 && access("/bpm") == 1 && access("/undo") == 2 && access("/hit") == 0)
    #expect(
      access("/scene/2") == 3 && access("/seat/1") == 0 && access("/chat") == 2
        && access("/pad") == 2)
    #expect(
      access("/layer/1/delete") == 2 && access("/lane/3/4") == 3 && access("/player/ben/seat") == 1)
    // Only scores may hold these, so nobody may send them.
    for path in ["/loop/define", "/loop/hit", "/pad/1/fit", "/buildup/rise", "/instrument/patch"] {
      #expect(access(path) == 0, "\(path)")
      #expect(nodes[path]?["TAGS"] as? [String] == ["score"], "\(path)")
    }
    // Somebody who only looks reads nothing that is a player's, but may play.
    let looking = try QueryRoom.nodes("/", QueryView(asker: .anybody))
    #expect(looking["/gain"]?["ACCESS"] as? Int == 2 && looking["/bpm"]?["ACCESS"] as? Int == 0)
    #expect(QueryRoom.status("/gain", "VALUE", QueryView(asker: .anybody)) == .noContent)
  }

  @Test("what hosts alone may set has a tag, says so, and cannot be set by other players")
  func hosts() throws {
    let host = try QueryRoom.nodes("/", view)
    let player = try QueryRoom.nodes("/", QueryRoom.view(.player))
    let anybody = try QueryRoom.nodes("/", QueryView(asker: .anybody))
    for entry in table.entries where entry.scope == .host {
      let address = QueryRoom.address(of: entry)
      #expect((host[address]?["TAGS"] as? [String])?.contains("host") == true, "\(address)")
      #expect(
        (host[address]?["DESCRIPTION"] as? String)?.contains("Only a host may") == true,
        "\(address)")
      let isSet = entry.access != .readOnly && entry.access != .sent
      #expect(((host[address]?["ACCESS"] as? Int ?? 0) & 2 == 2) == isSet, "\(address)")
      #expect((player[address]?["ACCESS"] as? Int ?? 2) & 2 == 0, "\(address)")
    }
    #expect(
      anybody["/tempo/mode"]?["ACCESS"] as? Int == 2, "a host may look without saying who it is")
    for entry in table.entries where entry.scope != .host {
      #expect(
        (host[QueryRoom.address(of: entry)]?["TAGS"] as? [String] ?? []).contains("host") == false)
    }
  }

  @Test("what the tree says can be sent is understood: the least, the largest and the resting values")
  func sent() throws {
    var reader = CommandReader()
    var count = 0
    // No type can be written for bytes of MIDI, which come in three forms.
    for (path, node) in try QueryRoom.nodes("/", view) where path != "/midi" {
      guard let access = node["ACCESS"] as? Int, access & 2 == 2, let type = node["TYPE"] as? String
      else { continue }
      let ranges = node["RANGE"] as? [Any] ?? type.map { _ in NSNull() }
      for end in ["MIN", "MAX"] {
        let arguments = zip(type, ranges).compactMap { letter, range -> OSCArgument? in
          let range = range as? [String: Any]
          let number = range?[end] as? Double ?? 1
          switch letter {
          case "f": return .float(Float(number))
          case "i": return .int32(Int32(exactly: number) ?? 0)
          case "h": return .int64(Int64(exactly: number) ?? 0)
          case "s":
            let words = range?["VALS"] as? [String]
            return .string((end == "MIN" ? words?.first : words?.last) ?? "text")
          default: return nil
          }
        }
        count += 1
        #expect(throws: Never.self, "\(path) \(arguments)") {
          _ = try reader.read(OSCMessage(path, arguments))
        }
      }
    }
    #expect(count > 3_000)
  }

  // MARK: Clients

  @Test(
    "python-oscquery reads the separate style: a value where there is access, never beside contents"
  )
  func separate() throws {
    for view in [view, QueryRoom.view(.player), QueryView(asker: .anybody)] {
      for path in ["/", "/seat", "/key", "/key/61", "/pad/3", "/kit"] {
        for (path, node) in try QueryRoom.nodes(path, view, .separate) {
          let hasValue = (node["VALUE"] as? [Any])?.isEmpty == false
          let access = try #require(node["ACCESS"] as? Int, "\(path)")
          #expect(hasValue == (access > 0), "\(path)")
          #expect(!hasValue || (node["CONTENTS"] as? [String: Any])?.isEmpty ?? true, "\(path)")
          #expect(!path.utf8.contains(where: { " #*,?[]{}".utf8.contains($0) }), "\(path)")
        }
      }
    }
    #expect(QueryStyle(userAgent: "python-requests/2.32.3") == .separate)
    #expect(QueryStyle(userAgent: "curl/8") == .full && QueryStyle(userAgent: nil) == .full)
  }

  @Test("a unit stands at single floats alone, and every float has a point")
  func libossia() throws {
    for (path, node) in try QueryRoom.nodes("/", view) {
      if node["UNIT"] != nil { #expect(node["TYPE"] as? String == "f", "\(path)") }
      guard node["TYPE"] as? String == "f" else { continue }
      for attribute in ["VALUE", "RANGE"] {
        let json = QueryRoom.json(path, attribute, view)
        let numbers = json.split { !"0123456789.e+-".contains($0) }.filter {
          $0.contains(where: \.isNumber)
        }
        #expect(numbers.allSatisfy { $0.contains(".") || $0.contains("e") }, "\(path) \(json)")
      }
    }
    #expect(QueryRoom.json("/modulation", "RANGE", view) == #"{"RANGE":[{"MIN":0.0,"MAX":1.0}]}"#)
  }

  @Test("an answer names each path once, and each node lies where its path says")
  func paths() throws {
    for path in ["/", "/seat", "/key", "/step/3", "/kit", "/player"] {
      let json = QueryRoom.json(path, "", view)
      let nodes = try QueryRoom.nodes(path, view)
      #expect(json.components(separatedBy: "\"FULL_PATH\":").count - 1 == nodes.count, "\(path)")
      for (own, node) in nodes {
        for (name, child) in node["CONTENTS"] as? [String: Any] ?? [:] {
          let full = (child as? [String: Any])?["FULL_PATH"] as? String
          #expect(full == (own == "/" ? "/\(name)" : "\(own)/\(name)"))
        }
      }
    }
  }

  // MARK: Lists

  @Test("the whole tree leaves free seats and parts of unused keys out; their lists have all")
  func lists() throws {
    let whole = try QueryRoom.nodes("/", view)
    #expect(whole["/seat/5/gain"] != nil && whole["/seat/6"] == nil, "four sit, one is free")
    #expect(
      whole["/key/61"]?["ACCESS"] as? Int == 2 && whole["/key/61/y"] == nil
        && whole["/key/60/y"] != nil)
    #expect(whole["/layer/4/gain"] != nil && whole["/layer/5"] == nil)
    #expect(QueryRoom.status("/layer/5/gain", "", view) == .notFound)
    #expect(try QueryRoom.nodes("/seat", view)["/seat/64/gain"] != nil)
    #expect(try QueryRoom.nodes("/key", view)["/key/61/bend"] != nil)
    #expect(try QueryRoom.nodes("/key/61/step", view)["/key/61/step/64"] != nil)
    let short = QueryRoom.view(steps: 16)
    #expect(try QueryRoom.nodes("/step", short)["/step/3/17"] == nil)
    #expect(try QueryRoom.nodes("/step/3", short)["/step/3/64"] != nil)
    #expect(QueryRoom.status("/seat/64/gain", "", view) == .found)
    #expect(QueryRoom.status("/seat/65", "", view) == .notFound)
  }

  @Test("a player whose name is a word of the table has the parts of both")
  func wordAsName() throws {
    let view = QueryRoom.view(players: ["away", "gain"])
    let nodes = try QueryRoom.nodes("/", view)
    #expect(nodes["/player/away"]?["TYPE"] as? String == "si" && nodes["/player/away/gain"] != nil)
    #expect(nodes["/player/gain/gain"] != nil && nodes["/player/ann"] == nil)
    #expect(QueryRoom.json("/player/away/mute", "VALUE", view) == #"{"VALUE":[1]}"#)
    #expect(QueryRoom.status("/player/gone/mute", "", view) == .notFound)
  }

  @Test("names of people are escaped, whatever they are")
  func names() throws {
    let name = try #require(PlayerName("Jo\"\\é 𝄞"))
    let view = QueryRoom.view(players: [name.text])
    #expect(try QueryRoom.nodes("/", view)["/player/\(name)/gain"] != nil)
    #expect(QueryRoom.status("/player/\(name)/gain", "VALUE", view) == .found)
  }
}
