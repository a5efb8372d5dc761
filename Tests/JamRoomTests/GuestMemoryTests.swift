import JamCore
import Testing

@testable import JamRoom

/// What guests who fell silent find again, without a room.
@Suite struct GuestMemoryTests {
  private let kit = KitEdit(of: Kit(id: "one", name: "ONE"))

  private func key(_ name: String, _ address: String = "10.0.0.1") -> GuestMemory.Key {
    GuestMemory.Key(name: PlayerName(name)!, address: SourceAddress(address))
  }

  private func entry(
    _ name: String, gain: Float = 0, isUnproven: Bool = false, until seconds: Double = 100
  ) -> GuestMemory.Entry {
    GuestMemory.Entry(
      key: key(name), kit: kit, settings: [GuestMemory.SetValue(setting: .gain, value: .float(gain))],
      velocityScale: VelocityScale(), isUnproven: isUnproven, until: .seconds(seconds))
  }

  @Test("a guest finds what it left once, from its own address alone, until the time is over")
  func found() {
    var memory = GuestMemory()
    memory.keep(entry("guest-1", gain: -6), limit: 8, at: .zero)
    let (other, over) = (
      memory.take(key("guest-1", "10.0.0.2"), at: .zero), memory.take(key("guest-1"), at: .seconds(100))
    )
    let (own, again) = (memory.take(key("guest-1"), at: .seconds(99)), memory.take(key("guest-1"), at: .seconds(99)))
    #expect(other == nil && over == nil && again == nil)
    #expect(own?.settings == [GuestMemory.SetValue(setting: .gain, value: .float(-6))])
  }

  @Test("what a guest left last is what it finds, and what is over makes no crowd")
  func last() {
    var memory = GuestMemory()
    for gain in [-6, -12] as [Float] { memory.keep(entry("guest-1", gain: gain), limit: 8, at: .zero) }
    memory.keep(entry("guest-2"), limit: 8, at: .zero)
    #expect(memory.entries.count == 2)
    let own = memory.take(key("guest-1"), at: .zero)
    #expect(own?.settings.first?.value == .float(-12))
    memory.keep(entry("guest-3", until: 300), limit: 8, at: .seconds(100))
    #expect(memory.entries.map(\.key.name.text) == ["guest-3"])
    memory.forget(key("guest-3"))
    #expect(memory.entries.isEmpty)
  }

  @Test("where it is full the oldest goes, those first whose address may have been forged")
  func full() {
    var memory = GuestMemory()
    memory.keep(entry("a"), limit: 3, at: .zero)
    memory.keep(entry("b", isUnproven: true), limit: 3, at: .zero)
    memory.keep(entry("c"), limit: 3, at: .zero)
    memory.keep(entry("d"), limit: 3, at: .zero)
    #expect(memory.entries.map(\.key.name.text) == ["a", "c", "d"])
    memory.keep(entry("e"), limit: 3, at: .zero)
    #expect(memory.entries.map(\.key.name.text) == ["c", "d", "e"])
  }
}
