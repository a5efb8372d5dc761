import JamCore
import JamNet
import JamRealtime
import JamWire
import Synchronization
import Testing

@testable import JamOSC

/// Refused messages in the log.
@Suite struct RefusalLogTests {
  private let ann = SocketAddress.ipv4(192, 0, 2, 7)

  private func moment(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000)
  }

  /// Address, message, code and count of each line.
  private func lines(_ notes: Notes) -> [[LogValue]] {
    notes.events.withLock { events in
      defer { events = [] }
      return events.filter { $0.kind == .messageRefused }.map { $0.fields.map(\.value) }
    }
  }

  @Test("the same sender, message and code are one line in ten seconds, with the number of those left out")
  func thinned() {
    let notes = Notes()
    var log = RefusalLog(notes)
    for i in 0..<100 { log.note("/tempo", "out-of-range", from: ann, at: moment(Double(i) / 20)) }
    log.note("/tempo", "bad-type", from: ann, at: moment(1))
    log.note("/tempo", "out-of-range", from: .ipv4(192, 0, 2, 8), at: moment(1))
    #expect(
      lines(notes) == [
        ["192.0.2.7", "/tempo", "out-of-range", 1], ["192.0.2.7", "/tempo", "bad-type", 1],
        ["192.0.2.8", "/tempo", "out-of-range", 1],
      ])
    log.look(at: moment(9))
    #expect(lines(notes).isEmpty)
    log.look(at: moment(10.1))
    #expect(lines(notes) == [["192.0.2.7", "/tempo", "out-of-range", 99]])
    log.look(at: moment(21))
    log.note("/tempo", "out-of-range", from: ann, at: moment(22))
    #expect(lines(notes) == [["192.0.2.7", "/tempo", "out-of-range", 1]])
  }

  @Test("a flood of ever other messages and senders costs a bounded memory, and is counted") func bounded() {
    let notes = Notes()
    var log = RefusalLog(notes)
    for i in 0..<100_000 {
      let host = SocketAddress.ipv4(10, UInt8(i >> 16 & 255), UInt8(i >> 8 & 255), UInt8(i & 255))
      log.note("/x\(i)", "unknown-address", from: host, at: moment(1))
    }
    let first = lines(notes)
    #expect(first.count <= RefusalLog.mostKinds * 2 + 1)
    log.look(at: moment(12))
    let sum = (first + lines(notes)).reduce(Int64(0)) { sum, line in
      if case .integer(let count) = line[3] { sum + count } else { sum }
    }
    #expect(sum == 100_000)
  }

  @Test("an address that holds a word is cut in front of it, and a long one ends")
  func secrets() {
    #expect(RefusalLog.shown("/tempoo") == "/tempoo")
    #expect(RefusalLog.shown("/host") == "/host")
    #expect(RefusalLog.shown("/host/magicword") == "/host/…")
    #expect(RefusalLog.shown("/room/main/Password/open/sesame") == "/room/main/Password/…")
    #expect(RefusalLog.shown("/" + String(repeating: "x", count: 70_000)).count == MessageVeil.mostAddressBytes)
    // One character may have thousands of marks.
    let marks = "/x" + String(repeating: "\u{301}", count: 30_000)
    #expect(RefusalLog.shown(marks).utf8.count < MessageVeil.mostAddressBytes + 3)
    #expect(RefusalLog.shown("") == "")
  }

  @Test("over UDP and TCP, what is refused is in the log, as far as the log takes it") func edge() async throws {
    let notes = Notes()
    let rig = try EdgeRig(log: notes)
    let anna = try Controller(rig)
    anna.send("/tempo", .float(1_000))
    anna.send("/pad/99", .float(1))
    anna.send([1, 2, 3])
    let told = lines(notes)
    #expect(told.count == 3 && told.map { $0[1] }.prefix(2) == ["/tempo", "/pad/99"])
    #expect(told.map { $0[2] }.prefix(2) == ["out-of-range", "pad-out-of-range"])
    #expect(told.allSatisfy { $0[0] == "127.0.0.1" && $0[3] == 1 })
    // More errors than a sender is told of: they are counted, too.
    for i in 0..<200 { anna.send("/tempo", .float(Float(2_000 + i))) }
    rig.pass(milliseconds: 11_000)
    let rest = lines(notes)
    #expect(rest.contains { $0[2] == .text(RefusalLog.unanswered) })
    let sum = rest.reduce(Int64(0)) { sum, line in if case .integer(let count) = line[3] { sum + count } else { sum } }
    #expect(sum == 200, "\(rest)")
  }

  @Test("a log that does not take them costs nothing") func off() {
    var log = RefusalLog(NoLog())
    #expect(!log.isOn)
    log.note("/tempo", "out-of-range", from: ann, at: moment(0))
    log.look(at: moment(20))
  }
}
