import JamCore
import JamNet
import JamWire
import Testing

/// `/hearing`, and the `/player/light` that answers it.
@Suite struct HearingReportTests {
  @Test("a report makes a light, which its sender and hosts are told") func told() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    let berta = try Controller(rig, host: .ipv4(127, 0, 0, 2))
    let host = try Controller(rig, host: .ipv4(127, 0, 0, 3))
    try anna.hello("anna")
    try berta.hello("berta")
    try host.hello("host")
    host.send("/host", .string("word"))
    rig.pass(milliseconds: 100)
    _ = (anna.received(), berta.received(), host.received())
    anna.send("/hearing", .float(0), .float(0), .float(12), .float(2), .float(40), .float(220), .float(0))
    rig.pass(milliseconds: 50)
    let red: [OSCArgument] = [.string("anna"), .float(0), .string("output"), .string("wire")]
    #expect(anna.received("/player/light") == [red])
    #expect(host.received("/player/light") == [red])
    #expect(berta.received("/player/light").isEmpty)
    anna.send("/hearing")
    rig.pass(milliseconds: 50)
    #expect(anna.received("/player/light") == [[.string("anna"), .float(-1), .string(""), .string("")]])
  }

  @Test("a report that cannot be is refused, and changes nothing") func refused() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    rig.pass(milliseconds: 100)
    _ = anna.received()
    anna.send("/hearing", .float(2))
    anna.send("/hearing", .float(0), .float(0), .float(.nan))
    anna.send("/hearing", .float(0), .float(0), .float(-1))
    rig.pass(milliseconds: 50)
    let told = anna.received()
    #expect(told.filter { $0.address == "/error" }.count == 3)
    #expect(!told.contains { $0.address == "/player/light" })
  }

  @Test("a report of somebody who is in no room makes nobody a player") func nobody() throws {
    let rig = try EdgeRig()
    let watcher = try Controller(rig)
    watcher.send("/hearing", .float(1))
    rig.pass(milliseconds: 50)
    #expect(rig.room.snapshots.now.people.isEmpty)
    #expect(watcher.received("/player/light").isEmpty)
  }

  @Test("/sync asks for a light that is off, too: nobody has told how it hears") func offLight() throws {
    let rig = try EdgeRig()
    let anna = try Controller(rig)
    try anna.hello("anna")
    rig.pass(milliseconds: 500)
    _ = anna.received()
    anna.send("/sync", .string("/player/light"))
    let light = OSCMessage("/player/light", .string("anna"), .float(-1), .string(""), .string(""))
    #expect(anna.received() == [light])
  }
}
