internal import JamCore
internal import JamKit
internal import JamRealtime
internal import Synchronization

/// Sounds for pages that sound their players' hits themselves: what pages were told of, and its
/// files.
///
/// A sound is encoded when a page first asks for it, in the background. The files that were asked
/// for last stay in memory. Only what was told of can be asked for, as long as some room has it.
/// Thread: any.
public final class PageSounds: Sendable {
  /// The form of a file.
  public enum Form: String, CaseIterable, Sendable {
    /// Ogg Opus: small, and near enough.
    case opus
    /// To the bit, for browsers that read no Ogg Opus.
    case flac
  }

  public enum Problem: Error {
    case noSuchPlayer
    /// No sound of that name was told of, or no room has it any more.
    case noSuchSound
    /// Too much waits already.
    case busy
  }

  typealias Answer = @Sendable (Result<[UInt8], Problem>) -> Void

  struct Key: Hashable {
    var hash: ContentHash
    var form: Form
  }

  fileprivate struct State {
    var told: [ContentHash: KitStore.Weak<PlayableSound>] = [:]
    var files: [Key: (bytes: [UInt8], used: UInt64)] = [:]
    var byteCount = 0
    /// Counts the answers, so that the files that were not asked for go first.
    var uses: UInt64 = 0
    /// The askers of files that are being made.
    var waiting: [Key: [Answer]] = [:]
  }

  fileprivate enum Step {
    case answer(Result<[UInt8], Problem>)
    case make(PlayableSound)
    case wait
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: the bytes of files that stay in memory.
  init(most: Int = 24 << 20) { self.most = most }

  /// The longest sound that pages are told of: a minute, four times as long.
  static let longest = 240 * 48_000
  /// The most askers that wait for one file.
  private static let mostWaiting = 64

  /// Remembers that pages were told of the sound. Thread: any that may wait.
  func tell(_ hash: ContentHash, _ sound: PlayableSound) {
    state.withLock { $0.told[hash] = KitStore.Weak(object: sound) }
  }

  /// The name by which pages were told of the sound. To make one of a long sound takes a while.
  func name(of sound: PlayableSound) -> ContentHash? {
    state.withLock { $0.told.first { $0.value.object === sound }?.key }
  }

  /// Forgets the sounds that nobody has any more.
  func forgetGone() { state.withLock { $0.told = $0.told.filter { $0.value.object != nil } } }

  /// A file of a sound; `call` is called once, at once or in the background.
  /// - Parameters:
  ///   - name: 64 hexadecimal digits (`PlayerSounds.Part.name`).
  ///   - asker: who counts as one where much is asked for.
  func file(
    _ name: String, _ form: Form, for asker: String, in background: BackgroundPool,
    then call: @escaping Answer
  ) {
    guard let hash = ContentHash(name) else { return call(.failure(.noSuchSound)) }
    let key = Key(hash: hash, form: form)
    switch state.withLock({ $0.step(to: key, call, most: PageSounds.mostWaiting) }) {
    case .answer(let answer): call(answer)
    case .wait: break
    case .make(let sound):
      let isTaken = background.submit(.encoding(for: asker)) { [self] in
        made(key, of: sound)
      }
      if !isTaken { answer(key, .failure(.busy)) }
    }
  }

  private static func bytes(of memory: SampleMemory, _ form: Form) throws(KitError) -> [UInt8] {
    let sound = Sound(memory)
    let name = "a page's sound"
    return switch form {
    case .opus: try sound.opus(named: name)
    case .flac: try sound.flac(named: name)
    }
  }

  private func made(_ key: Key, of sound: PlayableSound) {
    guard let memory = sound.memory else { return answer(key, .failure(.noSuchSound)) }
    do throws(KitError) {
      let bytes = try PageSounds.bytes(of: memory, key.form)
      state.withLock { $0.keep(bytes, as: key, most: most) }
      answer(key, .success(bytes))
    } catch {
      answer(key, .failure(.noSuchSound))
    }
  }

  private func answer(_ key: Key, _ answer: Result<[UInt8], Problem>) {
    let callers = state.withLock { $0.waiting.removeValue(forKey: key) ?? [] }
    for call in callers { call(answer) }
  }
}

extension PageSounds.State {
  fileprivate mutating func step(
    to key: PageSounds.Key, _ call: @escaping PageSounds.Answer, most: Int
  ) -> PageSounds.Step {
    uses += 1
    if let file = files[key] {
      files[key]?.used = uses
      return .answer(.success(file.bytes))
    }
    if let callers = waiting[key] {
      guard callers.count < most else { return .answer(.failure(.busy)) }
      waiting[key]?.append(call)
      return .wait
    }
    guard let sound = told[key.hash]?.object else { return .answer(.failure(.noSuchSound)) }
    waiting[key] = [call]
    return .make(sound)
  }

  fileprivate mutating func keep(_ bytes: [UInt8], as key: PageSounds.Key, most: Int) {
    guard files[key] == nil, bytes.count <= most else { return }
    while byteCount + bytes.count > most,
      let oldest = files.min(by: { $0.value.used < $1.value.used })
    {
      byteCount -= oldest.value.bytes.count
      files[oldest.key] = nil
    }
    files[key] = (bytes, uses)
    byteCount += bytes.count
  }
}
