import NIOCore
import NIOHTTP1

/// `GET /kits`, `GET /waveforms/<sound>` and `GET /waveforms/<kit>`: facts of kits and sounds that
/// the page draws, and that OSC does not tell.
enum KitFacts {
  static let folder = "/waveforms/"
  /// The number of parts of a waveform; the page has no room to draw more.
  private static let parts = 480

  static func kits(_ room: any WebRoom) -> Response {
    var json = JSONWriter(capacity: 4_096)
    json.object { json in
      json.array("kits") { json in
        for kit in room.kits {
          json.object { json in
            json.value(kit.id, "id")
            json.value(kit.name, "name")
            json.array("colours") { json in for colour in kit.colours { json.value(colour) } }
            json.array("pads") { json in for pad in kit.pads { json.value(pad) } }
            json.array("categories") { json in
              for category in kit.categories { json.value(category) }
            }
            json.array("keys") { json in
              for key in kit.keys {
                json.object { json in
                  json.value(key.pad, "pad")
                  json.value(key.note, "note")
                  json.value(key.transpose, "transpose")
                }
              }
            }
          }
        }
      }
    }
    return answer(json, caching: "no-cache")
  }

  /// The waveform of one sound. The kit may have to be read first, so the answer comes from another
  /// thread.
  static func waveform(_ request: HTTPRequest, in room: any WebRoom) -> Response {
    let sound = String(request.path.dropFirst(folder.count))
    guard sound.contains("/") else { return waveforms(ofKit: sound, request, in: room) }
    let unknown = Response.text(.notFound, "there is no sound '\(sound)': /samples lists them by OSC, as starter/3")
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "a waveform is asked for without a body")) { _, answered in
          room.waveform(of: sound, parts: parts) { waveform in
            guard let waveform else { return answered(unknown) }
            var json = JSONWriter(capacity: 2_048)
            json.object { json in
              json.value(waveform.seconds, "seconds")
              json.array("peaks") { json in for peak in waveform.peaks { json.value(Int(peak)) } }
            }
            // A sound's name means the same sound as long as the server runs, unless somebody edits
            // the kit.
            answered(answer(json, caching: "max-age=3600"))
          }
        }))
  }

  /// The waveforms of all pads of a kit, in about 1.5 KB: two hexadecimal digits for each part of a
  /// sound.
  private static func waveforms(ofKit kit: String, _ request: HTTPRequest, in room: any WebRoom) -> Response {
    let unknown = Response.text(.notFound, "there is no kit '\(kit)': /kits lists them")
    let known = request.head.headers.first(name: "If-None-Match")
    return Response(
      body: .receive(
        BodyPlan(limit: 0, tooLarge: .text(.payloadTooLarge, "waveforms are asked for without a body")) { _, answered in
          room.waveforms(ofKit: kit) { waveforms in
            guard let waveforms else { return answered(unknown) }
            var json = JSONWriter(capacity: 2_048)
            json.object { json in
              json.array("pads") { json in
                for waveform in waveforms {
                  json.object { json in
                    json.value(waveform?.seconds ?? 0, "seconds")
                    json.value(hexadecimal(waveform?.peaks ?? []), "peaks")
                  }
                }
              }
            }
            // Somebody may save the kit again under its name, so a browser asks each time. The
            // answer is mostly 304.
            let tag = Asset.tag(of: Array(json.text.utf8))
            let headers = [(name: "ETag", value: tag), (name: "Cache-Control", value: "no-cache")]
            guard known != tag else { return answered(Response(.notModified, headers: headers)) }
            answered(
              Response(
                headers: [(name: "Content-Type", value: "application/json")] + headers,
                body: .bytes(ByteBuffer(string: json.text))))
          }
        }))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func answer(_ json: JSONWriter, caching: String) -> Response {
    Response(
      headers: [("Content-Type", "application/json"), ("Cache-Control", caching)],
      body: .bytes(ByteBuffer(string: json.text)))
  }
}

/// A kit as the page draws it. People chose these texts, so the page shows them as text, never as
/// markup.
public struct KitLook: Hashable, Sendable {
  public var id: String
  public var name: String
  /// Two CSS hex colours, `#rrggbb`, or none.
  public var colours: [String]
  /// Numbers of the pads that have a sound, 1…16, ascending.
  public var pads: [Int]
  /// The names of the sixteen pads; empty is an empty pad.
  public var names: [String]
  /// The categories of the sixteen pads, such as `kick`; empty is an empty pad.
  public var categories: [String]
  /// The keys of those sounds that tell their key, in the order of the pads.
  public var keys: [PadKey]

  public init(
    id: String, name: String, colours: [String], pads: [Int], names: [String] = [],
    categories: [String] = [], keys: [PadKey] = []
  ) {
    self.id = id
    self.name = name
    self.colours = colours
    self.pads = pads
    self.names = names
    self.categories = categories
    self.keys = keys
  }
}

/// The key of a pad's sound in its kit.
public struct PadKey: Hashable, Sendable {
  /// The pad's number, 1…16.
  public var pad: Int
  /// Semitones above C, 0…11; heard with the kit's own transposition.
  public var note: Int
  /// The kit's own transposition, in semitones.
  public var transpose: Double

  public init(pad: Int, note: Int, transpose: Double) {
    self.pad = pad
    self.note = note
    self.transpose = transpose
  }
}

/// A sound's peaks in equal parts, 255 is full scale.
public struct WaveformFacts: Hashable, Sendable {
  public var seconds: Double
  public var peaks: [UInt8]

  public init(seconds: Double, peaks: [UInt8]) {
    self.seconds = seconds
    self.peaks = peaks
  }
}
