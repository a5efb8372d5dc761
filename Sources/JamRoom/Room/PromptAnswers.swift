internal import JamCore
internal import JamKit

/// Answers at once what a live room orders in the background: kits and sounds mostly come from a
/// `KitStore`; what only a live room makes is refused.
///
/// A rig of the tests with kits or sounds from elsewhere says how to read them. A rig whose
/// background work takes time keeps the effects, and has them answered later. Thread: the
/// carrier's.
struct PromptAnswers {
  var kit: (String) throws(KitError) -> PlayableKit
  var ownSound: (String) throws(KitError) -> OwnSound
  /// The sounds that an order wants, and why some of them cannot be had.
  var sounds: (SoundsOrder) -> (sounds: [VoicedSound: PlayablePad], reason: Refusal?)
  /// Nil where there is no memory for it.
  var stretched: (PlayablePad, Float, StretchQuality) -> PlayablePad?

  /// - Parameters:
  ///   - effect: from the carrier's room; its owner has taken events and log entries already.
  ///   - frame: where what has come takes effect.
  func answer(_ effect: Effect, at frame: Frames, in carrier: EffectCarrier) {
    switch effect {
    case .loadKit(let id):
      do throws(KitError) {
        carrier.state.kitArrived(try kit(id), at: frame)
      } catch {
        carrier.state.kitFailed(id, reason: .kitUnreadable(error.description))
      }
    case .loadOwnSound(let hash):
      do throws(KitError) {
        carrier.state.ownSoundArrived(try ownSound(hash), at: frame)
      } catch {
        carrier.state.ownSoundMissing(hash, reason: .soundUnreadable(error.description))
      }
    case .loadSounds(let order):
      let (sounds, reason) = sounds(order)
      carrier.state.soundsArrived(order, sounds, reason: reason, at: frame)
    case .stretch(let order):
      let sound = stretched(order.sound, order.factor, order.quality)
      carrier.state.stretched(order, sound, at: frame)
    // A score holds the outcomes of these.
    case .record(let place):
      carrier.state.recordingNotBegun()
      carrier.state.notMade(.record(place.pad), for: place, reason: .notInScore)
    case .grab(let order):
      carrier.state.grabEnded(order)
      carrier.state.notMade(order.command, for: order.place, reason: .notInScore)
    case .saveKit(let order):
      carrier.state.kitSavingEnded(order)
      carrier.state.kitNotSaved(order, reason: .notInScore)
    case .take(let order):
      carrier.state.takeAnswered(order, .refused(.takesNotKept), at: frame)
    case .project(let order):
      carrier.state.projectAnswered(order, .refused(.projectsNotKept), at: frame)
    case .search(let order): carrier.state.searchAnswered(order, .refused(.libraryUnreadable))
    case .carryBlock(let order):
      carrier.state.blockCarried(order, .failure(.blockNotShared("\(order.block)")), at: frame)
    case .projectNotTaken, .used, .stopRecording, .keepBlock, .removeBlock, .deleteKit, .forgetSound,
      .setTaken:
      break
    case .log, .tell, .left, .peopleChanged, .madeHost: break
    case .engine, .retireMap, .correctLog, .withdrawLog: break
    }
  }
}

extension PromptAnswers {
  init(from kitStore: KitStore) {
    kit = { id throws(KitError) in try kitStore.load(id) }
    ownSound = { hash throws(KitError) in try kitStore.own(hash) }
    sounds = { kitStore.sounds(for: $0) }
    stretched = { kitStore.stretched($0, by: $1, $2) }
  }
}
