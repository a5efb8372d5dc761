import Foundation
import JamCore
import JamKit
import JamRoom
@testable import JamServer
import JamWire
import Testing

@testable import bandshell

/// Scripts that are rendered as a live room would play them.
@Suite struct LiveRenderTests {
  private static let kits = KitStore(
    catalogue: KitCatalogue(
      scanning: [
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
          .path
          + "/Kits"
      ]))

  private func play(_ text: String) throws -> (playback: LivePlayback, samples: [Float]) {
    let script = try LiveScript(text: text, path: "test")
    let room = OfflineRoom(
      name: script.room, kits: Self.kits, firstKit: try Self.kits.load("starter"), tempo: script.tempo, isLive: true)
    var playback = LivePlayback(script, in: room)
    var samples: [Float] = []
    playback.play { samples += $0 }
    return (playback, samples)
  }

  private func hits(_ playback: LivePlayback) -> [Frames] {
    playback.room.log.compactMap { entry in
      switch entry.action {
      case .command(.hit), .command(.loopHit): entry.frame
      default: nil
      }
    }
  }

  @Test("steps go round from the next bar line on, and the end is where the script says")
  func steps() throws {
    let (playback, samples) = try play(
      """
      0    /tempo 120
      0.1  /player/ann/step/1/1 0.8   # the first sixteenth
           /player/ann/step/1/9 0.8
      3:1  end
      """)
    #expect(playback.refusals == [])
    #expect(playback.players.map(\.text) == ["ann"])
    // Two bars of two seconds.
    #expect(samples.count == 2 * 4 * 48_000)
    // What is sent ahead of the end lies behind it.
    let frames = hits(playback).map { $0.count }.filter { $0 < 4 * 48_000 }
    #expect(frames == [48_000, 96_000, 144_000])
    #expect(samples[2 * 48_000..<2 * 50_000].contains { abs($0) > 0.05 })
    #expect(!playback.isCut)
  }

  @Test(
    "instruments are about as loud as each other: basses and leads note by note, all others in triads of two seconds",
    arguments: Self.kits.instruments.all.map(\.id))
  func instrumentLevels(id: String) throws {
    let chords: [[Int]] =
      switch id {
      case "sub-bass", "acid-bass", "reese": [[36], [43], [41], [36]]
      case "lead": [[69], [72], [76], [67]]
      default: [[60, 64, 67], [57, 60, 64], [53, 57, 60], [55, 59, 62]]
      }
    let lines = chords.enumerated().flatMap { index, keys in
      keys.flatMap { ["\(Double(index * 2)) /key \($0) 0.8", "\(Double(index * 2) + 1.9) /key \($0) 0"] }
    }.sorted { Double($0.prefix(3))! < Double($1.prefix(3))! }
    let script = ["0 /tempo 120", "0 /master/leveller 0", "0 /send/reverb 0", "0 /send/delay 0", "0 /instrument \(id)"]
    let (playback, samples) = try play((script + lines + ["8 end"]).joined(separator: "\n"))
    #expect(playback.refusals == [])
    let loudest = try #require(MixLoudness.momentaryMaximum(samples))
    // What swells slowly is not at its loudest yet.
    #expect((-20.5 ... -14).contains(loudest), "\(loudest) LUFS")
  }

  @Test("who leaves and comes back is one player, with the pads of the one who came back")
  func comingBack() throws {
    let (playback, _) = try play(
      """
      0 /tempo 120
      0 /player/ann/pad/1 0.8
      1 /player/ann/bye
      2 /player/ann/kit house
      2 /player/ann/pad/1 0.8
      3 end
      """)
    #expect(playback.refusals == [])
    #expect(playback.players.map(\.text) == ["ann"])
    let pads = try #require(playback.pads[PlayerName("ann")!])
    #expect(pads == (try Self.kits.load("house").kit.pads))
  }

  @Test("bars are those of the clock, through a build-up and another signature")
  func bars() throws {
    let (playback, _) = try play(
      """
      0    /tempo 120
      0    /signature 3 4
      0    /buildup/hold 1
      3:1  /player/ann/buildup 240 2 linear
      7:1  /player/ann/pad/1 1.0
      7:2.5 /player/bob/pad/1 0.5
      8:1  end
      """)
    #expect(playback.refusals == [])
    let view = playback.room.state.map.view
    let played = playback.room.log.filter { entry in
      if case .command(.hit(Pad(1)!, _, _)) = entry.action { entry.frame >= .seconds(6.5) } else { false }
    }
    #expect(played.map(\.player.text) == ["ann", "bob"])
    let frames = played.map { view.position(at: view.beat(at: $0.frame + Frames(2))) }
    #expect(frames.map(\.bar) == [7, 7] && frames.map(\.beat) == [1, 2])
    #expect(frames.last.map { abs($0.phase - 0.5) < 0.001 } == true)
    #expect(view.tempo(at: view.beat(at: playback.end)).beatsPerMinute == 240)
  }

  @Test("the same script is the same sound, and a recorded loop goes round until four bars behind the last line")
  func loops() throws {
    let text = """
      0     /tempo 120
      0     /player/ann/loop/bars 1
      0.5   /player/ann/loop/record
      2:1   /player/ann/pad/1 1.0
      2:3   /player/ann/pad/5 0.7
      """
    let (first, second) = (try play(text), try play(text))
    #expect(first.samples == second.samples)
    #expect(first.playback.isCut)
    // Recorded in bar 2, heard again in bars 3 to 6 or so.
    #expect(hits(first.playback).count >= 2 + 2 * 3)
    #expect(first.playback.refusals == [])
  }

  @Test("what rings out is rendered to its end, and what is refused is told with its moment")
  func ends() throws {
    let (playback, samples) = try play("1 /pad/1 1.0\n1 /kit nowhere\n")
    #expect(samples.count > 2 * 50_000 && samples.count < 2 * 48_000 * 20)
    #expect(playback.refusals.count == 1)
    #expect(playback.refusals[0].contains("/kit") && playback.refusals[0].contains("nowhere"))
    let (stopped, _) = try play("0 /stop\n0.5 /pad/1 1.0\n2:1 /pad/1 1.0\n")
    #expect(stopped.refusals.count == 1)
    #expect(stopped.refusals[0].contains("never comes"))
  }

  @Test(
    "a line that cannot be is refused with its number",
    arguments: [
      ("0 /pad/1 1\nx /pad/2 1", "test:2: “x” is no time"), ("2 /pad/1 1\n1 /pad/1 1", "test:2: 1 s lies before"),
      ("0 pad/1", "test:1: “pad/1” is no address"), ("0 \"a", "test:1: a quotation mark"),
      ("0 /nothing", "test:1: /nothing"),
      ("0", "test:1: an address is missing"), ("1:1 end\n2 /pad/1 1", "test:2: nothing stands behind the end"),
      ("0 /pad/17 1", "test:1: /pad/17"), ("90000 /pad/1 1", "24 h is the limit"),
      ("# nothing\n\n", "there is nothing"),
      ("0:1 /pad/1 1", "“0:1” is no time"), ("1:nan /pad/1 1", "“1:nan” is no time"),
      ("inf /pad/1", "“inf” is no time"),
    ])
  func refusals(text: String, reason: String) {
    do {
      _ = try LiveScript(text: text, path: "test")
      Issue.record("\(text) was taken")
    } catch {
      #expect(error.text.contains(reason), "\(error.text)")
    }
  }

  @Test("lines end as any system ends them, and a mark of the encoding is none of the script")
  func lineEnds() throws {
    let text = "0 /tempo 100\n# nothing\n1 /pad/1 1.0\n\t/pad/2 0.5"
    for form in [text, text.replacing("\n", with: "\r\n"), "\u{feff}" + text, text + "\n"] {
      let script = try LiveScript(text: form, path: "test")
      #expect(script.lines.map(\.address) == ["/pad/1", "/pad/2"])
      #expect(script.lines.map(\.time) == [.seconds(.seconds(1)), .seconds(.seconds(1))])
    }
  }

  @Test("words are numbers, words, and texts between quotation marks")
  func words() throws {
    let words = try LiveWord.words(of: "+0.5 /block/save \"my # beat\" 1 2.5 dub true # a comment")
    #expect(
      words.map(\.argument) == [
        .float(0.5), .string("/block/save"), .string("my # beat"), .int32(1), .float(2.5), .string("dub"), .true,
      ])
  }
}
