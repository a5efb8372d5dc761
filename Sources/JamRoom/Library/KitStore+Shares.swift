internal import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// The shares of those who save kits and sounds, and of those who bring them in files.
extension KitStore {
  private static var now: Double { Double(HostTime.now.nanoseconds) / 1e9 }

  /// Whether somebody may save one more.
  public func maySave(_ kind: SavingKind, by saver: String) -> Bool {
    held.withLock { $0.quotas[kind]?.take(by: saver, at: KitStore.now) ?? true }
  }

  /// Checks that the sender may bring the new kits and sounds now. Takes nothing.
  func requireShares(of delivery: Delivery) throws(DeliveryProblem) {
    guard let sender = delivery.sender else { return }
    for (kind, count) in KitStore.counts(of: delivery) where count > 0 {
      try requireShare(of: kind, count, for: sender)
    }
  }

  private func requireShare(of kind: SavingKind, _ count: Int, for sender: String)
    throws(DeliveryProblem)
  {
    guard let quota = held.withLock({ $0.quotas[kind] }) else { return }
    guard let wait = quota.wait(of: sender, for: Double(count), at: KitStore.now) else {
      throw .tooMany(kind, count: count, most: quota.atOnce)
    }
    guard wait <= 0 else { throw .tooSoon(kind, seconds: Int(saturating: wait.rounded(.up))) }
  }

  private static func counts(of delivery: Delivery) -> [(kind: SavingKind, count: Int)] {
    [(.kit, delivery.kits.count), (.sound, delivery.sounds.count)]
  }

  /// Takes the new kits and sounds from the sender's shares: all of them, or none.
  func takeShares(of delivery: Delivery) throws(DeliveryProblem) {
    guard let sender = delivery.sender else { return }
    let counts = KitStore.counts(of: delivery)
    let now = KitStore.now
    let isTaken = held.withLock { held in
      let areLeft = counts.allSatisfy { kind, count in
        count == 0 || held.quotas[kind]?.allows(sender, Double(count), at: now) ?? true
      }
      guard areLeft else { return false }
      for (kind, count) in counts where count > 0 {
        held.quotas[kind]?.spend(Double(count), by: sender, at: now)
      }
      return true
    }
    guard !isTaken else { return }
    // Something else that the sender saved meanwhile has used them up.
    try requireShares(of: delivery)
    throw .tooSoon(.sound, seconds: 1)
  }

  /// Checks that one more sound may be decoded for the sender.
  /// - Parameter seconds: the sound of the same file that was decoded before.
  func requireDecoding(for sender: String?, after seconds: Double) throws(DeliveryProblem) {
    guard let sender, let most = held.withLock({ $0.quotas[.decodedSecond]?.atOnce }) else {
      return
    }
    guard seconds < Double(most) else {
      throw .tooMany(.decodedSecond, count: Int(saturating: seconds.rounded(.up)), most: most)
    }
    try requireShare(of: .decodedSecond, 1, for: sender)
  }

  func spend(_ seconds: Double, decodedFor sender: String?) {
    guard let sender else { return }
    held.withLock { $0.quotas[.decodedSecond]?.spend(seconds, by: sender, at: KitStore.now) }
  }

  /// Checks that the folders have places for so many more sounds and kits of people who are no
  /// hosts.
  func requirePlaces(forSounds newSounds: Int, kits newKits: Int) throws(KitError) {
    if newSounds > 0, let sounds,
      sounds.count - (names?.takenCount ?? 0) + newSounds > SoundFolder.mostForAll
    {
      throw KitError("its sounds", .tooManyKept(limit: SoundFolder.mostForAll))
    }
    let limit = KitStore.mostSavedKits - KitStore.hostKits
    if newKits > 0, let savedKits,
      placesTaken(by: ((try? KitFolder.folders(in: savedKits)) ?? []).count) + newKits > limit
    {
      throw KitError("its kits", .tooManyKept(limit: limit))
    }
  }

  // MARK: Kits that are here

  /// Whether a kit or a sampled instrument has that id, or had it until it was deleted.
  func isUsed(_ id: String) -> Bool { kits.contains { $0.id == id } || instruments.isSampled(id) }

  /// Whether the kit of that id is the same.
  /// - Parameter files: all files that came along.
  func has(_ kit: CarriedKit, _ files: [String: [UInt8]], as id: String) -> Bool {
    guard let folder = loader.catalogue.folder(of: id) else { return false }
    // The server's own has more files than its sounds need.
    return (try? folder.bundle()) == kit.files || (try? folder.files()) == files
  }
}
