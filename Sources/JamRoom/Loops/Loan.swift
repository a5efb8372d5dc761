internal import JamCore

/// The tie of a layer to a layer of another player.
///
/// Indirect: a layer grows by a word, and almost none has one.
indirect enum Loan: Equatable, Sendable {
  /// The layer is a copy of that layer of the owner, made in that pass of the owner's loop.
  case borrowed(from: PlayerName, layer: Int, pass: Int)
  /// That player has a copy, and the layer rests until the copy is gone. Its own player may have
  /// muted it before.
  case lent(to: PlayerName, wasMuted: Bool)

  /// Instead of the pass, where the owner's loop is gone: no layer was made in it.
  static let noPass = -1

  /// The other player.
  var player: PlayerName {
    switch self {
    case .borrowed(let name, _, _), .lent(let name, _): name
    }
  }

  /// Somebody goes on under another name.
  fileprivate mutating func renamePlayer(_ old: PlayerName, to new: PlayerName) {
    switch self {
    case .borrowed(old, let layer, let pass): self = .borrowed(from: new, layer: layer, pass: pass)
    case .lent(old, let wasMuted): self = .lent(to: new, wasMuted: wasMuted)
    default: break
    }
  }
}

extension LoopEdit {
  /// The layers that are lent or borrowed.
  var loans: [KeptLoan] { layers.loans }

  /// Puts kept loans back onto their layers.
  mutating func putLoans(_ loans: [KeptLoan]) { layers.putLoans(loans) }
}

extension [Layer?] {
  fileprivate var loans: [KeptLoan] {
    enumerated().compactMap { index, layer in
      layer?.loan.map { KeptLoan(number: index + 1, loan: $0) }
    }
  }

  fileprivate mutating func putLoans(_ loans: [KeptLoan]) {
    for kept in loans where indices.contains(kept.number - 1) {
      self[kept.number - 1]?.loan = kept.loan
    }
  }
}

/// A layer's loan, as it is kept.
struct KeptLoan: Equatable, Sendable {
  var number: Int
  var loan: Loan
}

extension Loop {
  /// The layers that are lent or borrowed.
  var loans: [KeptLoan] { layers.loans }

  /// Puts kept loans back onto their layers.
  mutating func putLoans(_ loans: [KeptLoan]) { layers.putLoans(loans) }

  /// Takes a copy of a layer of another loop as a layer of its own, at the same times. A loop in
  /// which nothing was recorded becomes as long as the other one.
  /// - Parameters:
  ///   - now: nothing of it is heard before.
  ///   - most: beyond so many layers there is no more.
  /// - Returns: the edit; nil where there is no such layer, or no place for it.
  mutating func borrow(
    _ number: Int, from other: Loop, of owner: PlayerName, at now: Beats, most: Int
  ) -> Edit? {
    guard let original = other[number], let free = freeLayer(most: most) else { return nil }
    let before = LoopEdit(self)
    let isFirst = isUnrecorded && pass == nil && !isAwaited
    if isFirst {
      if isEmpty {
        origin = other.origin
        setPlaying(other.isPlaying)
      }
      length = other.length
      recordedBars = other.recordedBars
    }
    var copy = original.shifted(by: other.origin - origin)
    copy.begin(at: now)
    copy.loan = .borrowed(from: owner, layer: number, pass: original.pass)
    self[free] = copy
    return isFirst ? .loop(before, LoopEdit(self)) : .layer(free, nil, copy)
  }

  /// Whether a layer is a copy of that layer of the owner.
  func hasBorrowed(_ number: Int, pass: Int, from owner: PlayerName) -> Bool {
    layers.contains { $0?.loan == .borrowed(from: owner, layer: number, pass: pass) }
  }

  /// The layer rests while another player has a copy.
  mutating func lend(_ number: Int, to player: PlayerName) {
    guard var layer = self[number] else { return }
    layer.loan = .lent(to: player, wasMuted: layer.isMuted)
    layer.isMuted = true
    self[number] = layer
  }

  /// The copy is gone: the layer is as its player left it.
  /// - Parameter now: it is not heard before.
  mutating func takeHome(_ number: Int, at now: Beats) {
    guard var layer = self[number], case .lent(_, let wasMuted)? = layer.loan else { return }
    layer.loan = nil
    if layer.isMuted, !wasMuted {
      layer.isMuted = false
      layer.begin(at: now)
    }
    self[number] = layer
  }

  /// The owner's loop is gone. The copy stays credited, and nothing rests for it any more: whoever
  /// comes by the owner's name has other layers.
  mutating func keepBorrowed(_ number: Int) {
    guard case .borrowed(let name, let layer, _)? = self[number]?.loan else { return }
    self[number]?.loan = .borrowed(from: name, layer: layer, pass: Loan.noPass)
  }

  /// - Returns: whether a loan is with that player.
  mutating func renameLoans(_ old: PlayerName, to new: PlayerName) -> Bool {
    var isAny = false
    for index in layers.indices where layers[index]?.loan?.player == old {
      layers[index]?.loan?.renamePlayer(old, to: new)
      isAny = true
    }
    return isAny
  }
}

extension Layer {
  /// The player whose layer this one is a copy of.
  var owner: PlayerName? { if case .borrowed(let name, _, _)? = loan { name } else { nil } }

  /// The player who has a copy of this one.
  var borrower: PlayerName? { if case .lent(let name, _)? = loan { name } else { nil } }

  /// Whether its own player has muted it. A lent layer rests besides.
  var isMutedByPlayer: Bool { if case .lent(_, let wasMuted)? = loan { wasMuted } else { isMuted } }

  /// A copy that sounds so much later within each cycle; it is no step grid.
  fileprivate func shifted(by shift: Beats) -> Layer {
    var copy = self
    (copy.isSteps, copy.isMuted, copy.pass) = (false, false, 0)
    copy.tracks = tracks.map { $0.shifted(by: shift) }
    return copy
  }
}

extension Track {
  fileprivate func shifted(by shift: Beats) -> Track {
    var copy = Track(hits: [], length: length, swings: swings)
    guard length > .zero else { return copy }
    let moved = hits.filter { $0.position < length }.map { hit in
      var hit = hit
      let place = (hit.position + shift).microBeats % length.microBeats
      hit.position = Beats(microBeats: place < 0 ? place + length.microBeats : place)
      return hit
    }
    // Those at the same place stay in their order.
    copy.hits = moved.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element)
    return copy
  }
}
