public import JamCore
internal import Synchronization

/// A limit for tries of words: passwords, host words and tokens, by whatever way they come in.
///
/// Only wrong words cost anything. Each source may try ten wrong ones at once, then one a second.
/// Beyond that a word is not refused but held: it is checked at its turn, right or wrong, so a
/// right word passes although somebody guesses from behind the same address. Eight words may be
/// held; a further one is refused, right or wrong, which bounds a source's tries. A strong right
/// word is the exception: nobody finds it at any speed, so it is answered at once, and no guesser
/// locks its owner out. If many sources guess, each has one wrong word at once instead of ten; a
/// source that never guessed wrong waits for nobody.
///
/// All rooms have the same words, so all count as one. A count of its own would also tell that a
/// room is there.
///
/// Bounded in memory. Time is passed in. Thread: any.
public final class GuessLimit<Source: Hashable & Sendable>: Sendable {
  public enum Verdict: Hashable, Sendable {
    /// The word's answer may be given now.
    case answered
    /// Nothing is told yet: ask again after so long, and say then that the word was held.
    case held(milliseconds: Double)
    /// Too many are held already. It may be sent again in so many seconds.
    case refused(seconds: Int)
  }

  private struct Bucket {
    /// The wrong words that may still be answered; below zero, the words that are held.
    var left: Double
    var last: HostTime

    mutating func refill(perSecond: Double, most: Double, at now: HostTime) {
      guard now > last else { return }
      left = min(most, left + now.milliseconds(since: last) * perSecond / 1_000)
      last = now
    }
  }

  private struct State {
    var sources: [Source: Bucket] = [:]
    /// Of all sources together; nil before the first word.
    var together: Bucket?
  }

  private let state = Mutex(State())
  private let mostSources: Int

  /// Of one source: wrong words at once, then so many a second, and so many words held.
  private static var wordsAtOnce: Double { 10 }
  private static var wordsPerSecond: Double { 1 }
  private static var mostHeld: Double { 8 }
  /// Of all sources together.
  private static var allWordsAtOnce: Double { 60 }
  private static var allWordsPerSecond: Double { 5 }

  /// - Parameter mostSources: how many are remembered; beyond that, the least guessers go.
  public init(mostSources: Int = 4_096) { self.mostSources = mostSources }

  /// Somebody tries a word.
  /// - Parameters:
  ///   - isRight: whether the word is the right one. Compare in constant time: `Secrets.equal`.
  ///   - isStrong: whether the right word is too long to be found by trying: `Secrets.isStrong`.
  ///   - wasHeld: the word was held before, and its time is over.
  public func judge(
    isRight: Bool, isStrong: Bool, from source: Source, wasHeld: Bool = false, at now: HostTime
  ) -> Verdict {
    // It costs nothing and says nothing about other words. One that was held is paid back below.
    if isRight, isStrong, !wasHeld { return .answered }
    return state.withLock { state in
      makeRoom(in: &state, for: source, at: now)
      var own = state.sources[source] ?? Bucket(left: Self.wordsAtOnce, last: now)
      var all = state.together ?? Bucket(left: Self.allWordsAtOnce, last: now)
      all.refill(perSecond: Self.allWordsPerSecond, most: Self.allWordsAtOnce, at: now)
      defer {
        // A source without recent wrong guesses leaves no trace.
        state.sources[source] = own.left >= Self.wordsAtOnce ? nil : own
        state.together = all
      }
      own.refill(perSecond: Self.wordsPerSecond, most: Self.wordsAtOnce, at: now)
      guard !wasHeld else {
        // It was paid for when it was held.
        if isRight { own.left = min(own.left + 1, Self.wordsAtOnce) } else { all.left -= 1 }
        return .answered
      }
      let areManyTrying = all.left < 1 && own.left < Self.wordsAtOnce
      guard own.left < 1 || areManyTrying else {
        guard !isRight else { return .answered }
        own.left -= 1
        all.left = max(all.left - 1, 0)
        return .answered
      }
      guard own.left > -Self.mostHeld else { return .refused(seconds: 1) }
      let waits = max(1 - own.left, areManyTrying ? 1 : 0) / Self.wordsPerSecond
      own.left -= 1
      return .held(milliseconds: waits * 1_000)
    }
  }

  /// From a full table, sources with all tries left go, else the half that guessed least.
  private func makeRoom(in state: inout State, for source: Source, at now: HostTime) {
    guard state.sources.count >= mostSources, state.sources[source] == nil else { return }
    for key in Array(state.sources.keys) {
      state.sources[key]?.refill(perSecond: Self.wordsPerSecond, most: Self.wordsAtOnce, at: now)
    }
    state.sources = state.sources.filter { $0.value.left < Self.wordsAtOnce }
    guard state.sources.count >= mostSources else { return }
    let kept = state.sources.sorted { $0.value.left < $1.value.left }.prefix(mostSources / 2)
    state.sources = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
  }
}
