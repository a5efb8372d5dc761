public import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// The sounds that a player's hits have, for that player's page.
extension Room {
  /// The sounds of a player's pads and keys. A pad is left out whose sound is not here, whose sound
  /// follows the tempo, or which has none.
  /// - Parameters:
  ///   - asker: who counts as one where much is asked for.
  ///   - call: is called once, on any thread.
  /// - Thread: any.
  public nonisolated func sounds(
    of player: PlayerName, for asker: String,
    then call: @escaping @Sendable (Result<PlayerSounds, PageSounds.Problem>) -> Void
  ) {
    submit(orElse: { call(.failure(.busy)) }) { room in
      guard let id = room.player(named: player) else { return call(.failure(.noSuchPlayer)) }
      let held = room.look { PlayerHold($0.hands[id]) }
      // A stretched sound gets its name from all its values, so this may take a while.
      let kitStore = room.kitStore
      let isTaken = kitStore.background.submit(.reading(for: asker)) {
        call(.success(kitStore.told(held)))
      }
      if !isTaken { call(.failure(.busy)) }
    }
  }

  /// A file of a sound that `sounds` told of.
  /// - Parameters:
  ///   - asker: who counts as one where much is asked for.
  ///   - call: is called once, on any thread.
  /// - Thread: any.
  public nonisolated func soundFile(
    _ name: String, _ form: PageSounds.Form, for asker: String,
    then call: @escaping @Sendable (Result<[UInt8], PageSounds.Problem>) -> Void
  ) {
    kitStore.pageSounds.file(name, form, for: asker, in: kitStore.background, then: call)
  }
}

/// The sounds in a player's hands.
struct PlayerHold: Sendable {
  var kit: String
  var instrument: String
  var pads: [(pad: Pad, sample: SampleID, stretch: Float, sound: PlayablePad)] = []
  var zones: [(zone: InstrumentZone, sound: PlayablePad)] = []

  init(_ hands: Hands) {
    kit = hands.kitID
    instrument = hands.keys.patch.id
    for (pad, state) in zip(Pad.all, hands.pads) {
      let followsTempo = state.settings.beats != 0 || state.heardFit != 1
      guard let sound = state.sound, !followsTempo else { continue }
      pads.append((pad, state.sample, state.heardStretch.factor, sound))
    }
    guard let samples = hands.keys.samples else { return }
    for (index, zone) in samples.zones.enumerated() {
      guard let pad = Pad(index + 1), let sound = samples[pad] else { continue }
      zones.append((zone, sound))
    }
  }
}

extension KitStore {
  /// The description of these sounds for a page. Their files can be asked for from now on.
  /// Thread: any that may wait.
  func told(_ hold: PlayerHold) -> PlayerSounds {
    pageSounds.forgetGone()
    var sounds = PlayerSounds(kit: hold.kit, instrument: hold.instrument)
    var places: [ObjectIdentifier: Int] = [:]
    for (pad, sample, stretch, sound) in hold.pads {
      guard let layers = layers(of: sound, in: &sounds, &places) else { continue }
      let place = PlayerSounds.Place(
        pad: Int(pad.number), sample: "\(sample)", stretch: stretch, layers: layers)
      sounds.pads.append(place)
    }
    for (zone, sound) in hold.zones {
      guard let layers = layers(of: sound, in: &sounds, &places) else { continue }
      sounds.zones.append(PlayerSounds.Zone(zone: zone, layers: layers))
    }
    return sounds
  }

  /// - Returns: nil where a sound of it is not here, or too long.
  private func layers(
    of pad: PlayablePad, in sounds: inout PlayerSounds, _ places: inout [ObjectIdentifier: Int]
  ) -> [PlayerSounds.Layer]? {
    var layers: [PlayerSounds.Layer] = []
    for layer in pad.layers {
      var numbers: [Int] = []
      for sound in layer.sounds {
        if let known = places[ObjectIdentifier(sound)] {
          numbers.append(known)
          continue
        }
        guard let part = told(sound) else { return nil }
        places[ObjectIdentifier(sound)] = sounds.sounds.count
        numbers.append(sounds.sounds.count)
        sounds.sounds.append(part)
      }
      layers.append(PlayerSounds.Layer(upTo: layer.upTo, gain: layer.gain, sounds: numbers))
    }
    return layers
  }

  private func told(_ sound: PlayableSound) -> PlayerSounds.Part? {
    guard let memory = sound.memory, !sound.isAway, sound.view.frameCount > 0,
      sound.view.frameCount <= PageSounds.longest
    else { return nil }
    let view = sound.view
    // A stretched sound bears the name of the file that it was made of.
    let isOfFile = held.withLock { $0.sounds[memory.hash]?.object === sound }
    let hash = isOfFile ? memory.hash : pageSounds.name(of: sound) ?? ContentHash(valuesOf: view)
    pageSounds.tell(hash, sound)
    let last = Int(view.frameCount) - 1
    return PlayerSounds.Part(
      name: "\(hash)", frames: Int(view.frameCount), channels: view.isStereo ? 2 : 1,
      loop: view.hasLoop ? Range(from: Int(view.loopStart), to: Int(view.loopEnd)) : nil,
      endsLoud: max(abs(view.left[last]), abs(view.right[last])) > 1.0 / 8192)
  }
}

extension ContentHash {
  /// The name of a sound in memory by its values.
  fileprivate init(valuesOf view: SampleView) {
    let bytes = Int(view.frameCount) * SamplePlane.bytesPerFrame(view.shift)
    let planes = [view.leftMemory, view.rightMemory].map {
      "\(ContentHash(UnsafeRawBufferPointer(start: $0, count: bytes)))"
    }
    let text = Array((planes + ["\(view.shift)", "\(view.isStereo)"]).joined(separator: " ").utf8)
    self = text.withUnsafeBytes { ContentHash($0) }
  }
}
