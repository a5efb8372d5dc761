import JamCore
import JamNet
import JamWire
import Synchronization
import Testing

@testable import JamOSC

@Suite struct UnknownAddressTests {
  @Test("a datagram full of unknown addresses costs few searches for near ones, and 20 errors at most")
  func manyAtOnce() throws {
    let desk = try Desk()
    let controller = try Controller(desk)
    let messages = (0..<190).map { OSCMessage("/padd/\($0 % 16 + 1)/gian/\($0)") }
    controller.send(OSCPacket.encode(messages))
    #expect(desk.searches == UInt64(NearNames.searchesAtOnce))
    #expect(controller.received("/error").count == 20)
    #expect(desk.counters.refused.load(ordering: .relaxed) == 190)
  }

  @Test("a thousand senders of unknown addresses cost ten searches a second together") func manySenders() throws {
    let desk = try Desk()
    for second in 0..<3 {
      for i in 0..<1_000 {
        let message = OSCMessage("/sensor\(i)/x\(second)").encoded()
        desk.take(message, from: .ipv4(127, 0, 1, UInt8(i % 200), port: UInt16(1_000 + i)))
      }
      desk.pass(milliseconds: 1_000)
    }
    #expect(desk.searches <= 40)
  }

  @Test("the same unknown address again is dropped before it is read, and told twice a second") func sameKind() throws {
    let desk = try Desk()
    let phone = try Controller(desk)
    for _ in 0..<60 {
      phone.send("/accxyz", .float(0.5), .float(0.25), .float(1))
      desk.pass(milliseconds: 16)
    }
    #expect(phone.received("/error").count == 2)
    #expect(desk.counters.refused.load(ordering: .relaxed) == 60)
    #expect(desk.counters.messages.load(ordering: .relaxed) == 2)
    #expect(desk.searches == 1)
    // What there is goes on as ever.
    phone.send("/pad/1", .float(1))
    #expect(desk.hits().map(\.pad) == [1])
  }

  @Test("the address that was meant is named") func near() throws {
    let desk = try Desk()
    let controller = try Controller(desk)
    controller.send("/temppo", .float(100))
    let text = try #require(controller.received("/error").first?[1].text)
    #expect(text == "there is no such address: did you mean /tempo? (/temppo)")
  }
}

extension Desk {
  /// Searches for near addresses so far.
  var searches: UInt64 { on { [edge] in edge.nearNames.searches } }
}
