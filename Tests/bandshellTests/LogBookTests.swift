import Glibc
import JamCore
import JamRealtime
import TestSupport
import Testing

@testable import JamServer

@Suite("The log")
struct LogBookTests {
  private func moment(_ seconds: Double) -> HostTime {
    HostTime(nanoseconds: 0).advanced(byMilliseconds: seconds * 1_000)
  }

  @Test("limits what strangers can bring about as often as they like, and counts what it left out")
  func limit() {
    var book = LogBook(level: .info)
    var lines = 0
    // A thousand a second for a hundred seconds.
    for i in 0..<100_000 {
      let now = moment(Double(i) / 1_000)
      _ = book.offer(LogEvent(.guessWrong, ["address": "192.0.2.7"]), at: now, time: 0)
      if i % 1_000 == 0 { lines += book.take(at: now, time: 0).count }
    }
    #expect(lines < Int(LogBook.burst + 100 * LogBook.perSecond) + 12)
    #expect(lines >= Int(LogBook.burst + 100 * LogBook.perSecond) - 1)
    let rest = book.take(at: moment(100), time: 0, isLast: true)
    let told = rest.filter { $0.event.kind == .logSuppressed }
    #expect(told.count == 1)
    #expect(told.first?.event.fields.first?.value == "guess.wrong")
    #expect(!book.hasSuppressed)
  }

  @Test("a flood of one kind keeps no other out")
  func others() {
    var book = LogBook(level: .info)
    for _ in 0..<10_000 { _ = book.offer(LogEvent(.guessWrong), at: moment(0), time: 0) }
    _ = book.offer(LogEvent(.hostGranted), at: moment(0), time: 0)
    let entries = book.take(at: moment(0), time: 0)
    #expect(entries.contains { $0.event.kind == .hostGranted })
  }

  @Test("drops and counts beyond what may wait, and holds what its level names")
  func bounds() {
    var book = LogBook(level: .warning)
    let isWoken = book.offer(LogEvent(.serverStarted), at: moment(0), time: 0)
    #expect(!isWoken)
    for _ in 0..<5_000 { _ = book.offer(LogEvent(.serverWarning), at: moment(0), time: 0) }
    let entries = book.take(at: moment(0), time: 0)
    #expect(entries.count == LogBook.mostWaiting + 1)
    #expect(entries.last?.event.kind == .logDropped)
    #expect(entries.last?.event.fields.first?.value == .integer(Int64(5_000 - LogBook.mostWaiting)))
  }

  @Test("a pipe that nobody reads holds neither a writer nor the end of the server")
  func blockedPipe() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let log = LogWriter(format: .text, level: .debug, descriptor: ends[1])
    log.start()
    let begin = HostTime.now
    let reason = LogValue(String(repeating: "x", count: 900))
    // More than a pipe holds, many times over.
    for _ in 0..<5_000 { log.write(.serverWarning, ["reason": reason]) }
    log.close()
    // Both bounds are far off: whoever waits for the pipe waits for ever.
    #expect(HostTime.now.milliseconds(since: begin) < 60_000)
    // The thread is let go of its write, so that the test leaves nothing behind.
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let isOver = comesTrue {
      _ = read(ends[0], &bytes, bytes.count)
      return log.isOver
    }
    #expect(isOver)
    log.close()
  }

  @Test("what was written before the end is all there, in its order")
  func order() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let log = LogWriter(format: .text, level: .info, descriptor: ends[1])
    log.start()
    for i in 0..<500 { log.write(.serverWarning, ["count": LogValue(i)]) }
    log.close()
    close(ends[1])
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(ends[0], &bytes, bytes.count)
      guard count > 0 else { break }
      text += bytes[..<count]
    }
    close(ends[0])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 500)
    #expect(lines.enumerated().allSatisfy { $1.hasSuffix("server.warning count=\($0)") })
  }
}
