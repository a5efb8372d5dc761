internal import JamCore
internal import JamKit

extension ImportedKit {
  /// Leaves out layers and takes until the sounds fit into a kit's memory, and notes it. If the
  /// sounds still do not fit, pads are left out, from the last one.
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

  /// The memory that the sounds will take. A sound in several places counts in each.
  private var byteCount: Int {
    pads.flatMap(\.layers).flatMap(\.sounds).reduce(0) { $0 + $1.byteCountInMemory }
  }
}

extension ImportedPad {
  /// The layers of the pad, reduced to `count` layers and `takes` sounds in each at most. If
  /// neighbouring layers are merged, the loudest stays, and takes their velocities.
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
  /// The size in 16 bits, which a kit is reduced to where it has no room for more.
  var byteCountInMemory: Int { SampleMemory.leastByteCount(frames: framesAfterResampling, channels: channels) }
}
