internal import JamCore
internal import JamKit

extension ImportedKit {
  /// Leaves layers and takes out until the sounds fit into a kit's memory, and says so. What still does not fit goes pad by pad,
  /// from the last.
  mutating func thin(to limits: Limits) {
    let most = pads.flatMap(\.layers).map(\.sounds.count).max() ?? 1
    var takes = most
    var layers = pads.map(\.layers.count).max() ?? 1
    let before = pads
    while byteCount > limits.kitBytes, takes > 1 || layers > 1 {
      if takes > 1, takes >= layers { takes -= 1 } else { layers -= 1 }
      for index in pads.indices { pads[index].layers = before[index].thinned(layers: layers, takes: takes) }
    }
    for (pad, original) in zip(pads, before) {
      let count = pad.layers.map(\.sounds.count).reduce(0, +)
      let full = original.layers.map(\.sounds.count).reduce(0, +)
      if count < full {
        notes.append(
          ImportNote(pad.name, "\(full - count) of its \(full) sounds left out, so that the kit fits into memory"))
      }
    }
    while byteCount > limits.kitBytes, let last = pads.popLast() {
      problems.append(KitError(last.source, .kitTooLarge(limit: limits.kitBytes)))
    }
  }

  /// What the sounds will take in memory; one that stands in several places counts in each.
  private var byteCount: Int {
    pads.flatMap(\.layers).flatMap(\.sounds).reduce(0) { $0 + $1.byteCountInMemory }
  }
}

extension ImportedPad {
  /// With so many layers and sounds in each at most: of neighbouring layers the loudest stays, and takes their velocities.
  fileprivate func thinned(layers count: Int, takes: Int) -> [ImportedLayer] {
    let kept = min(count, layers.count)
    return (1...max(kept, 1)).map { part in
      var layer = layers[part * layers.count / kept - 1]
      layer.sounds = Array(layer.sounds.prefix(takes))
      layer.loops = Array(layer.loops.prefix(takes))
      return layer
    }
  }
}

extension Sound {
  /// In 16 bits, which a kit is kept in where it has no room for more.
  var byteCountInMemory: Int { SampleMemory.leastByteCount(frames: framesAfterResampling, channels: channels) }
}
