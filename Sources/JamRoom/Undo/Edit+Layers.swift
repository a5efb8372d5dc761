internal import JamCore

extension LoopEdit {
  mutating func change(_ change: (inout Layer) -> Void) {
    for index in layers.indices {
      guard var layer = layers[index] else { continue }
      change(&layer)
      layers[index] = layer
    }
  }
}

extension Edit {
  /// Whether a layer is there since, made of that pass.
  func made(_ pass: Int) -> Bool {
    switch self {
    case .layer(_, nil, let layer?): layer.pass == pass
    case .loop(let before, let after):
      after.layers.contains { $0?.pass == pass } && !before.layers.contains { $0?.pass == pass }
    case .together(let edits): edits.contains { $0.made(pass) }
    default: false
    }
  }

  /// Changes every layer that it knows.
  mutating func change(_ change: (inout Layer) -> Void) {
    func changed(_ layer: Layer) -> Layer {
      var layer = layer
      change(&layer)
      return layer
    }
    switch self {
    case .layer(let number, let before, let after): self = .layer(number, before.map(changed), after.map(changed))
    case .loop(var before, var after):
      before.change(change)
      after.change(change)
      self = .loop(before, after)
    case .all(var before, var after):
      before.loop.change(change)
      after.loop.change(change)
      self = .all(before, after)
    case .together(let edits):
      self = .together(
        edits.map {
          var edit = $0
          edit.change(change)
          return edit
        })
    case .pad, .kit, .hits, .stepCount, .lanes, .patch, .setting, .room: break
    }
  }
}
