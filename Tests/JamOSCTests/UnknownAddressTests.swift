import JamCore
import JamNet
import JamWire
import Synchronization
import Testing

@testable import JamOSC

@Suite struct UnknownAddressTests {
  @Test("a datagram full of unknown addresses costs few searches for near ones, and 20 errors at most")
  func manyAtOnce() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    let messages = (0..<190).map { OSCMessage("/padd/\($0 % 16 + 1)/gian/\($0)") }
    controller.send(OSCPacket.encode(messages))
    #expect(rig.searches == UInt64(NearNames.searchesAtOnce))
    #expect(controller.received("/error").count == 20)
    #expect(rig.counters.refused.load(ordering: .relaxed) == 190)
  }

  @Test("a thousand senders of unknown addresses cost ten searches a second together") func manySenders() throws {
    let rig = try EdgeRig()
    for second in 0..<3 {
      for i in 0..<1_000 {
        let message = OSCMessage("/sensor\(i)/x\(second)").encoded()
        rig.take(message, from: .ipv4(127, 0, 1, UInt8(i % 200), port: UInt16(1_000 + i)))
      }
      rig.pass(milliseconds: 1_000)
    }
    #expect(rig.searches <= 40)
  }

  @Test("the same unknown address again is dropped before it is read, and told twice a second") func sameKind() throws {
    let rig = try EdgeRig()
    let phone = try Controller(rig)
    for _ in 0..<60 {
      phone.send("/accxyz", .float(0.5), .float(0.25), .float(1))
      rig.pass(milliseconds: 16)
    }
    #expect(phone.received("/error").count == 2)
    #expect(rig.counters.refused.load(ordering: .relaxed) == 60)
    #expect(rig.counters.messages.load(ordering: .relaxed) == 2)
    #expect(rig.searches == 1)
    // What there is goes on as ever.
    phone.send("/pad/1", .float(1))
    #expect(rig.hits().map(\.pad) == [1])
  }

  @Test("the address that was meant is named") func near() throws {
    let rig = try EdgeRig()
    let controller = try Controller(rig)
    controller.send("/temppo", .float(100))
    let text = try #require(controller.received("/error").first?[1].text)
    #expect(text == "there is no such address: did you mean /tempo? (/temppo)")
  }
}

extension EdgeRig {
  /// Searches for near addresses so far.
  var searches: UInt64 { on { [edge] in edge.nearNames.searches } }
}
