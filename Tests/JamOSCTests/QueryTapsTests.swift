import JamCore
import JamNet
import JamRoom
import JamWire
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import JamOSC

/// How the room thread reads rooms for OSCQuery, and hands their events over.
@Suite struct QueryTapsTests {
  final class Box: Sendable {
    private let news = Mutex<[QueryNews]>([])
    func add(_ more: [QueryNews]) { news.withLock { $0 += more } }
    func take() -> [QueryNews] {
      news.withLock { news in
        defer { news = [] }
        return news
      }
    }
  }

  private static func turns(_ rig: EdgeRig, _ taps: QueryTaps, _ box: Box) -> [QueryNews] {
    // News are handed over once a millisecond.
    rig.pass(milliseconds: 2)
    for _ in 0..<400 {
      rig.on { if taps.deadline <= rig.time { taps.turn(at: rig.time) } }
    }
    return box.take()
  }

  private static func taps(_ rig: EdgeRig) -> (QueryTaps, Box) {
    let box = Box()
    let taps = QueryTaps(edge: rig.edge) { news in
      box.add(news)
      return true
    }
    return (taps, box)
  }

  private static func values(_ news: [QueryNews]) -> [Setting: SettingValue] {
    var values: [Setting: SettingValue] = [:]
    for case .told(_, let events) in news {
      for case .value(let setting, let value) in events { values[setting] = value }
    }
    return values
  }

  @Test("a view is read in small pieces, and its room's events follow")
  func view() throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    rig.on { taps.find(nil, .host(nil), for: 1) }
    let news = Self.turns(rig, taps, box)
    guard case .begins(_, let asker, let player, _)? = news.first else {
      Issue.record("\(news)")
      return
    }
    #expect(asker == .anybody && player == nil)
    guard case .complete? = news.last else {
      Issue.record("\(String(describing: news.last))")
      return
    }
    for case .told(_, let events) in news { #expect(events.count <= 64) }
    #expect(Self.values(news)[.tempo] != nil)
    // What is a player's own is not in the view of somebody who only looks.
    #expect(Self.values(news)[.gain] == nil)
    // The kits that anybody may choose are in it.
    let listed = news.flatMap { news -> [String] in
      if case .listed(_, let addresses) = news { addresses } else { [] }
    }
    let kits = rig.on { rig.room.assumeIsolated { $0.listedKits } }
    #expect(!kits.isEmpty && kits.allSatisfy { listed.contains("/kit/\($0)") })
    let controller = try Controller(rig)
    controller.send("/tempo", .float(99))
    let told = Self.turns(rig, taps, box)
    #expect(
      told.contains {
        if case .event(_, .value(.tempo, let value), _, _) = $0 { value == .float(99) } else { false }
      })
  }

  @Test("whoever plays without a name over UDP is seen with its guest's eyes")
  func guest() throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    let controller = try Controller(rig)
    controller.send("/gain", .float(-9))
    rig.on { taps.find(nil, .host(.loopback(port: 1)), for: 1) }
    let news = Self.turns(rig, taps, box)
    #expect(Self.values(news)[.gain] == .float(-9))
    // Somebody elsewhere is not that guest.
    rig.on { taps.find(nil, .host(.ipv4(192, 0, 2, 1)), for: 2) }
    #expect(Self.values(Self.turns(rig, taps, box))[.gain] == nil)
  }

  @Test("a room or a player that is not there has no view")
  func nobody() throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    rig.on {
      taps.find(PlayerName("vault"), .host(nil), for: 1)
      if let nobody = PlayerName("nobody") { taps.find(nil, .player(nobody), for: 2) }
    }
    let found = Self.turns(rig, taps, box).compactMap { news -> Int? in
      if case .found(let question, nil) = news { question } else { nil }
    }
    #expect(found == [1, 2])
  }

  @Test("the view of a player who leaves ends")
  func gone() throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    let controller = try Controller(rig)
    _ = try controller.hello("ann")
    rig.on { if let ann = PlayerName("ann") { taps.find(nil, .player(ann), for: 1) } }
    let news = Self.turns(rig, taps, box)
    #expect(news.contains { if case .begins(_, .player, _, _) = $0 { true } else { false } })
    controller.send("/bye")
    #expect(Self.turns(rig, taps, box).contains { if case .gone = $0 { true } else { false } })
  }

  @Test("a connection follows the player that it plays")
  func follows() async throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    let channel = NIOAsyncTestingChannel()
    rig.add(channel)
    let connection = StreamConnection(
      channel: channel, peer: .ipv4(192, 0, 2, 1).with(port: 5_000), framing: .webSocket, at: rig.time)
    rig.on {
      rig.edge.opened(connection)
      taps.follow(connection)
    }
    let before = Self.turns(rig, taps, box)
    #expect(before.contains { if case .placed = $0 { true } else { false } })
    #expect(Self.values(before)[.gain] == nil)
    rig.on { rig.edge.received(OSCMessage("/hello", .string("ann")).encoded(), from: connection, at: rig.time) }
    rig.pass(milliseconds: 200)
    let after = Self.turns(rig, taps, box)
    #expect(after.contains { if case .placed = $0 { true } else { false } })
    #expect(Self.values(after)[.gain] != nil)
  }

  @Test("what happens in a room is one piece of news for all its views")
  func severalViews() throws {
    let rig = try EdgeRig()
    let (taps, box) = Self.taps(rig)
    let controller = try Controller(rig)
    _ = try controller.hello("ann")
    rig.on {
      taps.find(nil, .host(nil), for: 1)
      if let ann = PlayerName("ann") { taps.find(nil, .player(ann), for: 2) }
    }
    _ = Self.turns(rig, taps, box)
    controller.send("/tempo", .float(99))
    controller.send("/gain", .float(-9))
    let told = Self.turns(rig, taps, box)
    let tempo = told.compactMap { news -> [Int]? in
      if case .event(let taps, .value(.tempo, _), _, _) = news { taps } else { nil }
    }
    let gain = told.compactMap { news -> [Int]? in
      if case .event(let taps, .value(.gain, _), _, _) = news { taps } else { nil }
    }
    #expect(tempo == [[1, 2]])
    // What is a player's own goes to its view alone.
    #expect(gain == [[2]])
  }

  @Test("a room tells nothing here any more once nobody uses its views")
  func released() throws {
    let rig = try EdgeRig()
    weak var kept: QueryTaps?
    do {
      let (taps, box) = Self.taps(rig)
      kept = taps
      rig.on {
        taps.find(nil, .host(nil), for: 1)
        taps.find(nil, .host(nil), for: 2)
      }
      _ = Self.turns(rig, taps, box)
      rig.on { taps.close(1) }
    }
    rig.on {}
    #expect(kept == nil)
  }

  @Test("events beyond what may wait are left out, and the view says so")
  func missed() throws {
    let rig = try EdgeRig()
    let taps = QueryTaps(edge: rig.edge) { _ in false }
    rig.on {
      taps.find(nil, .host(nil), for: 1)
      for value in 0..<10_000 {
        taps.room(
          rig.room, tells: .value(.tempo, .float(Float(value))), to: .everybody, cause: .none)
      }
      #expect(taps.waiting < 5_000)
    }
  }
}
