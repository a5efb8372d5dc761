import JamCore

@testable import JamEngine

/// A pool of synthesiser's notes, rendered in blocks as the engine does.
final class SynthRig {
  var pool: SynthPool
  private let memory = UnsafeMutablePointer<Float>.allocate(capacity: 256)

  init(_ limits: Limits = .standard) {
    pool = SynthPool(limits: limits)
    memory.initialize(repeating: 0, count: 256)
  }

  deinit { memory.deallocate() }

  static func note(
    _ settings: PatchSettings, _ pitch: Float, velocity: Float = 1, bus: Int = 0, key: UInt8 = 60, height: Float = 0.5,
    holdFrames: Int32 = 0, level: Float = 1
  ) -> SynthStart {
    var start = SynthStart(settings: settings, instrument: 1, bus: bus, key: key, pitch: pitch, velocity: velocity)
    start.height = height
    start.holdFrames = holdFrames
    start.level = level
    return start
  }

  @discardableResult
  func start(
    _ settings: PatchSettings, _ pitch: Float, velocity: Float = 1, bus: Int = 0, key: UInt8 = 60, at offset: Int32 = 0,
    height: Float = 0.5, holdFrames: Int32 = 0
  ) -> Bool {
    pool.start(
      SynthRig.note(settings, pitch, velocity: velocity, bus: bus, key: key, height: height, holdFrames: holdFrames),
      at: offset, isReleased: false)
  }

  /// The sum of all buses.
  func render(_ frames: Int, block: Int = 120) -> (left: [Float], right: [Float]) {
    var (left, right): ([Float], [Float]) = ([], [])
    while left.count < frames {
      let count = min(block, frames - left.count)
      memory.update(repeating: 0, count: 256)
      for bus in 0..<pool.busCount where pool.active[bus] > 0 {
        pool.render(bus: bus, toLeft: memory, toRight: memory + 128, count: count)
      }
      pool.blockFrame += Int64(count)
      left += (0..<count).map { memory[$0] }
      right += (0..<count).map { memory[128 + $0] }
    }
    return (left, right)
  }

  /// The left side of one note: `skip` frames later, so many frames.
  static func sound(
    _ settings: PatchSettings, _ pitch: Float, skip: Int = 0, frames: Int, height: Float = 0.5
  ) -> [Float] {
    let rig = SynthRig()
    rig.start(settings, pitch, height: height)
    if skip > 0 { _ = rig.render(skip) }
    return rig.render(frames).left
  }

  /// One wave and nothing else: no filter, no envelope, at full level.
  static func bare(_ shape: PatchShape, width: Float = 0.5) -> PatchSettings {
    var settings = PatchSettings()
    settings.gain = 0
    settings.first.shape = shape
    settings.first.level = 1
    settings.first.width = width
    settings.filter = .off
    settings.amp = PatchEnvelope(attack: 1, decay: 10, sustain: 1, release: 20)
    settings.velocityLevel = 0
    settings.filterHeight = 0
    return settings
  }
}
