import ArgumentParser
import JamCore
import JamNet
import JamRoom
import JamServer
import JamWeb
import Testing

@testable import bandshell

/// Passwords and host words that are given at the start.
@Suite struct WordTests {
  private func options(password: String?, hostWord: String, isGiven: Bool) -> ServerOptions {
    let nowhere = Listening(host: nil, port: 0)
    return ServerOptions(
      osc: nowhere, http: nowhere, media: nowhere, kitFolders: [], rooms: [], opensRooms: false, password: password,
      hostWord: hostWord, isHostWordGiven: isGiven, proxies: .none, tempo: Tempo(clamping: 120))
  }

  @Test("the server warns of given words that are shorter than 16 bytes, and of no others") func warning() {
    #expect(options(password: nil, hostWord: Words.random(), isGiven: false).weakWords == nil)
    #expect(options(password: "bafedogukilumaro", hostWord: "Bafe Dogu Kilu Maro", isGiven: true).weakWords == nil)
    let both = options(password: "sesame", hostWord: "bafe-dogu-kilu-mar", isGiven: true).weakWords
    #expect(both?.hasPrefix("the password and the host word have less than 16 bytes") == true)
    let one = options(password: "sesame", hostWord: Words.random(), isGiven: false).weakWords
    #expect(one?.hasPrefix("the password has less than 16 bytes") == true)
    #expect(one?.contains("sesame") == false)
  }

  @Test(
    "a host word of which nothing or little is left is refused at the start", arguments: ["-- -", "-", " - a-b c "])
  func empty(_ word: String) {
    #expect(throws: ValidationError.self) {
      try SecretWord.given(word, file: nil, option: "--host-word", variable: "BANDSHELL_NO_WORD", isSpoken: true)
    }
    #expect((try? SecretWord.given(word, file: nil, option: "--password", variable: "BANDSHELL_NO_WORD")) == word)
  }

  @Test("a word that the server makes is strong") func made() {
    for _ in 0..<100 { #expect(Secrets.isStrong(Secrets.spoken(Words.random()))) }
  }
}
