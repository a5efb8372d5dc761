internal import JamCore

/// The part of `Protocol/kit.schema.json` about a pad's settings, made from the settings' rows.
public enum KitSchema {
  /// The schema, with these settings in place of its own settings after a pad's key.
  /// - Returns: nil where that place is not found.
  public static func withPadSettings(_ schema: String) -> String? {
    guard let key = schema.firstRange(of: "\n        \"key\": {"),
      let begin = schema[key.upperBound...].firstIndex(of: "\n"),
      let end = schema[begin...].firstRange(of: "\n      }\n")
    else { return nil }
    return schema[...begin] + settings.joined(separator: ",\n") + schema[end.lowerBound...]
  }

  private static var settings: [String] {
    PadSetting.allCases.compactMap { setting in
      let row = setting.row
      guard let name = row.kitName else { return nil }
      // The default number of a pad's voices depends on the pad's category.
      let initial = setting == .voices ? nil : PadSettings()[setting]
      return SettingSchema.property(name, row.summary, row.kind, initial: initial).map { "        " + $0 }
    }
  }
}
