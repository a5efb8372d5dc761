internal import JamCore
internal import JamKit

extension Recipe {
  static let fileName = "recipe.json"
  static let byteLimit = 1 << 20

  /// - Parameters:
  ///   - bytes: the content of a `recipe.json`.
  ///   - file: its path, for error texts.
  /// - Throws: all problems of the recipe. Unknown fields are problems too, because without them
  ///   the sound would differ from what the author meant.
  static func read(_ bytes: [UInt8], of file: String) throws(KitProblems) -> Recipe {
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes, of: file)
    } catch {
      throw KitProblems([error])
    }
    guard case .object(let fields) = value else {
      throw KitProblems([KitError(file, .wrongType(expected: "an object { … }", found: value.kind))])
    }
    var reader = FieldReader(fields, file: file)
    _ = reader.integer("format", in: 1...1)
    _ = reader.text("about", atMost: 1_000)
    let sounds = reader.object("sounds") ?? [:]
    if sounds.isEmpty { reader.report("sounds", .missing(what: "one sound at least")) }
    var problems = reader.problems + reader.strangers
    var made: [String: SoundRecipe] = [:]
    for (name, value) in sounds.sorted(by: { $0.key < $1.key }) where !value.isVariation {
      var soundReader = RecipeReader(file: file, sound: name)
      made[name] = soundReader.readSound(value)
      problems += soundReader.problems
    }
    let originals = made
    for (name, value) in sounds.sorted(by: { $0.key < $1.key }) where value.isVariation {
      var soundReader = RecipeReader(file: file, sound: name)
      made[name] = soundReader.readVariation(value, of: originals)
      problems += soundReader.problems
    }
    guard problems.isEmpty else { throw KitProblems(problems) }
    var recipe = Recipe()
    recipe.sounds = made.sorted { $0.key < $1.key }.map { (file: $0.key, sound: $0.value) }
    return recipe
  }
}

extension JSONValue {
  /// Whether the value is a sound that names another sound in `like`.
  fileprivate var isVariation: Bool {
    if case .object(let fields) = self { fields["like"] != nil } else { false }
  }
}

/// Reads one sound of a recipe and collects its problems.
private struct RecipeReader {
  let file: String
  let sound: String
  private(set) var problems: [KitError] = []

  init(file: String, sound: String) {
    self.file = file
    self.sound = sound
  }

  /// A sound that is a variation of another.
  /// - Parameter originals: the sounds that are no variations.
  mutating func readVariation(_ value: JSONValue, of originals: [String: SoundRecipe]) -> SoundRecipe {
    checkName()
    guard var reader = open(value, "") else { return SoundRecipe() }
    let name = reader.text("like", atMost: 255, needed: true) ?? ""
    let original = originals[name]
    if original == nil {
      reader.report("like", .outOfRange(found: "\"\(name)\"", expected: "a sound of this recipe that has layers"))
    }
    var variation = SoundVariation()
    variation.seed = reader.integer("seed", in: 0...1_000_000) ?? 0
    variation.cents = reader.number("cents", in: -1_200...1_200) ?? 0
    variation.force = reader.number("force", in: 0...1) ?? 1
    var recipe = variation.applied(to: original ?? SoundRecipe())
    recipe.peak = reader.number("peak", in: -40 ... -1, unit: " dB") ?? recipe.peak
    close(reader)
    return recipe
  }

  private mutating func checkName() {
    if let reason = KitFolder.objection(to: sound) { problems.append(KitError(file, field: sound, reason)) }
    if !sound.hasSuffix(".flac") {
      problems.append(
        KitError(file, field: sound, .outOfRange(found: "\"\(sound)\"", expected: "a name ending in .flac")))
    }
  }

  mutating func readSound(_ value: JSONValue) -> SoundRecipe {
    var recipe = SoundRecipe()
    checkName()
    guard var reader = open(value, "") else { return recipe }
    recipe.seconds = reader.number("seconds", in: 0.01...20, unit: " s") ?? recipe.seconds
    recipe.isStereo = reader.flag("stereo") ?? recipe.isStereo
    recipe.peak = reader.number("peak", in: -40 ... -1, unit: " dB") ?? recipe.peak
    recipe.fadeMilliseconds = reader.number("fade", in: 1...5_000, unit: " ms") ?? recipe.fadeMilliseconds
    let layers = reader.list("layers") ?? []
    if layers.isEmpty { reader.report("layers", .missing(what: "one layer at least")) }
    let chain = reader.list("chain") ?? []
    close(reader)
    for (n, layer) in layers.enumerated() { recipe.layers.append(readLayer(layer, "layer \(n + 1), ")) }
    for (n, effect) in chain.enumerated() {
      if let e = readEffect(effect, "chain \(n + 1), ") { recipe.chain.append(e) }
    }
    return recipe
  }

  private mutating func readLayer(_ value: JSONValue, _ place: String) -> LayerRecipe {
    var layer = LayerRecipe()
    guard var reader = open(value, place) else { return layer }
    layer.source = readSource(&reader)
    layer.seed = reader.integer("seed", in: 0...1_000_000) ?? layer.seed
    layer.at = reader.number("at", in: 0...20_000, unit: " ms") ?? layer.at
    layer.level = reader.number("level", in: -60...24, unit: " dB") ?? layer.level
    layer.amplitude = reader.envelope("amplitude", .decibels, in: -120...24) ?? layer.amplitude
    layer.notes = reader.notes("notes") ?? layer.notes
    layer.bend = reader.envelope("bend", .semitones, in: -96...96) ?? layer.bend
    layer.drive = reader.number("drive", in: 0...48, unit: " dB")
    layer.pan = reader.number("pan", in: -1...1) ?? layer.pan
    layer.width = reader.number("width", in: 0...1) ?? layer.width
    let vibrato = reader.value("vibrato")
    let unison = reader.value("unison")
    let filters = reader.list("filters") ?? []
    let bank = reader.list("bank") ?? []
    close(reader)
    if let vibrato { layer.vibrato = readVibrato(vibrato, place + "vibrato, ") }
    if let unison { layer.unison = readUnison(unison, place + "unison, ") }
    for (n, filter) in filters.enumerated() { layer.filters.append(readFilter(filter, place + "filter \(n + 1), ")) }
    for (n, filter) in bank.enumerated() { layer.bank.append(readFilter(filter, place + "bank \(n + 1), ")) }
    return layer
  }

  private enum SourceWord: String, CaseIterable { case sine, triangle, saw, pulse, noise, fm, modes, cluster }

  private func readSource(_ reader: inout FieldReader) -> SourceRecipe {
    switch reader.choice("source", of: SourceWord.self) {
    case .sine: return .sine
    case .triangle: return .triangle
    case .saw: return .saw
    case .pulse: return .pulse(reader.number("pulse", in: 0.05...0.95) ?? 0.5)
    case .noise: return .noise
    case .fm:
      let index = reader.envelope("index", .plain, in: 0...40) ?? Envelope(.plain, constant: 1)
      return .fm(ratio: reader.number("ratio", in: 0.01...32) ?? 1, index: index)
    case .modes: return .modes(readModes(&reader))
    case .cluster:
      let range = 20.0...20_000.0
      let low = reader.number("low", in: range, unit: " Hz") ?? 2_000
      let high = reader.number("high", in: range, unit: " Hz") ?? 12_000
      return .cluster(count: reader.integer("partials", in: 1...200) ?? 40, low: low, high: max(low, high))
    case nil:
      if reader.value("source") == nil { reader.report("source", .missing(what: "what sounds, as \"sine\"")) }
      return .noise
    }
  }

  private func readModes(_ reader: inout FieldReader) -> [SourceRecipe.Mode] {
    let expected = "a list of [ratio, dB, decay in ms]"
    guard let list = reader.list("modes") else {
      reader.report("modes", .missing(what: expected))
      return []
    }
    let modes = list.compactMap { value -> SourceRecipe.Mode? in
      guard let numbers = value.numbers, numbers.count == 3, (0.01...100).contains(numbers[0]),
        (-100...24).contains(numbers[1]), (1...20_000).contains(numbers[2])
      else { return nil }
      return .init(ratio: numbers[0], level: numbers[1], decayMilliseconds: numbers[2])
    }
    if modes.count != list.count { reader.report("modes", .wrongType(expected: expected, found: "something else")) }
    return modes
  }

  private mutating func readVibrato(_ value: JSONValue, _ place: String) -> VibratoRecipe? {
    guard var reader = open(value, place) else { return nil }
    defer { close(reader) }
    return VibratoRecipe(
      hertz: reader.number("hertz", in: 0.01...100, unit: " Hz") ?? 5,
      cents: reader.number("cents", in: 0...4_800) ?? 20,
      riseMilliseconds: reader.number("rise", in: 0...20_000, unit: " ms") ?? 0)
  }

  private mutating func readUnison(_ value: JSONValue, _ place: String) -> UnisonRecipe? {
    guard var reader = open(value, place) else { return nil }
    defer { close(reader) }
    return UnisonRecipe(
      voices: reader.integer("voices", in: 1...16) ?? 3, cents: reader.number("cents", in: 0...1_200) ?? 15,
      width: reader.number("width", in: 0...1) ?? 0)
  }

  private mutating func readFilter(_ value: JSONValue, _ place: String) -> FilterRecipe {
    var filter = FilterRecipe(kind: .low, hertz: Envelope(.hertz, constant: 1_000))
    guard var reader = open(value, place) else { return filter }
    readFilter(&filter, &reader)
    close(reader)
    return filter
  }

  private func readFilter(_ filter: inout FilterRecipe, _ reader: inout FieldReader) {
    filter.kind = reader.choice("kind", of: FilterRecipe.Kind.self) ?? filter.kind
    filter.hertz = reader.envelope("hertz", .hertz, in: 10...30_000) ?? filter.hertz
    filter.q = reader.number("q", in: 0.3...40) ?? filter.q
    filter.level = reader.number("level", in: -60...24, unit: " dB") ?? filter.level
    filter.slope = reader.integer("slope", in: 6...24) ?? filter.slope
    if ![6, 12, 24].contains(filter.slope) {
      reader.report("slope", .outOfRange(found: "\(filter.slope)", expected: "6, 12 or 24 dB an octave"))
    }
  }

  private enum EffectWord: String, CaseIterable { case drive, filter, delay, reverb }

  private mutating func readEffect(_ value: JSONValue, _ place: String) -> EffectRecipe? {
    guard var reader = open(value, place) else { return nil }
    defer { close(reader) }
    let word = reader.choice("effect", of: EffectWord.self)
    switch word {
    case .drive:
      return .drive(reader.number("amount", in: 0...48, unit: " dB") ?? 6)
    case .filter:
      var filter = FilterRecipe(kind: .low, hertz: Envelope(.hertz, constant: 1_000))
      readFilter(&filter, &reader)
      return .filter(filter)
    case .delay:
      return .delay(
        milliseconds: reader.number("milliseconds", in: 1...2_000, unit: " ms") ?? 250,
        feedback: reader.number("feedback", in: 0...0.95) ?? 0.4,
        low: reader.number("low", in: 100...20_000, unit: " Hz") ?? 6_000,
        level: reader.number("level", in: -60...0, unit: " dB") ?? -12)
    case .reverb:
      return .reverb(
        seconds: reader.number("seconds", in: 0.05...20, unit: " s") ?? 1,
        low: reader.number("low", in: 100...20_000, unit: " Hz") ?? 6_000,
        high: reader.number("high", in: 10...5_000, unit: " Hz") ?? 200,
        level: reader.number("level", in: -60...6, unit: " dB") ?? -12)
    case nil:
      if reader.value("effect") == nil { reader.report("effect", .missing(what: "which one, as \"reverb\"")) }
      return nil
    }
  }

  private mutating func open(_ value: JSONValue, _ place: String) -> FieldReader? {
    guard case .object(let fields) = value else {
      problems.append(KitError(file, field: "\(sound), \(place)", .wrongType(expected: "an object", found: value.kind)))
      return nil
    }
    var reader = FieldReader(fields, file: file, prefix: "\(sound), \(place)")
    _ = reader.text("about", atMost: 200)
    return reader
  }

  private mutating func close(_ reader: FieldReader) { problems += reader.problems + reader.strangers }
}
