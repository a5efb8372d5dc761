internal import JamCore

/// One row of the address table as a node of the tree: all its facts that never change, as JSON.
struct QueryMethod: Sendable {
  /// The words of a setting that are names of things in the room.
  enum Choices: Sendable { case kits, instruments }

  /// The OSC types of the arguments.
  let types: [UInt8]
  /// Attributes that the node has, with their JSON.
  let facts: [QueryAttribute: [UInt8]]
  /// The same facts as members of an object, each with a comma in front. `DESCRIPTION` is not among
  /// them.
  let members: [UInt8]
  /// The values of a control that nobody touches, as an array.
  let resting: [UInt8]
  /// Characters for a text of JSON, without quotation marks.
  let description: [UInt8]
  let choices: Choices?
  /// Whether values are told at the address.
  let isReadable: Bool
  /// Whether a client may send the address by itself.
  let isSettable: Bool
  /// Whether only hosts may send it.
  let isHost: Bool
  /// Whether the row has so many addresses that a branch describes only the first one of each list.
  let isNumerous: Bool

  private static let manyAddresses = 8

  /// - Parameter isReadable: whether the address has a value, or the light of a control.
  init(_ entry: AddressEntry, isReadable: Bool) {
    let specs = entry.querySpecs
    let isHost = entry.scope == .host
    types = specs.flatMap(\.queryType)
    choices =
      switch entry.template {
      case "/kit": .kits
      case "/instrument": .instruments
      default: nil
      }
    self.isReadable = isReadable
    isSettable =
      entry.build != nil && entry.access != .readOnly && !entry.isOfScores && !entry.isHeadOfBundle
    self.isHost = isHost
    isNumerous =
      entry.numbers.reduce(1) { $0 * $1.range.count } > QueryMethod.manyAddresses
      || (entry.segments.first == "player" || entry.segments.first == "mix") && entry.segments.count > 2
    resting = QueryMethod.array(specs.isEmpty ? ["null"] : specs.map(\.restingJSON))
    description = Array(QueryMethod.description(of: entry).quotedJSON.utf8.dropFirst().dropLast())

    var facts: [QueryAttribute: [UInt8]] = [:]
    let type = types.isEmpty ? "N" : String(decoding: types, as: UTF8.self)
    facts[.type] = Array(type.quotedJSON.utf8)
    let ranges = specs.map(\.rangeJSON)
    if choices == nil, ranges.contains(where: { $0 != nil }) {
      facts[.range] = QueryMethod.array(ranges.map { $0 ?? "null" })
    }
    let isSet = entry.access == .setter || entry.access == .call
    if isSet, !entry.isLit, specs.contains(where: \.hasEnds) {
      // The server refuses a number beyond the ends, so clients are asked to clip it before.
      facts[.clipMode] = QueryMethod.array(specs.map { $0.hasEnds ? "\"both\"" : "\"none\"" })
    }
    // libossia takes the type from the unit, and gives every unit of ours one float.
    if specs.count == 1, types == [UInt8(ascii: "f")], let unit = specs[0].queryUnit {
      facts[.unit] = QueryMethod.array([unit.quotedJSON])
    }
    let tags = (entry.queryTag.map { [$0] } ?? []) + (isHost ? ["host"] : [])
    if !tags.isEmpty { facts[.tags] = QueryMethod.array(tags.map(\.quotedJSON)) }
    self.facts = facts
    members = QueryAttribute.allCases.flatMap { attribute -> [UInt8] in
      facts[attribute].map { Array(",\"\(attribute.rawValue)\":".utf8) + $0 } ?? []
    }
  }

  private static func array(_ elements: [String]) -> [UInt8] {
    Array("[\(elements.joined(separator: ","))]".utf8)
  }

  private static func description(of entry: AddressEntry) -> String {
    guard entry.scope == .host else { return entry.summary }
    let isSetting = entry.access == .setter || entry.access == .switch
    return entry.summary + (isSetting ? " Only a host may set it." : " Only a host may send it.")
  }

  /// The arguments as a `VALUE`, converted to the types of the row.
  /// - Returns: nil where they are no value of these types. `/host`, for example, takes a word, and
  ///   tells a number.
  func value(_ arguments: [OSCArgument]) -> [UInt8]? {
    guard !types.isEmpty, arguments.count >= types.count else { return nil }
    var json: [UInt8] = [UInt8(ascii: "[")]
    for (type, argument) in zip(types, arguments) {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      guard let element = QueryMethod.element(argument, type) else { return nil }
      json += element.utf8
    }
    json.append(UInt8(ascii: "]"))
    return json
  }

  private static func element(_ argument: OSCArgument, _ type: UInt8) -> String? {
    switch type {
    case UInt8(ascii: "s"): return argument.text?.quotedJSON
    case UInt8(ascii: "f"): return argument.number.map { QueryNumber.float($0) }
    case UInt8(ascii: "i"), UInt8(ascii: "h"):
      if case .int64(let value) = argument { return "\(value)" }
      return argument.number.map { QueryNumber.integer($0) }
    default: return nil
    }
  }
}

/// Numbers as JSON.
enum QueryNumber {
  /// With a point or an exponent, because libossia takes no other number for a float.
  static func float(_ value: Double) -> String {
    let value = Float(value)
    return value.isFinite ? "\(value)" : "null"
  }

  static func integer(_ value: Double) -> String { "\(Int64(saturating: value.rounded()))" }
}
