internal import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// Files that bring kits and sounds: one at a time, decoded between others' work, and kept whole or
/// not at all.
extension KitStore {
  // MARK: In the background

  /// Runs `begin` in the background when it is the sender's turn to bring a file.
  /// - Parameter begin: gets nil where too much else waits; then it is called on the caller's
  ///   thread.
  /// - Returns: false where one of the sender's waits already, or too many do; `begin` is not
  ///   called.
  public func takeTurn(for sender: String, _ begin: @escaping @Sendable (DeliveryTurn?) -> Void)
    -> Bool
  {
    let start: @Sendable () -> Void = { [self] in
      let turn = DeliveryTurn(of: sender) { [weak self] in self?.endTurn() }
      if !background.submit(.decoding(for: sender), { begin(turn) }) { begin(nil) }
    }
    switch held.withLock({ $0.deliveries.enter(sender, start) }) {
    case .begins: start()
    case .waits: break
    case .refused: return false
    }
    return true
  }

  private func endTurn() { held.withLock { $0.deliveries.leave() }?.begin() }

  /// Decodes what a file brings, in slices between others' work, and keeps it. After a success a
  /// call of `settle` must follow. After a failure nothing is left, and the turn is over.
  /// - Parameter call: is called once, on any thread that may wait.
  public func keep(
    _ delivery: Delivery, _ turn: DeliveryTurn,
    then call: @escaping @Sendable (Result<Delivered, DeliveryProblem>) -> Void
  ) {
    let line: BackgroundPool.Line =
      delivery.isChecked ? KitStore.soundFiles : .decoding(for: turn.sender)
    let isTaken = background.submit(line) { [self] in
      var delivery = delivery
      do throws(DeliveryProblem) {
        guard !delivery.isChecked else {
          return keepRest(of: delivery, try begin(delivery, turn), then: call)
        }
        var seconds = 0.0
        while !delivery.isChecked, seconds < KitStore.secondsPerSlice {
          seconds += try delivery.checkNext()
        }
        keep(delivery, turn, then: call)
      } catch {
        turn.leave()
        call(.failure(error))
      }
    }
    guard !isTaken else { return }
    turn.leave()
    call(.failure(KitStore.tooMuchWaits))
  }

  private static let tooMuchWaits = DeliveryProblem.kit(KitError("it", .busy))

  /// Seconds of sound that are decoded in one go: about a tenth of a second of work.
  private static let secondsPerSlice = 20.0

  /// One sound or one kit in one go: others keep theirs in between.
  private func keepRest(
    of delivery: Delivery, _ delivered: Delivered,
    then call: @escaping @Sendable (Result<Delivered, DeliveryProblem>) -> Void
  ) {
    guard !delivered.isAll(of: delivery) else { return call(.success(delivered)) }
    let isOfSounds = delivered.sounds.count < delivery.sounds.count
    let isTaken = background.submit(isOfSounds ? KitStore.soundFiles : .keeping("kits")) { [self] in
      do throws(KitError) {
        keepRest(of: delivery, try keepNext(of: delivery, delivered), then: call)
      } catch {
        settle(delivered, isTaken: false) { call(.failure(.kit(error))) }
      }
    }
    if !isTaken { settle(delivered, isTaken: false) { call(.failure(KitStore.tooMuchWaits)) } }
  }

  /// Leaves the delivered kits and sounds, or removes them again. The turn is over then.
  /// - Parameter call: is called once, on any thread.
  public func settle(
    _ delivered: Delivered, isTaken: Bool, then call: @escaping @Sendable () -> Void
  ) {
    let settle: @Sendable () -> Void = { [self] in
      settleNow(delivered, isTaken: isTaken)
      delivered.turn?.leave()
      call()
    }
    // Where too much waits, it is done on the caller's thread, which may wait.
    if !background.submit(KitStore.soundFiles, settle) { settle() }
  }

  // MARK: Steps

  /// Checks and keeps all of it on the calling thread, which may wait: for commands, which have a
  /// data folder to themselves.
  public func keepNow(_ delivery: Delivery) throws(DeliveryProblem) -> Delivered {
    var delivery = delivery
    while !delivery.isChecked { _ = try delivery.checkNext() }
    var delivered = try begin(delivery, nil)
    do throws(KitError) {
      while !delivered.isAll(of: delivery) { delivered = try keepNext(of: delivery, delivered) }
    } catch {
      settleNow(delivered, isTaken: false)
      throw .kit(error)
    }
    return delivered
  }

  /// Takes the sender's shares, and writes a note of everything that will be written.
  private func begin(_ delivery: Delivery, _ turn: DeliveryTurn?) throws(DeliveryProblem)
    -> Delivered
  {
    try takeShares(of: delivery)
    let delivered = Delivered(delivery, turn)
    if let sounds, delivery.isPart, !delivered.isAll(of: delivery) {
      let note = DeliveryNote(sounds: delivery.sounds.map(\.hash), kits: delivery.kits.map(\.id))
      do throws(KitError) { try note.write(in: sounds.path) } catch {
        throw .kit(KitError("its sounds", error.reason))
      }
    }
    return delivered
  }

  /// Writes the next sound, or else the next kit, for everybody to choose.
  private func keepNext(
    of delivery: Delivery, _ delivered: Delivered
  ) throws(KitError) -> Delivered {
    var delivered = delivered
    if delivered.sounds.count < delivery.sounds.count {
      let sound = delivery.sounds[delivered.sounds.count]
      let isNew =
        try sounds?.keep(checked: sound.bytes, as: sound.hash, besides: names?.takenCount ?? 0) ?? false
      note(undecided: sound.hash, isNew: isNew)
      delivered.sounds.append(sound.hash)
    } else {
      let kit = delivery.kits[delivered.kits.count]
      try keep(kit)
      delivered.kits.append(kit.id)
    }
    return delivered
  }

  private func keep(_ kit: Delivery.NewKit) throws(KitError) {
    guard let savedKits else { throw KitError(kit.kit.id, .nowhereToKeep) }
    let folder: KitFolder
    do throws(KitError) {
      folder = try KitFolder.write(kit.kit.files, as: kit.id, in: savedKits, areChecked: true)
    } catch {
      // The person who brings it knows its name, not the server's folders.
      throw KitError(kit.kit.id, error.reason)
    }
    guard let added = loader.add(folder) else {
      try? folder.delete()
      throw KitError(kit.kit.id, .unreadable(cause: "it was not written"))
    }
    tell(.added(added))
  }

  /// Thread: any that may wait.
  public func settleNow(_ delivered: Delivered, isTaken: Bool) {
    for hash in delivered.sounds where decided(hash, isTaken: isTaken) { sounds?.remove(hash) }
    if !isTaken { for kit in delivered.kits { removeKit(kit) } }
    if delivered.isPart, let sounds { DeliveryNote.remove(in: sounds.path) }
  }

  private func removeKit(_ id: String) {
    guard let savedKits, let folder = loader.catalogue.folder(of: id), folder.isIn(savedKits) else {
      return
    }
    do throws(KitError) { try folder.delete() } catch { return report(error) }
    loader.remove(id)
    held.withLock { held in held.recent.removeAll { $0.kit.kit.id == id } }
    tell(.gone(id))
  }

  // MARK: After a crash

  /// Removes what a server wrote that was killed while it took a file in. Thread: any that may
  /// wait; before rooms play.
  /// - Parameters:
  ///   - wantedSounds: the hashes of sounds that projects need.
  ///   - wantedKits: the kits that projects need. Nil, of either, where that is not known:
  ///     everything stays.
  public func undoDelivery(wantedSounds: Set<String>?, wantedKits: Set<String>?) {
    guard let sounds, let note = DeliveryNote(in: sounds.path) else { return }
    if let wantedSounds, let wantedKits {
      let samples = blockFolders.map { BlockFolder.samples(in: $0) } ?? []
      for hash in note.sounds
      where !wantedSounds.contains("\(hash)") && names?.isNamed(hash) != true
        && !samples.contains(.own("\(hash)"))
      {
        sounds.remove(hash)
      }
      let kits = Set(samples.compactMap { if case .pad(_, let kit) = $0 { kit } else { nil } })
      for kit in note.kits where !wantedKits.contains(kit) && !kits.contains(kit) { removeKit(kit) }
    }
    DeliveryNote.remove(in: sounds.path)
  }
}
