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

  @Test("each room keeps what it sent to its own engine, whichever sent it first")
  func twoRooms() {
    let (first, second) = (SoundKeeper(), SoundKeeper())
    weak var gone: PlayableSound?
    let use: SampleUse
    do {
      let memory = TestSounds()
      let sound = PlayableSound(memory.view(.init(1)!), owner: memory)
      (gone, use) = (sound, sound.use)
      first.take(sound)
      second.take(sound)
    }
    for _ in 0..<2 { use.release() }
    first.release()
    #expect(gone != nil, "the second room's engine may read it again: its next hit may be on its way")
    second.release()
    #expect(gone == nil)
  }

  @Test("a sound that was let go of is kept again with its next hit")
  func again() {
    let keeper = SoundKeeper()
    weak var gone: PlayableSound?
    let use: SampleUse
    do {
      let memory = TestSounds()
      let sound = PlayableSound(memory.view(.init(1)!), owner: memory)
      (gone, use) = (sound, sound.use)
      keeper.take(sound)
      use.release()
      keeper.release()
      keeper.take(sound)
    }
    #expect(gone != nil && use.count == 1)
    use.release()
    keeper.release()
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
