internal import JamCore
internal import JamKit

/// One instrument of a drumkit.xml.
struct HydrogenInstrument {
  let name: String
  /// Those of the first component that sounds: others are further microphones of the same hit.
  let layers: [XMLElement]
  private let element: XMLElement
  private let gain: Double

  /// How many components have sounds, and which of them was taken.
  private let components: Int
  private let taken: Int

  /// - Parameters:
  ///   - volumes: the kit's own of each component, by its number.
  ///   - holds: whether there is such a file.
  init(
    _ element: XMLElement, number: Int, volumes: [String: Double] = [:], holds: (String) -> Bool = { _ in true }
  ) {
    self.element = element
    name = PadName.safe(
      element.text("name") ?? "", atMost: Limits.standard.nameCharacters, otherwise: "Instrument \(number)")
    let sounding = element.children.filter { $0.name == "instrumentComponent" && !Self.layers(of: $0).isEmpty }
    components = sounding.count
    // Where none can be heard, the first one says why.
    let audible = components < 2 ? nil : sounding.firstIndex { Self.isAudible($0, volumes, holds) }
    taken = audible ?? 0
    let component = sounding.isEmpty ? nil : sounding[taken]
    var layers = Self.layers(of: component ?? element)
    // In old files, which have no layers, an instrument is a file.
    if layers.isEmpty, element.text("filename") != nil { layers = [element] }
    self.layers = layers
    let volume = element.number("volume") ?? 1
    // In such a file this gain is also the gain of its only layer, which `pad` applies.
    let own = layers == [element] ? 1 : element.number("gain") ?? 1
    let mixed = component?.text("component_id").flatMap { volumes[$0] } ?? 1
    gain = Self.decibels(volume * own * (component?.number("gain") ?? 1) * mixed)
  }

  /// Whether a component's volume is above 0, and it has a sound of such a volume that is there.
  private static func isAudible(
    _ component: XMLElement, _ volumes: [String: Double], _ holds: (String) -> Bool
  ) -> Bool {
    let mixed = component.text("component_id").flatMap { volumes[$0] } ?? 1
    guard mixed > 0, component.number("gain") ?? 1 > 0 else { return false }
    return layers(of: component).contains { layer in
      layer.number("gain") ?? 1 > 0 && layer.text("filename").map(holds) ?? false
    }
  }

  private static func layers(of element: XMLElement) -> [XMLElement] {
    element.children.filter { $0.name == "layer" && $0.text("filename") != nil }
  }

  /// The instrument as a pad; nil where it has no sound. Losses are noted in `kit`.
  func pad(_ files: inout ImportFiles, _ groups: inout ChokeGroups, _ kit: inout ImportedKit) -> ImportedPad? {
    var takes: [VelocityTake] = []
    var problems: [KitError] = []
    let offset = element.number("pitchOffset") ?? 0
    for layer in layers {
      guard let file = layer.text("filename") else { continue }
      do {
        takes.append(
          VelocityTake(
            low: unit(layer.number("min"), else: 0), high: unit(layer.number("max"), else: 1),
            gain: Self.decibels(layer.number("gain") ?? 1), pitch: offset + (layer.number("pitch") ?? 0),
            turn: takes.count,
            sound: try files.sound(file), source: file))
      } catch {
        if !problems.contains(error) { problems.append(error) }
      }
    }
    // If all sounds are lost the instrument is left out. An instrument that never had a sound loses
    // nothing.
    kit.problems += problems.map {
      KitError($0.file, field: takes.isEmpty ? "instrument \(name), left out" : "instrument \(name)", $0.reason)
    }
    guard let first = takes.last else { return nil }
    let guess = PadCategory(guessedFrom: name)
    let stem = PadName.stem(of: KitFolder.parts(of: first.source).last ?? "")
    let category = guess == .other ? PadCategory(guessedFrom: stem) : guess
    var pad = ImportedPad(name: name, category: category, layers: [], source: name)
    let algorithm = element.text("sampleSelectionAlgo")
    var notes = pad.setLayers(algorithm == "ROUND_ROBIN" || algorithm == "RANDOM" ? takingTurns(takes) : takes)
    setUp(&pad.settings, &groups, &notes)
    kit.notes += (notes + losses).map { ImportNote(name, $0) }
    return pad
  }

  private func setUp(_ settings: inout PadSettings, _ groups: inout ChokeGroups, _ notes: inout [String]) {
    settings.gain = Float(gain)
    settings.pan = pan
    // Hydrogen varies the pitch by a normal distribution with a deviation of 0.4 semitones. An even
    // distribution with the same deviation reaches √3 times as far.
    let random = unit(element.number("randomPitchFactor"), else: 0)
    settings.transposeRandom = Float((random * 0.69 * 100).rounded() / 100)
    // Hydrogen stops the instrument's own notes before each new one.
    if element.text("isStopNote") == "true" { settings.voices = 1 }
    if let group = element.number("muteGroup"), group >= 0, group < 1_000_000 {
      if let number = groups.number(Int(group)) {
        settings.choke = number
      } else {
        notes.append("its mute group left out: a kit has eight")
      }
    }
  }

  /// −1…1, from either form.
  private var pan: Float {
    if let pan = element.number("pan") { return Float(min(max(pan, -1), 1)) }
    let left = unit(element.number("pan_L"), else: 1)
    let right = unit(element.number("pan_R"), else: 1)
    guard max(left, right) > 0 else { return 0 }
    let pan = left >= right ? right / left - 1 : 1 - left / right
    return Float((pan * 1_000).rounded() / 1_000)
  }

  /// The takes, cut into ranges so that each range of velocities has every take that covers it. A
  /// pad's layers do not overlap, but the sounds of one layer take turns.
  private func takingTurns(_ takes: [VelocityTake]) -> [VelocityTake] {
    func rounded(_ velocity: Double) -> Double { (velocity * 1_000).rounded() / 1_000 }
    let bounds = Set(takes.flatMap { [rounded($0.low), rounded($0.high)] }).sorted()
    return zip(bounds, bounds.dropFirst()).flatMap { low, high in
      takes.filter { rounded($0.low) <= low && rounded($0.high) >= high }.map { take in
        var take = take
        (take.low, take.high) = (low, high)
        return take
      }
    }
  }

  /// The properties that a kit cannot express.
  private var losses: [String] {
    var losses: [String] = []
    if element.text("isMuted") == "true" { losses.append("it is muted there; here it sounds") }
    if element.text("applyVelocity") == "false" {
      losses.append("it is as loud at any velocity there; here soft hits are softer")
    }
    if element.text("sampleSelectionAlgo") == "RANDOM", layers.count > 1 {
      losses.append("its sounds come by chance there; here they take turns")
    }
    if element.text("filterActive") == "true",
      element.number("filterCutoff") ?? 1 < 1 || element.number("filterResonance") ?? 0 > 0
    {
      losses.append("its filter left out")
    }
    let sustain = element.number("Sustain") ?? 1
    if element.number("Attack") ?? 0 > 0 || sustain < 1 { losses.append("its envelope left out") }
    if element["exclude"]?.children.isEmpty == false { losses.append("its list of excluded instruments left out") }
    if taken > 0 {
      losses.append("only component \(taken + 1) of its \(components) taken: none in front of it can be heard")
    } else if components > 1 {
      losses.append("only its first component taken")
    }
    if layers.contains(where: { $0.text("ismodified") == "true" }) {
      losses.append("its edited start, loop and end left out")
    }
    return losses
  }

  private func unit(_ number: Double?, else usual: Double) -> Double { min(max(number ?? usual, 0), 1) }

  private static func decibels(_ factor: Double) -> Double { PortableMath.decibels(min(max(factor, 0.001), 1_000)) }
}
