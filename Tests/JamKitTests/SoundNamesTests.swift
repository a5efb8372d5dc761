import KitTestSupport
import Testing

@testable import JamKit

@Suite("Names of sounds") struct SoundNamesTests {
  private let folder: TemporaryFolder
  private let sounds: SoundFolder

  init() throws {
    folder = try TemporaryFolder()
    sounds = SoundFolder(folder.path)
  }

  private func kept(_ digit: Character, _ name: String, room: String = "main", isThere: Bool = true) throws -> KeptSound
  {
    let hash = ContentHash(String(repeating: digit, count: 64))!
    if isThere { try folder.write([1], to: "\(hash).flac") }
    return KeptSound(hash, name: name, category: .fx, room: room)
  }

  @Test("names are there again after a restart, in their order, each in its room")
  func restart() throws {
    let bark = try kept("a", #"the "big" \\ bark"#)
    let names = SoundNames(of: sounds)
    #expect(names.sounds(of: "main") == [] && names.problems == [])
    let all = [bark, try kept("b", "growl"), try kept("a", "wuff ✱ ü"), try kept("c", "secret", room: "other")]
    for sound in all { try names.add(sound) }
    for names in [names, SoundNames(of: sounds)] {
      #expect(names.sounds(of: "main") == Array(all[..<3]))
      #expect(names.sounds(of: "other") == [all[3]])
      #expect(names.problems == [])
    }
    // The same again is the latest.
    try names.add(bark)
    #expect(SoundNames(of: sounds).sounds(of: "main") == [all[1], all[2], bark])
  }

  @Test("a sound that is not in the folder any more is not listed")
  func deleted() throws {
    try SoundNames(of: sounds).add(try kept("a", "gone", isThere: false))
    #expect(SoundNames(of: sounds).sounds(of: "main") == [])
  }

  @Test(
    "a damaged file is told and set aside, not written over", arguments: ["{ \"format\": 1, \"sounds\": [", "[]", ""])
  func damaged(text: String) throws {
    try folder.write(text, to: "names.json")
    let names = SoundNames(of: sounds)
    #expect(names.sounds(of: "main") == [])
    #expect(names.problems.count == 1 && "\(names.problems)".contains("found by their ids alone"))
    let bark = try kept("a", "bark")
    try names.add(bark)
    #expect(SoundNames(of: sounds).sounds(of: "main") == [bark])
    #expect(try Files.read(folder.path + "/names.json.damaged", limit: 100) == Array(text.utf8))
  }

  @Test("an entry that is wrong is told, and the others hold")
  func wrongEntries() throws {
    let bark = try kept("a", "bark")
    try SoundNames(of: sounds).add(bark)
    let text = String(decoding: try Files.read(folder.path + "/names.json", limit: 1_000), as: UTF8.self)
    try folder.write(
      text.replacing(
        "[\n", with: "[\n 7, { \"sound\": \"abc\", \"name\": \"x\", \"room\": \"main\" }, { \"name\": 3 },\n"),
      to: "names.json")
    let names = SoundNames(of: sounds)
    #expect(names.sounds(of: "main") == [bark])
    #expect(
      names.problems.map(\.field) == [
        "sounds[0]", "sounds[1], sound", "sounds[2], sound", "sounds[2], name", "sounds[2], room",
      ])
  }

  @Test("of one content the oldest name is forgotten, so that names cannot fill the memory")
  func mostNames() throws {
    let names = SoundNames(of: sounds)
    try names.add(try kept("b", "other"))
    for number in 1...SoundNames.mostNames + 2 { try names.add(try kept("a", "\(number)")) }
    #expect(names.sounds(of: "main").map(\.name) == ["other"] + (3...SoundNames.mostNames + 2).map { "\($0)" })
  }

  @Test("a full disk is told, and the name holds until the server ends")
  func fullDisk() throws {
    let names = SoundNames(of: SoundFolder("/proc/self/sounds"))
    let bark = try kept("a", "bark")
    let error = #expect(throws: KitError.self) { try names.add(bark) }
    #expect("\(error!)".contains("cannot be written"))
    #expect(names.sounds(of: "main") == [bark])
  }

  @Test("names are no sounds: the folder takes as many of those as before")
  func counting() throws {
    for number in 0..<4_095 { try folder.write([], to: "\(number).flac") }
    try folder.write("{}", to: "names.json")
    let tone = Sound(
      interleaved: (0..<4_800).map { Float(PortableMath.sine(turns: Double($0) / 100)) / 2 }, channels: 1, rate: 48_000)
    let made = try FinishedSound(file: try tone.flac(named: "test"), named: "tone")
    try sounds.keep(made)
    #expect(Files.exists(sounds.path + "/\(made.memory.hash).flac"))
  }

  @Test("a name that was taken back is in no list, also after a restart, and its file stays named")
  func takenBack() throws {
    let names = SoundNames(of: sounds)
    let (bark, growl) = (try kept("a", "bark"), try kept("b", "growl"))
    for sound in [bark, growl] { try names.add(sound) }
    #expect(try names.setTaken(bark.hash, name: "bark", room: "main", true) == [])
    for names in [names, SoundNames(of: sounds)] {
      #expect(names.all == [growl] && names.sounds(of: "main") == [growl] && names.takenCount == 1)
      #expect(names.problems == [])
    }
    // The same sound by another name takes a place.
    try names.add(try kept("a", "woof"))
    #expect(names.takenCount == 0)
    #expect(try names.remove(bark.hash, name: "woof", room: "main"), "the name that was taken back keeps the file")
    let again = SoundNames(of: sounds)
    #expect(try again.setTaken(bark.hash, name: "bark", room: "main", false) == [])
    #expect(SoundNames(of: sounds).all == [growl, bark] && again.takenCount == 0)
    #expect(try again.setTaken(bark.hash, name: "nothing", room: "main", true) == [])
  }

  @Test("of too many names that were taken back the oldest is forgotten")
  func mostTaken() throws {
    let names = SoundNames(of: sounds)
    let all = try (0...SoundNames.mostTaken).map { number in
      let digits = String(number, radix: 16)
      let hash = ContentHash(String(repeating: "0", count: 64 - digits.count) + digits)!
      try folder.write([1], to: "\(hash).flac")
      return KeptSound(hash, name: "n\(number)", category: .fx, room: "main")
    }
    var forgotten: [ContentHash] = []
    for sound in all {
      try names.add(sound)
      forgotten += try names.setTaken(sound.hash, name: sound.name, room: sound.room, true)
    }
    #expect(forgotten == [all[0].hash] && names.takenCount == SoundNames.mostTaken)
  }
}
