import JamCommand
import JamCore
import JamKit

/// The result of `bandshell kits check` for one kit.
struct KitReport {
  let folder: KitFolder
  let problems: [KitError]
  /// Nil where it was not asked for, or where the kit cannot be loaded.
  let loudness: KitLoudness?

  /// The loudness of each pad, and below it that of the demo beat, for people. Nil where the
  /// loudness is not known.
  var loudnessText: String? {
    guard let loudness else { return nil }
    var table = TextTable(["pad", "sound", "LUFS"], rightAligned: [0, 2])
    for sound in loudness.sounds {
      table.add(["\(sound.pad.number)", sound.name, sound.loudness.map(tenths) ?? "-"])
    }
    table.add(["", "mean", loudness.mean.map(tenths) ?? "-"])
    table.add(["", "demo beat", loudness.beat.map(tenths) ?? "-"])
    return "\(table.text)\ndemo beat's true peak: \(tenths(loudness.beatPeak)) dB"
  }

  /// One JSON object (RFC 8259). The loudness of silent sounds is null.
  var json: String {
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
