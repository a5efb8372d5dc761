internal import JamCore

/// The part behind the sound of a WAV file: the markers and their names.
///
/// - Source: Multimedia Programming Interface and Data Specifications 1.0, `cue ` and `LIST adtl`.
enum WAVTail {
  /// Empty without markers, and empty without sound, because FFmpeg takes bytes behind empty data
  /// as sound.
  static func bytes(markers: [ExportMarker], frames: Int) -> [UInt8] {
    let inside = markers.filter { $0.frame >= 0 && $0.frame <= frames && $0.frame <= Int(UInt32.max) }
    let sorted = inside.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
    guard frames > 0, !sorted.isEmpty else { return [] }
    var cues: [UInt8] = []
    var labels = Array("adtl".utf8)
    cues.appendLittle(UInt32(sorted.count))
    for (index, (_, marker)) in sorted.enumerated() {
      let number = UInt32(index + 1)
      cues.appendLittle(number)
      cues.appendLittle(UInt32(clamping: marker.frame))
      cues += Array("data".utf8)
      cues.appendLittle(UInt32(0))
      cues.appendLittle(UInt32(0))
      cues.appendLittle(UInt32(clamping: marker.frame))
      var label: [UInt8] = []
      label.appendLittle(number)
      label += Array(PlainText.line(marker.text).utf8) + [0]
      labels += WAVHead.chunk("labl", label)
    }
    return WAVHead.chunk("cue ", cues) + WAVHead.chunk("LIST", labels)
  }
}
