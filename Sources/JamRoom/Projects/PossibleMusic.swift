internal import JamCore

// A project may come from anywhere: nothing is played that no room could have made.

extension Checkpoint {
  /// Whether a player may have it.
  var isPossible: Bool {
    OpenProject.measuresRange.contains(loop.bars) && loop.layers.count <= Limits.standard.layersPerLoop
      && loop.layers.allSatisfy { $0?.isPossible ?? true }
      && (loop.layers.allSatisfy { $0 == nil } || loop.length > .zero) && loop.length >= .zero
      && loop.length <= .longest
      && (loop.origin == .zero || loop.origin > .zero && loop.origin < loop.length)
      && StepGrid.range.contains(stepCount) && stepCounts.allSatisfy { $0 == 0 || StepGrid.range.contains($0) }
      && kit.pads.allSatisfy(\.settings.isPossible)
      && lanes.allSatisfy { $0.slots.allSatisfy { $0?.isPossible ?? true } }
  }
}

extension Beats {
  /// At least as long as any loop or block.
  fileprivate static let longest = Beats(16_384)

  /// Whether something may last so long.
  fileprivate var isPossibleLength: Bool { self > .zero && self <= .longest }
}

/// The limits of a room of today.
private let limits = Limits.standard

extension Layer {
  fileprivate var isPossible: Bool {
    Setting.layerGain(1).allows(.float(gain)) && tracks.count <= Pad.placeCount
      && tracks.allSatisfy {
        $0.length.isPossibleLength
          && $0.hits.arePossible(most: limits.hitsPerLayer, moves: limits.movesPerLayer)
      }
  }
}

extension LaneSlot {
  fileprivate var isPossible: Bool {
    block.length.isPossibleLength && (ShownName.isValid(block.name) || BlockID(block.name) != nil)
      && block.theme.count <= 64
      && block.hits.arePossible(most: limits.hitsPerBlock, moves: limits.movesPerBlock)
      && hits.arePossible(most: limits.hitsPerBlock, moves: limits.movesPerBlock)
  }
}

/// A hit with a place, which may be held for a while.
private protocol PossibleHit: Placed, Moved {
  var length: Beats? { get }
  var isPossible: Bool { get }
}

extension LoopHit: PossibleHit {
  fileprivate var isPossible: Bool { voicing.settings.isPossible }
}

extension BlockHit: PossibleHit {
  fileprivate var isPossible: Bool {
    switch sound {
    case .category(let category, let number): category.count <= 64 && (1...1_024).contains(number)
    case .voicing(let voicing): voicing.settings.isPossible
    }
  }
}

extension Array where Element: PossibleHit {
  /// Hits lie by their places, none before the beginning.
  fileprivate func arePossible(most: Int, moves: Int) -> Bool {
    count <= most && moveCount <= moves && (first?.position ?? .zero) >= .zero && (last?.position ?? .zero) <= .longest
      && zip(self, dropFirst()).allSatisfy { $0.position <= $1.position }
      && allSatisfy { $0.isPossible && $0.moves.arePossible && $0.length?.isPossibleLength ?? true }
  }
}

extension PadSettings {
  fileprivate var isPossible: Bool { PadSetting.allCases.allSatisfy { $0.row.kind.nearest(self[$0]) == self[$0] } }
}

extension Setting {
  /// Whether its value may be that.
  func allows(_ value: SettingValue) -> Bool { row.kind.nearest(value) == value }
}
