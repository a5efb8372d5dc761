import JamCore
import Testing

@testable import JamWire

@Suite("Why something was refused, in words and codes") struct RefusalTests {
  private let anna = PlayerName("anna")!
  private let main = PlayerName("main")!

  @Test("the words are one line that a message can carry") func oneLine() {
    for (code, text) in ErrorExamples.all {
      #expect(!text.isEmpty && text.utf8.count <= 300, "\(code)")
      #expect(!text.contains(where: \.isNewline) && !text.hasSuffix("."), "\(text)")
    }
  }

  @Test("a long text of the asker's is cut short") func longTexts() {
    let long = String(repeating: "ü", count: 1_000)
    let refusals: [Refusal] = [
      .noSuchKit(long), .noSuchKit(long, known: ["one"]), .noSuchSound(long, isPreview: true),
      .noSuchSound(long, isPreview: false), .notBroughtAlong(long), .soundNotListed(long), .noSuchBlock(long),
      .noSuchBlockOf(anna, long), .noSuchCategory(long, known: []),
    ]
    for refusal in refusals { #expect(refusal.words.count <= 200, "\(refusal.code)") }
  }

  @Test("what is wrong, and what to do") func words() {
    let words: [(Refusal, String)] = [
      (.padEmpty(Pad(3)!), "pad 3 is empty: choose a sound for it by /pad/3/sample"),
      (.locked(.loops), "a host has locked loops: only hosts may change it until /lock none"),
      (
        .hostOnly(.lock(.tempo)),
        "only a host may lock tempo: send /host with the word that the server printed at its start"
      ),
      (
        .hostOnly(.lock(.none)), "only a host may unlock: send /host with the word that the server printed at its start"
      ),
      (
        .madeListener(anna), "a host made you a listener, who hears and reads: ask one for /player/anna/role player"
      ),
      (.noSuchLayer(3, layers: []), "there is no layer 3: your loop is empty"),
      (.noSuchLayer(3, layers: [1, 2]), "there is no layer 3: there are 1, 2"),
      (.noSuchLayer(30, layers: Array(1...9)), "there is no layer 30: there are 1 to 9, 9 in all"),
      (.noSuchKit("tow"), "there is no kit “tow”: see /kits"),
      (
        .noSuchKit("tow", near: "two", known: ["one", "two"]),
        "there is no kit “tow”: did you mean two? This server has one, two"
      ),
      (
        .noSuchKit("piano", known: ["one", "two"], hasMore: true),
        "there is no kit “piano”: this server has one, two, …"
      ),
      (
        .stepPastEnd(Pad(1)!, step: 17, count: 16),
        "step 17 is past the end: pad 1 has 16 steps; /steps/1 17 makes them more"
      ),
      (
        .heardTooLongAgo(100_000, by: Frames(96_001), most: .seconds(2)),
        "/heard 100000 is 2001 ms ago: 2000 ms is the limit; listen by RTP"
      ),
      (
        .allBlocksFull(most: 6, owners: [.init(name: "bob", count: 3), .init(name: "cleo", count: 1)]),
        "the room keeps 6 blocks at most, bob 3, cleo 1: /block/delete with a name and an owner makes room"
      ),
      (.alreadyRecording(nil), "you record already: /sample/stop ends it"),
      (.alreadyRecording(anna), "anna records already: /sample/stop ends it"),
    ]
    for (refusal, text) in words { #expect(refusal.words == text) }
  }

  @Test("a kick tells how long it lasts yet, in seconds or minutes", arguments: [(60, "60 s"), (121, "3 min")])
  func keptOut(seconds: Int, time: String) {
    let words = Refusal.keptOut(name: anna, room: main, seconds: seconds).words
    #expect(
      words == "a host put anna out of room main, and this name, token or address with it, for another \(time): "
        + "wait, or ask a host for /player/anna/admit")
  }

  @Test("whoever hears no cue is told the address that carries it") func cue() {
    let player = PlayerName("Änn&Co")!
    let address = "/listen.opus?player=%C3%84nn%26Co&token=TOKEN (or /listen.sdp) with the token from your /welcome"
    #expect(Refusal.cueUnheard(room: main, player: player).words == "nobody hears your cue: open \(address)")
    let attic = Refusal.clickUnheard(room: PlayerName("attic")!, player: player).words
    #expect(attic.contains("open /rooms/attic\(address); or any stream with click=1"))
    #expect(Refusal.cueUnheard(room: main, player: nil).words.contains("say /hello with your name"))
  }

  @Test("an /error has the address, the words and the code") func message() {
    let message = SessionReply(.roomFull(main, most: 64), address: "/hello").message
    #expect(
      message
        == OSCMessage(
          "/error", .string("/hello"), .string("room main is full: it holds 64 players"), .string("room-full")))
    let wire = SessionReply(WireError.badName(argument: "room", name: "…", address: "/hello")).message
    #expect(wire.arguments.last == .string("bad-room-name"))
  }
}
