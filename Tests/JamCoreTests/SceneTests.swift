import JamCore
import Testing

@Suite struct SceneTests {
  @Test(
    "a scene is read as it is written",
    arguments: [
      "ann loop", "ann", "ann loop mute layer2 layer10 lane1 lane3*; bob mute", "Björk loop; 王 lane8*", "loop loop",
    ])
  func roundTrip(text: String) throws {
    #expect(try #require(Scene(text)).text == text)
  }

  @Test("spaces, the order of words and empty parts do not matter")
  func loosely() throws {
    let scene = try #require(Scene("  ann  lane3*\tlayer2  layer1 loop ;; bob  "))
    #expect(scene.text == "ann loop layer1 layer2 lane3*; bob")
    #expect(scene.part(of: PlayerName("bob")!) == Scene.Part(player: PlayerName("bob")!))
  }

  @Test(
    "what is no scene is none",
    arguments: [
      "", "  ", ";", "ann sings", "ann loop; ann mute", "ann layer0", "ann layer65", "ann lane9", "ann lane",
      "ann lane*",
      "ann lane1**", "ann layer1*", "ann lane-1", "ann lane99999999999999999999",
      (1...65).map { "p\($0)" }.joined(separator: ";"),
    ])
  func refused(text: String) {
    #expect(Scene(text) == nil)
  }

  @Test("who goes on under another name stays in the scene")
  func rename() throws {
    var scene = try #require(Scene("ann loop; bob mute"))
    scene.rename(PlayerName("ann")!, to: PlayerName("zoe")!)
    #expect(scene.text == "zoe loop; bob mute")
  }
}
