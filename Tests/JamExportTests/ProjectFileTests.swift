internal import JamExport
internal import Testing

@Suite("Project files") struct ProjectFileTests {
  private let session = ExportSession(
    name: "<Jam> & \"Co\" \u{1}\u{fffe}🥁", frames: 48_000 * 8, start: StartTime(unixSeconds: 1_760_000_000),
    software: ExportSoftware(name: "Bandshell", version: "1.2"),
    tempo: [
      TempoStretch(frame: 0, beat: 0, beatsPerMinute: 120),
      TempoStretch(frame: 96_000, beat: 4, beatsPerMinute: 90),
    ],
    signatures: Jam.four + [SignatureChange(beat: 4, bar: 2, beatsPerBar: 3, beatUnit: 8)],
    markers: [ExportMarker(frame: 24_000, text: "a\t\"b\"\n", kind: .buildUp)],
    tracks: [
      ExportTrack(
        name: "Ada", colour: ExportColour(red: 255, green: 128, blue: 1),
        audio: ExportAudio(path: "stems/Ada.wav", frames: 192_000),
        notes: [ExportNote(frame: 24_000, length: 12_000, key: 36, velocity: 127)], keyNames: [36: "Kick <&>"]),
      ExportTrack(name: "late", audio: ExportAudio(path: "b.wav", frames: 48_000, channels: 1, frame: -24_000)),
    ])

  private func expect(_ text: String, _ lines: String..., at place: SourceLocation = #_sourceLocation) {
    for line in lines { #expect(text.contains(line), "\(line)", sourceLocation: place) }
  }

  @Test("DAWproject has tempo, signatures, markers, sound and notes")
  func dawProject() {
    let xml = DAWProject.project(of: session)
    expect(
      xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"", "<Project version=\"1.0\">",
      "<Application name=\"Bandshell\" version=\"1.2\"/>",
      "<Tempo unit=\"bpm\" value=\"120.000000000\" id=\"tempo\" name=\"Tempo\"/>",
      "<RealPoint time=\"0.000000000\" value=\"120.000000000\" interpolation=\"hold\"/>",
      "<RealPoint time=\"4.000000000\" value=\"90.000000000\" interpolation=\"hold\"/>",
      "<TimeSignaturePoint time=\"4.000000000\" numerator=\"3\" denominator=\"8\"/>",
      "<Marker time=\"1.000000000\" name=\"a &quot;b&quot; \" color=\"#e0a020\"/>",
      "name=\"Ada\" color=\"#ff8001\"", "name=\"Ada (notes)\" color=\"#ff8001\" comment=\"36 Kick &lt;&amp;&gt;\"",
      "<Note time=\"1.000000000\" duration=\"0.500000000\" channel=\"9\" key=\"36\" vel=\"1.000000\"",
      // Two seconds at 120, then two at 90.
      "<Clip time=\"0.000000000\" duration=\"7.000000000\" contentTimeUnit=\"seconds\" playStart=\"0.000000000000\"",
      "<Audio algorithm=\"raw\" channels=\"2\" duration=\"4.000000000000\" sampleRate=\"48000\"",
      "<File path=\"stems/Ada.wav\"/>",
      // What begins before the session is cut at its beginning.
      "<Clip time=\"0.000000000\" duration=\"1.000000000\" contentTimeUnit=\"seconds\" playStart=\"0.500000000000\"")
    #expect(xml == DAWProject.project(of: session))
  }

  @Test("metadata is escaped, without characters that XML has not")
  func metadata() {
    let xml = DAWProject.metadata(of: session)
    expect(xml, "<Title>&lt;Jam&gt; &amp; &quot;Co&quot;   🥁</Title>", "<Year>2025</Year>")
    #expect(xml.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0 != "\u{fffe}" })
  }

  @Test("no markers, no element: the schema wants one at least")
  func noMarkers() {
    #expect(!DAWProject.project(of: ExportSession(name: "", frames: 1)).contains("<Markers"))
  }

  @Test("the archive holds the files that the tracks name")
  func archive() throws {
    let folder = Folder()
    folder.write("b.wav", [1, 2, 3])
    var session = session
    session.tracks[0].audio?.path = "b.wav"
    for name in ["x", "y"] { try DAWProject.write(session, to: folder.path + "/" + name, filesIn: folder.path) }
    #expect(folder.names == ["b.wav", "x", "y"])
    #expect(folder.bytes("x") == folder.bytes("y"))
    let text = String(decoding: folder.bytes("x"), as: UTF8.self)
    expect(text, "metadata.xml<?xml", "project.xml<?xml", "b.wav\u{1}\u{2}\u{3}PK")
    session.tracks[0].audio?.path = "../b.wav"
    #expect(throws: ExportError.badPath("../b.wav")) {
      try DAWProject.write(session, to: folder.path + "/z", filesIn: folder.path)
    }
    #expect(folder.names == ["b.wav", "x", "y"])
  }

  @Test("Reaper has tempo, signatures, markers, sound and notes")
  func reaper() {
    let text = ReaperProject.text(of: session)
    expect(
      text, "<REAPER_PROJECT 0.1 ", "  TEMPO 120.0000000000 4 4\n", "  PROJOFFS 0 0 0\n",
      "    PT 0.000000000000 120.0000000000 1 262148 0 1\n", "    PT 2.000000000000 90.0000000000 1 524291 0 1\n",
      "  MARKER 1 0.500000000000 'a \"b\" ' 0 18915552 1\n", "    NAME \"Ada\"\n    PEAKCOL 16875775\n",
      "      POSITION 0.000000000000\n      LENGTH 4.000000000000\n",
      "      <SOURCE WAVE\n        FILE \"stems/Ada.wav\"\n      >\n", "      -1 36 \"Kick <&>\" 0 36\n",
      "        HASDATA 1 9600 QN\n        E 9600 99 24 7f\n        E 4800 89 24 00\n        E 110400 b0 7b 00\n",
      "      POSITION 0.000000000000\n      LENGTH 0.500000000000\n      SOFFS 0.500000000000\n")
    var depth = 0
    for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
      if line.hasPrefix("<") { depth += 1 }
      if line == ">" { depth -= 1 }
    }
    #expect(depth == 0)
  }

  @Test("a signature between two tempos has a point of its own")
  func reaperSignature() {
    var session = session
    session.signatures.append(SignatureChange(beat: 7, bar: 4, beatsPerBar: 4, beatUnit: 4))
    expect(ReaperProject.text(of: session), "    PT 4.000000000000 90.0000000000 1 262148 0 1\n")
  }

  @Test("Audacity's labels are one line each")
  func labels() {
    #expect(AudacityLabels.text(of: session) == "0.500000\t0.500000\ta \"b\" \n")
  }
}
