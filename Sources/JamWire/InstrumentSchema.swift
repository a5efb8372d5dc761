internal import JamCore

/// The text of `Protocol/instrument.schema.json`: the format of an `instrument.json`. The ranges of
/// a patch come from the settings' rows.
public enum InstrumentSchema {
  public static func text() -> String {
    // Not indented, so that the indentation below is the file's.
    #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "An instrument of Bandshell (instrument.json, format 1)",
      "description": "The format is explained in instruments.md. What a schema cannot say: no two zones have a key \#
    in common, each lies within \#(InstrumentZone.reach) semitones of its root, upTo rises from layer to layer, \#
    and a patch beside zones has gain, bend/range and amp/release alone.",
      "type": "object",
      "additionalProperties": false,
      "required": ["format", "name"],
      "anyOf": [{ "required": ["patch"] }, { "required": ["zones"] }],
      "properties": {
        "format": { "const": 1 },
        "name": { "$ref": "#/$defs/line", "minLength": 1, "maxLength": \#(name) },
        "category": { "$ref": "#/$defs/line", "maxLength": \#(name) },
        "order": { "type": "number", "minimum": -1000, "maximum": 1000, "default": 0 },
        "author": { "$ref": "#/$defs/line", "maxLength": \#(name) },
        "license": { "$ref": "#/$defs/line", "maxLength": \#(name) },
        "credits": { "$ref": "#/$defs/line", "maxLength": 1000 },
        "sends": {
          "description": "How much of the channel goes to the room's delay and reverb, until its player moves it.",
          "type": "object",
          "properties": {
            "delay": { "type": "number", "minimum": 0, "maximum": 1, "default": 0 },
            "reverb": { "type": "number", "minimum": 0, "maximum": 1, "default": 0 }
          },
          "additionalProperties": false
        },
        "pack": { "description": "The Debian package whose files the zones name.", "enum": ["sonic-pi-samples", \#
    "hydrogen-drumkits"] },
        "patch": { "$ref": "#/$defs/patch" },
        "zones": { "type": "array", "items": { "$ref": "#/$defs/zone" }, "minItems": 1, \#
    "maxItems": \#(InstrumentZone.most) }
      },
      "$defs": {
        "line": { "type": "string", "pattern": "^[^\\u0000-\\u001f\\u007f]*$" },
        "path": {
          "description": "Within the instrument's folder, with /.",
          "$ref": "#/$defs/line",
          "minLength": 1,
          "maxLength": 255,
          "not": { "pattern": "^/|(^|/)\\.\\.(/|$)" }
        },
        "note": { "description": "60 is the middle C.", "type": "integer", "minimum": 0, "maximum": 127 },
        "loop": {
          "description": "Two frames of the file, the second one the greater.",
          "type": "array",
          "items": { "type": "integer", "minimum": 0 },
          "minItems": 2,
          "maxItems": 2
        },
        "zone": {
          "type": "object",
          "additionalProperties": false,
          "required": ["root"],
          "oneOf": [{ "required": ["file"] }, { "required": ["layers"] }],
          "properties": {
            "root": { "$ref": "#/$defs/note" },
            "low": { "$ref": "#/$defs/note" },
            "high": { "$ref": "#/$defs/note" },
            "tune": { "description": "In cents.", "type": "number", "minimum": -100, "maximum": 100, "default": 0 },
            "gain": { "description": "In dB.", "type": "number", "minimum": -60, "maximum": 12, "default": 0 },
            "file": { "$ref": "#/$defs/path" },
            "loop": { "$ref": "#/$defs/loop" },
            "layers": { "type": "array", "items": { "$ref": "#/$defs/layer" }, "minItems": 1, "maxItems": 32 }
          }
        },
        "layer": {
          "type": "object",
          "additionalProperties": false,
          "required": ["files"],
          "properties": {
            "upTo": { "description": "The highest velocity.", "type": "number", "minimum": 0, "maximum": 1, \#
    "default": 1 },
            "gain": { "description": "In dB, on top of the zone's.", "type": "number", "minimum": -60, \#
    "maximum": 40, "default": 0 },
            "files": { "type": "array", "items": { "$ref": "#/$defs/path" }, "minItems": 1, "maxItems": 32 },
            "loops": { "description": "One for each of files.", "type": "array", \#
    "items": { "oneOf": [{ "$ref": "#/$defs/loop" }, { "type": "null" }] }, "minItems": 1, "maxItems": 32 }
          }
        },
        "patch": {
          "description": "What is other than a plain patch.",
          "type": "object",
          "additionalProperties": false,
          "properties": {
    \#(settings)
          }
        }
      }
    }

    """#
  }

  private static let name = Limits.standard.nameCharacters

  private static var settings: String {
    PatchSetting.allCases.compactMap { setting in
      let row = setting.row
      return SettingSchema.property(row.path, row.summary, row.kind, initial: PatchSettings()[setting])
    }.map { "        " + $0 }.joined(separator: ",\n")
  }
}
