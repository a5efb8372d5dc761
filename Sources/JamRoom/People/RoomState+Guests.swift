internal import JamCore

/// Those who pause and keep no token: a sender of single packets that fell silent leaves, and finds
/// its kit, pads and settings when it comes back from the same address, under the name that it
/// said, or as a guest under the name that the address makes.
extension RoomState {
  /// The settings of a guest that are kept beside its kit and pads. A mute is not: a returning
  /// guest would hear nothing, and not know why.
  private static let keptSettings = RoomRow.kept(.guest)

  mutating func keepGuest(_ id: PlayerID, at now: Frames) {
    guard let key = roster[id].guestKey else { return }
    let fresh = newcomer
    let settings = RoomState.keptSettings.compactMap { setting -> GuestMemory.SetValue? in
      guard let value = currentValue(of: setting, for: id), value != fresh.value(of: setting)
      else { return nil }
      return GuestMemory.SetValue(setting: setting, value: value)
    }
    let kit = kitEdit(of: id)
    guard !settings.isEmpty || kit != KitEdit(fresh) || hands[id].velocityScale != fresh.hands.velocityScale else {
      return roster.guestMemory.forget(key)
    }
    roster.guestMemory.keep(
      GuestMemory.Entry(
        key: key, kit: kit, settings: settings, velocityScale: hands[id].velocityScale,
        isUnproven: roster[id].presence == .unproven, until: now + .seconds(Double(limits.guestSeconds))),
      limit: limits.rememberedGuests, at: now)
  }

  /// Each change is logged as if the guest had set it.
  mutating func recallGuest(
    _ id: PlayerID, as name: PlayerName, from visitor: Visitor, at moment: Moment
  ) {
    // A connection's guest ends with it, and the next one is somebody else.
    guard visitor.presence < .connected, let address = visitor.address else { return }
    let key = GuestMemory.Key(name: name, address: address)
    roster[id].guestKey = key
    guard let entry = roster.guestMemory.take(key, at: moment.arrival) else { return }
    hands[id].velocityScale = entry.velocityScale
    tell(.velocityMax, of: id)
    for (setting, value) in entry.settings.map({ ($0.setting, $0.value) }) {
      // Settings that were locked meanwhile stay as they are.
      do throws(Refusal) {
        try checkSet(setting, to: value, by: id)
        set(setting, to: value, by: id, at: moment, as: .kept)
      } catch {}
    }
    if roster.isUnlocked(.kits, id), entry.kit != kitEdit(of: id) { restore(entry.kit, of: id, at: moment, as: .kept) }
  }
}
