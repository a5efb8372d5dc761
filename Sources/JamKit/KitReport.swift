internal import JamCore

/// The result of `bandshell kits check` for one kit.
package struct KitReport {
  package let folder: KitFolder
  package let problems: [KitError]
  /// Nil where it was not asked for, or where the kit cannot be loaded.
  package let loudness: KitLoudness?

  package init(folder: KitFolder, problems: [KitError], loudness: KitLoudness?) {
    self.folder = folder
    self.problems = problems
    self.loudness = loudness
  }

  /// One JSON object (RFC 8259). The loudness of silent sounds is null.
  package var json: String {
    var members = [
      "\"id\":\(folder.id.quotedJSON)", "\"folder\":\(folder.path.quotedJSON)",
      "\"problems\":[\(problems.map { "\($0)".quotedJSON }.joined(separator: ","))]",
    ]
    if let loudness {
      func number(_ value: Double?) -> String { value.map(tenths) ?? "null" }
      let pads = loudness.sounds.map {
        "{\"pad\":\($0.pad.number),\"name\":\($0.name.quotedJSON),\"loudness\":\(number($0.loudness))}"
      }
      members += [
        "\"beat\":\(number(loudness.beat))", "\"beatPeak\":\(number(loudness.beatPeak))",
        "\"mean\":\(number(loudness.mean))", "\"pads\":[\(pads.joined(separator: ","))]",
      ]
    }
    return "{\(members.joined(separator: ","))}"
  }
}
