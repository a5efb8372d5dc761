import Foundation
import JamCore
import TestSupport
import Testing

@testable import JamWire

/// Single attributes, statuses, any paths, and what differs between two views.
@Suite struct QueryAnswerTests {
  private let view = QueryRoom.view(steps: 16)
  private let tree = QueryRoom.tree

  @Test("somebody who only looks sees what there is to choose, from the room's list")
  func listed() {
    func range(_ path: String, _ view: QueryView) -> String {
      String(
        decoding: tree.answer(path: path, wish: .attribute(.range), view: view).json, as: UTF8.self)
    }
    var view = QueryView(asker: .anybody, [OSCMessage("/tempo", .float(120))])
    #expect(range("/kit", view).contains("null"))
    view.listed = ["/kit/808", "/kit/rock", "/instrument/organ"]
    #expect(range("/kit", view).contains(#"{"VALS":["808","rock"]}"#))
    #expect(range("/instrument", view).contains(#"{"VALS":["organ"]}"#))
    view.forget("/tempo")
    #expect(range("/kit", view).contains("808"), "it is listed whatever is known otherwise")
    let old = view
    view.listed = ["/kit/rock", "/instrument/organ"]
    #expect(
      tree.difference(from: old, to: view)
        == QueryDifference(removed: ["/kit/808"], changed: ["/kit"]))
    view.hear(OSCMessage("/kit/rock", .float(1)))
    #expect(range("/kit", view).contains(#"{"VALS":["rock"]}"#), "a light adds nothing")
  }

  // MARK: Wishes

  @Test("the query names one attribute, or none; what belongs to the transport is left out")
  func wishes() {
    #expect(QueryWish(query: "") == .node && QueryWish(query: "player=ann&token=x") == .node)
    #expect(
      QueryWish(query: "VALUE") == .attribute(.value)
        && QueryWish(query: "VALUE=") == .attribute(.value))
    #expect(
      QueryWish(query: "HOST_INFO") == .hostInfo && QueryWish(query: "HOST_INFO=1") == .hostInfo)
    #expect(QueryWish(query: "player=ann&RANGE&token=x") == .attribute(.range))
    for query in [
      "value", "FOO", "VALUE&TYPE", "=", "VALUE&", "&&", "%", "HOST_INFO&VALUE", "\u{0}",
    ] {
      let isFine = query == "VALUE&" || query == "&&"
      #expect((QueryWish(query: query) == nil) != isFine, "\(query)")
    }
  }

  @Test(
    "204 is an attribute that the node has not, 400 one that nobody knows, 404 a path that is not there"
  )
  func statuses() {
    #expect(QueryRoom.status("/tempo", "VALUE", view) == .found)
    #expect(QueryRoom.status("/undo", "VALUE", view) == .noContent, "a button has no value")
    #expect(QueryRoom.status("/pad/1/name", "RANGE", view) == .noContent)
    #expect(QueryRoom.status("/pad/1", "CONTENTS", view) == .found)
    #expect(QueryRoom.status("/gain", "CONTENTS", view) == .noContent)
    #expect(QueryRoom.status("/gain", "TAGS", view) == .noContent)
    #expect(QueryRoom.status("/seat", "TYPE", view) == .noContent)
    #expect(
      QueryRoom.status("/gain", "UNIT", view) == .found
        && QueryRoom.status("/swing", "UNIT", view) == .noContent)
    #expect(QueryRoom.status("/gain", "FOO", view) == .badRequest)
    #expect(QueryRoom.status("/nothing", "FOO", view) == .badRequest)
    #expect(QueryRoom.status("/gain", "HOST_INFO", view) == .badRequest, "the transport knows it")
    for path in [
      "/nothing", "/pad/0", "/pad/17", "/pad/01", "/pad/+1", "/pad/1/", "//pad/1", "/pad//gain",
      "/..",
    ] {
      #expect(QueryRoom.status(path, "", view) == .notFound, "\(path)")
      #expect(QueryRoom.json(path, "", view).isEmpty && !tree.contains(path, in: view), "\(path)")
    }
    for path in [
      "/n/gain", "/kit/nothing", "/player/eve/gain", "/key/128", "/subscribe/9000", "/pad/*",
      "/pad/<n>",
    ] {
      #expect(QueryRoom.status(path, "", view) == .notFound, "\(path)")
    }
    for path in ["", "pad/1", "\u{0}", "é"] {
      #expect(QueryRoom.status(path, "", view) == .badRequest, "\(path)")
    }
  }

  @Test("each attribute alone is the one in the node")
  func attributes() throws {
    for path in ["/tempo", "/pad/2", "/pad/2/mute", "/take/state", "/kit", "/lock", "/seat/1"] {
      let nodes = try QueryRoom.nodes(path, view)
      let node = try #require(nodes[path])
      for attribute in QueryAttribute.allCases {
        let json = QueryRoom.json(path, attribute.rawValue, view)
        // A node that cannot be read has the value of a control that nobody touches.
        let isRead = attribute != .value || (node["ACCESS"] as? Int ?? 0) & 1 == 1
        guard isRead, let value = node[attribute.rawValue] else {
          #expect(json.isEmpty, "\(path) \(attribute)")
          continue
        }
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
        #expect(object == [attribute.rawValue: value] as NSDictionary, "\(path) \(attribute)")
      }
    }
  }

  @Test("any text is a path that is there, is not, or is no path")
  func randomPaths() {
    var random = SplitMix(seed: 47)
    let parts = [
      "", "pad", "1", "16", "999999999999999999999", "-1", "..", "gain", "player", "ann",
      "é\u{301}", "<n>", "*",
    ]
    var found = 0
    for _ in 0..<2_000 {
      var path = random.below(8) == 0 ? "" : "/"
      for _ in 0..<random.below(6) {
        path += parts[random.below(parts.count)] + (random.below(3) == 0 ? "" : "/")
      }
      if random.below(50) == 0 { path += String(repeating: "x/", count: 5_000) }
      if random.below(4) == 0 {
        path.unicodeScalars.append(Unicode.Scalar(UInt8(random.below(256))))
      }
      let attribute = QueryAttribute.allCases[random.below(QueryAttribute.allCases.count)]
      let wish: QueryWish? =
        random.below(9) == 0 ? nil : random.below(2) == 0 ? .node : .attribute(attribute)
      let answer = tree.answer(path: path, wish: wish, view: view)
      #expect(answer.json.isEmpty == (answer.status != .found))
      #expect(wish != nil || answer.status == .badRequest)
      if answer.status == .found { found += 1 }
      _ = tree.values(at: path, in: view)
    }
    #expect(found > 50)
  }

  @Test("values that suit no type are not told, and make no broken JSON")
  func oddValues() throws {
    var view = view
    view.hear(OSCMessage("/tempo", .string("fast")))
    view.hear(OSCMessage("/gain", .float(.nan)))
    view.hear(OSCMessage("/swing", .double(1e300)))
    view.hear(OSCMessage("/loop/bars", .double(.infinity)))
    view.hear(OSCMessage("/signature", .int32(4)))
    view.hear(OSCMessage("/mute"))
    view.hear(OSCMessage("/loop/state", .string("a\u{0}\"\\\n")))
    view.hear(OSCMessage("/player//gain", .float(0)))
    view.hear(OSCMessage("/player/a/b/c", .float(0)))
    view.hear(OSCMessage("/layer/99999999999999999999/gain", .float(0)))
    view.hear(OSCMessage("", .float(0)))
    let nodes = try QueryRoom.nodes("/", view)
    #expect(nodes["/tempo"]?["ACCESS"] as? Int == 2 && nodes["/signature"]?["ACCESS"] as? Int == 2)
    #expect(nodes["/loop/state"]?["VALUE"] as? [String] == ["a\u{0}\"\\\n"])
    #expect(nodes["/gain"]?["VALUE"] as? [NSNull] == [NSNull()])
  }

  // MARK: Values

  @Test("LISTEN to a node hears its value, LISTEN to a branch those of all below it")
  func values() {
    #expect(tree.values(at: "/pad/3/decay", in: view).map(\.address) == ["/pad/3/decay"])
    #expect(
      tree.values(at: "/pad/3/gain", in: view).map(\.address) == [
        "/pad/3/gain", "/pad/3/gain/random",
      ])
    let branch = tree.values(at: "/scene/1", in: view).map(\.address)
    #expect(branch == ["/scene/1", "/scene/1/name", "/scene/1/plays"])
    #expect(tree.values(at: "/pad/1", in: view).allSatisfy { $0.address.hasPrefix("/pad/1/") })
    #expect(
      tree.values(at: "/", in: view).count == view.values.count - 1,
      "all but /host, which tells no word")
    #expect(
      tree.values(at: "/undo", in: view).isEmpty && tree.values(at: "/nothing", in: view).isEmpty)
  }

  // MARK: Differences

  @Test("a value is no difference; names, layers, seats and steps are")
  func difference() {
    func difference(_ change: (inout QueryView) -> Void) -> QueryDifference {
      var view = view
      change(&view)
      return tree.difference(from: self.view, to: view)
    }
    #expect(difference { $0.hear(OSCMessage("/gain", .float(-3))) }.isEmpty)
    #expect(
      difference { $0.hear(OSCMessage("/player/eve/gain", .float(0))) }
        == QueryDifference(added: ["/mix/eve", "/player/eve"], changed: ["/mix", "/player"]))
    #expect(
      difference { view in
        for address in view.values.keys where address.hasPrefix("/player/dan/") {
          view.forget(address)
        }
      } == QueryDifference(removed: ["/mix/dan", "/player/dan"], changed: ["/mix", "/player", "/seat"]))
    #expect(
      difference { $0.hear(OSCMessage("/layer/5/gain", .float(0))) }
        == QueryDifference(added: ["/layer/5"], changed: ["/layer"]))
    #expect(difference { $0.hear(OSCMessage("/kit/my", .float(0))) }.added == ["/kit/my"])
    #expect(
      difference { $0.hear(OSCMessage("/pad/3/name", .string("Bell"))) }.changed == ["/pad/3"])
    #expect(difference { $0.titles["/kit/808"] = "TR-808" }.changed == ["/kit/808"])
    #expect(difference { $0.hear(OSCMessage("/seat/9/taken", .int32(1))) }.changed == ["/seat"])
    #expect(difference { $0.hear(OSCMessage("/step/2/17", .float(0))) }.changed == ["/step/2"])
    #expect(difference { $0.hear(OSCMessage("/key/72/step/1", .float(0))) }.changed == ["/key/72"])
    #expect(
      difference { $0.hear(OSCMessage("/position/bar", .int32(1))) }.changed == ["/position/bar"])
    #expect(difference { $0.forget("/gain") }.changed == ["/gain"], "it has no value any more")
    #expect(difference { $0.asker = .player }.changed == ["/"])
    #expect(
      tree.difference(from: QueryView(asker: .host), to: view).changed == ["/"], "all values came")
  }

  @Test("what is told as added and removed is there, and is not there any more")
  func differencesHold() {
    var random = SplitMix(seed: 7)
    let addresses = [
      "/player/eve/gain", "/player/away/mute", "/player/dan/seat", "/kit/my", "/kit/name",
      "/layer/9/mute", "/gain",
      "/instrument/mine", "/seat/3/taken", "/key/5/step/2", "/pad/1/name", "/nothing", "/step/1/30",
    ]
    var old = view
    for _ in 0..<200 {
      var new = old
      for _ in 0..<random.below(4) {
        let address = addresses[random.below(addresses.count)]
        if random.below(2) == 0 {
          new.forget(address)
        } else {
          new.hear(OSCMessage(address, .int32(Int32(random.below(3)))))
        }
      }
      let difference = tree.difference(from: old, to: new)
      for path in difference.added {
        #expect(tree.contains(path, in: new) && !tree.contains(path, in: old))
      }
      for path in difference.removed {
        #expect(!tree.contains(path, in: new) && tree.contains(path, in: old))
      }
      for path in difference.changed { #expect(tree.contains(path, in: new), "\(path)") }
      if difference.isEmpty {
        for path in ["/player", "/mix", "/kit", "/instrument", "/layer"] {
          #expect(paths(path, old) == paths(path, new))
        }
      }
      old = new
    }
  }

  private func paths(_ path: String, _ view: QueryView) -> Set<String>? {
    (try? QueryRoom.nodes(path, view)).map { Set($0.keys) }
  }

  // MARK: The host

  @Test("the facts of the server, with the address that the asker used")
  func hostInfo() throws {
    let info = QueryHostInfo(name: "Jam \"1\"", address: "192.0.2.7", port: 8_000)
    let object = try JSONSerialization.jsonObject(with: Data(info.json)) as? [String: Any]
    #expect(
      object?["NAME"] as? String == "Jam \"1\"" && object?["OSC_TRANSPORT"] as? String == "UDP")
    #expect(object?["OSC_IP"] as? String == "192.0.2.7" && object?["OSC_PORT"] as? Int == 8_000)
    #expect(object?["WS_IP"] as? String == "192.0.2.7" && object?["WS_PORT"] as? Int == 8_000)
    #expect((object?["EXTENSIONS"] as? [String: Bool])?["LISTEN"] == true)
  }
}
