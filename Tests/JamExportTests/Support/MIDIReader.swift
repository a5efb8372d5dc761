internal import Testing

/// Reads a Standard MIDI File without a line of the writer's code.
struct MIDIReader {
  struct Event: Equatable {
    var tick: Int
    /// The status byte, or the type of a meta event behind 0xff00.
    var kind: Int
    var data: [UInt8]
  }

  var division = 0
  var tracks: [[Event]] = []

  init?(_ bytes: [UInt8]) {
    guard bytes.count > 14, Array(bytes[0..<4]) == Array("MThd".utf8), bytes[9] == 1 else { return nil }
    division = Int(bytes[12]) << 8 | Int(bytes[13])
    var place = 14
    while place + 8 <= bytes.count {
      guard Array(bytes[place..<place + 4]) == Array("MTrk".utf8) else { return nil }
      let length = bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) }
      guard let track = MIDIReader.events(Array(bytes[place + 8..<place + 8 + length])) else { return nil }
      tracks.append(track)
      place += 8 + length
    }
    guard place == bytes.count, tracks.count == Int(bytes[10]) << 8 | Int(bytes[11]) else { return nil }
  }

  private static func events(_ bytes: [UInt8]) -> [Event]? {
    var place = 0
    func quantity() -> Int {
      var value = 0
      var length = 0
      repeat {
        value = value << 7 | Int(bytes[place] & 0x7f)
        place += 1
        length += 1
      } while bytes[place - 1] & 0x80 != 0
      if length > 4 { Issue.record("a quantity of \(length) bytes") }
      return value
    }
    var tick = 0
    var events: [Event] = []
    while place < bytes.count {
      tick += quantity()
      let status = bytes[place]
      place += 1
      var kind = Int(status)
      // A program and the pressure of a channel have one byte of data.
      var length = status & 0xe0 == 0xc0 ? 1 : 2
      if status == 0xff {
        kind = 0xff00 | Int(bytes[place])
        place += 1
        length = quantity()
      }
      guard status >= 0x80, place + length <= bytes.count else { return nil }
      events.append(Event(tick: tick, kind: kind, data: Array(bytes[place..<place + length])))
      place += length
    }
    return events.last?.kind == 0xff2f ? events : nil
  }

  func texts(_ kind: Int, track: Int) -> [String] {
    tracks[track].filter { $0.kind == 0xff00 | kind }.map { String(decoding: $0.data, as: UTF8.self) }
  }

  /// Seconds of every tick asked for, in ascending order, by the tempos of the first track alone.
  func seconds(at ticks: [Int]) -> [Double] {
    let tempos = tracks[0].filter { $0.kind == 0xff51 }
    var seconds: [Double] = []
    var at = (tick: 0, seconds: 0.0, tempo: 500_000)
    var next = 0
    for tick in ticks {
      while next < tempos.count, tempos[next].tick <= tick {
        at.seconds += Double(tempos[next].tick - at.tick) * Double(at.tempo) / Double(division) / 1e6
        at.tick = tempos[next].tick
        at.tempo = tempos[next].data.reduce(0) { $0 << 8 | Int($1) }
        next += 1
      }
      seconds.append(at.seconds + Double(tick - at.tick) * Double(at.tempo) / Double(division) / 1e6)
    }
    return seconds
  }

  func notes(track: Int) -> [(tick: Int, end: Int, key: UInt8, velocity: UInt8, channel: UInt8)] {
    var open: [Int: (Int, UInt8)] = [:]
    var notes: [(tick: Int, end: Int, key: UInt8, velocity: UInt8, channel: UInt8)] = []
    for event in tracks[track] where event.kind < 0x100 {
      let voice = (event.kind & 15) << 8 | Int(event.data[0])
      if event.kind & 0xf0 == 0x90 {
        if open[voice] != nil { Issue.record("a key sounds twice") }
        open[voice] = (event.tick, event.data[1])
      } else if let (tick, velocity) = open.removeValue(forKey: voice) {
        notes.append((tick, event.tick, event.data[0], velocity, UInt8(event.kind & 15)))
      }
    }
    if !open.isEmpty { Issue.record("a note without end") }
    return notes.sorted { ($0.tick, $0.channel, $0.key) < ($1.tick, $1.channel, $1.key) }
  }
}
