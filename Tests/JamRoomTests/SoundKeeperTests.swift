import JamRealtime
import Testing

@testable import JamRoom

@Suite struct SoundKeeperTests {
  @Test("a sound that another room's engine reads outlives the room that kept it, and goes when it sounds no more")
  func sharedSound() {
    let other = SoundKeeper()
    weak var gone: PlayableSound?
    let use: SampleUse
    do {
      let memory = TestSounds()
      let sound = PlayableSound(memory.view(.init(1)!), owner: memory)
      (gone, use) = (sound, sound.use)
      let keeper = SoundKeeper()
      // The hit of the room that ends is over, the other room's hit is not.
      keeper.take(sound)
    }
    other.release()
    #expect(gone != nil)
    use.release()
    other.release()
    #expect(gone == nil)
  }

  @Test("a keeper that ends lets go of what sounds no more")
  func ownSound() {
    weak var gone: PlayableSound?
    do {
      let memory = TestSounds()
      let sound = PlayableSound(memory.view(.init(1)!), owner: memory)
      gone = sound
      let keeper = SoundKeeper()
      keeper.take(sound)
      sound.use.release()
    }
    #expect(gone == nil)
  }
}
