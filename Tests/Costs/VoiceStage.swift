import JamEngine
import JamRealtime

@testable import JamBench

/// An engine with a full room's voices: stereo sounds that are resampled.
///
/// Thread: any one, whose denormals it flushes.
final class VoiceStage: Stage {
  private let room: BenchRoom

  init() {
    RealtimeThread.flushDenormals()
    room = BenchRoom(kind: .stereo, sounds: BenchSounds(isStereo: true), seed: 1)
    // A second, so that every voice sounds.
    for _ in 0..<400 {
      prepare()
      run()
    }
  }

  var operations: Int { room.owner.status.soundingVoices }

  func prepare() { room.hitWhatEnds() }

  func run() { room.owner.engine.pointee.render() }
}
