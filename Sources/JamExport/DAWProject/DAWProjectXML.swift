/// `project.xml` while it is made.
struct DAWProjectXML {
  private enum Content: String {
    case audio, notes
  }

  /// One of the two tracks that a track of the session can become.
  private struct Lane {
    var track: ExportTrack
    var content: Content
    var name: String
    var identifier: String
  }

  private let session: ExportSession
  private let time: MusicalTime
  private var lanes: [Lane] = []
  private var xml = XMLDocument()

  var text: String { xml.text }

  private static let master = "master"
  private static let tempo = "tempo"
  private static let signature = "signature"

  init(_ session: ExportSession) {
    self.session = session
    time = MusicalTime(session)
    for (index, track) in session.tracks.enumerated() {
      if track.audio != nil {
        lanes.append(Lane(track: track, content: .audio, name: track.name, identifier: "audio\(index)"))
      }
      if track.audio == nil || !track.notes.isEmpty {
        let name = track.audio == nil ? track.name : track.name + " (notes)"
        lanes.append(Lane(track: track, content: .notes, name: name, identifier: "notes\(index)"))
      }
    }
    let (lanes, time) = (lanes, time)
    xml.element("Project", ["version": "1.0"]) { xml in
      xml.element("Application", ["name": session.software.name, "version": session.software.version])
      DAWProjectXML.transport(time, &xml)
      xml.element("Structure") { xml in
        for lane in lanes { DAWProjectXML.structure(lane, &xml) }
        DAWProjectXML.masterTrack(&xml)
      }
      xml.element("Arrangement", ["id": "arrangement"]) { xml in
        xml.element("Lanes", ["timeUnit": "beats", "id": "lanes"]) { xml in
          for lane in lanes { DAWProjectXML.arrange(lane, of: session, time, &xml) }
        }
        DAWProjectXML.markers(of: session, time, &xml)
        DAWProjectXML.automation(time, &xml)
      }
      xml.element("Scenes", [:])
    }
  }

  private static func transport(_ time: MusicalTime, _ xml: inout XMLDocument) {
    let first = time.signatures[0]
    xml.element("Transport") {
      $0.element(
        "Tempo", ["unit": "bpm", "value": beats(time.stretches[0].beatsPerMinute), "id": tempo, "name": "Tempo"])
      $0.element(
        "TimeSignature",
        ["numerator": String(first.beatsPerBar), "denominator": String(first.beatUnit), "id": signature])
    }
  }

  private static func structure(_ lane: Lane, _ xml: inout XMLDocument) {
    let names = lane.track.orderedKeyNames.map { "\($0.key) \($0.name)" }.joined(separator: ", ")
    let attributes: XMLDocument.Attributes = [
      "contentType": lane.content.rawValue, "loaded": "true", "id": lane.identifier, "name": lane.name,
      "color": lane.track.colour?.hexadecimal, "comment": lane.content == .audio || names.isEmpty ? nil : names,
    ]
    xml.element("Track", attributes) {
      let channels = lane.content == .audio ? lane.track.audio?.channels ?? 2 : 2
      channel(of: lane.identifier, channels: channels, role: "regular", to: master + "-channel", &$0)
    }
  }

  private static func masterTrack(_ xml: inout XMLDocument) {
    xml.element("Track", ["contentType": "audio notes", "loaded": "true", "id": master, "name": "Master"]) {
      channel(of: master, channels: 2, role: "master", to: nil, &$0)
    }
  }

  private static func channel(
    of track: String, channels: Int, role: String, to destination: String?, _ xml: inout XMLDocument
  ) {
    let attributes: XMLDocument.Attributes = [
      "audioChannels": String(channels), "destination": destination, "role": role, "solo": "false",
      "id": track + "-channel",
    ]
    xml.element("Channel", attributes) {
      $0.element("Mute", ["value": "false", "id": track + "-mute", "name": "Mute"])
      $0.element(
        "Pan",
        [
          "max": "1.000000", "min": "0.000000", "unit": "normalized", "value": "0.500000", "id": track + "-pan",
          "name": "Pan",
        ])
      $0.element(
        "Volume",
        [
          "max": "2.000000", "min": "0.000000", "unit": "linear", "value": "1.000000", "id": track + "-volume",
          "name": "Volume",
        ])
    }
  }

  private static func arrange(_ lane: Lane, of session: ExportSession, _ time: MusicalTime, _ xml: inout XMLDocument) {
    xml.element("Lanes", ["track": lane.identifier, "id": lane.identifier + "-lanes"]) { xml in
      xml.element("Clips", ["id": lane.identifier + "-clips"]) { xml in
        switch lane.content {
        case .audio: audioClip(lane, time, &xml)
        case .notes: notesClip(lane, of: session, time, &xml)
        }
      }
    }
  }

  /// The clip's place is in beats and its content in seconds, so the sound keeps its own time
  /// whatever the tempo is.
  private static func audioClip(_ lane: Lane, _ time: MusicalTime, _ xml: inout XMLDocument) {
    guard let audio = lane.track.audio else { return }
    // A clip cannot begin before the arrangement.
    let skipped = max(0, -audio.frame)
    let start = time.beat(atFrame: Double(audio.frame + skipped))
    let end = time.beat(atFrame: Double(audio.frame + max(audio.frames, skipped)))
    let clip: XMLDocument.Attributes = [
      "time": beats(start), "duration": beats(end - start), "contentTimeUnit": "seconds",
      "playStart": Decimal.seconds(Double(skipped)), "name": lane.name,
    ]
    xml.element("Clip", clip) { xml in
      let source: XMLDocument.Attributes = [
        "algorithm": "raw", "channels": String(audio.channels), "duration": Decimal.seconds(Double(audio.frames)),
        "sampleRate": String(ExportSession.framesPerSecond), "id": lane.identifier + "-file",
      ]
      xml.element("Audio", source) { $0.element("File", ["path": audio.path]) }
    }
  }

  private static func notesClip(_ lane: Lane, of session: ExportSession, _ time: MusicalTime, _ xml: inout XMLDocument)
  {
    let clip: XMLDocument.Attributes = [
      "time": "0.0", "duration": beats(time.endBeat), "contentTimeUnit": "beats", "playStart": "0.0",
      "name": lane.name,
    ]
    xml.element("Clip", clip) { xml in
      xml.element("Notes", ["id": lane.identifier + "-list"]) { xml in
        for note in GridNote.notes(of: lane.track, in: session, time: time) {
          xml.element(
            "Note",
            [
              "time": beats(Ticks.beat(note.tick)), "duration": beats(Ticks.beat(note.endTick - note.tick)),
              "channel": String(note.channel), "key": String(note.key),
              "vel": Decimal.fixed(Double(note.velocity) / 127, digits: 6), "rel": "0.503937",
            ])
        }
      }
    }
  }

  private static func markers(of session: ExportSession, _ time: MusicalTime, _ xml: inout XMLDocument) {
    // The schema requires at least one marker.
    guard !session.orderedMarkers.isEmpty else { return }
    xml.element("Markers", ["timeUnit": "beats", "id": "markers"]) {
      for marker in session.orderedMarkers {
        let beat = Ticks.beat(Ticks.tick(atFrame: marker.frame, in: time))
        $0.element("Marker", ["time": beats(beat), "name": marker.text, "color": marker.colour.hexadecimal])
      }
    }
  }

  private static func automation(_ time: MusicalTime, _ xml: inout XMLDocument) {
    xml.element("TempoAutomation", ["timeUnit": "beats", "unit": "bpm", "id": "tempo-points"]) {
      $0.element("Target", ["parameter": tempo])
      for stretch in time.steps {
        $0.element(
          "RealPoint",
          ["time": beats(stretch.beat), "value": beats(stretch.beatsPerMinute), "interpolation": "hold"])
      }
    }
    xml.element("TimeSignatureAutomation", ["timeUnit": "beats", "id": "signature-points"]) {
      $0.element("Target", ["parameter": signature])
      for change in time.signatures where change.beat < time.endBeat || change.beat == 0 {
        $0.element(
          "TimeSignaturePoint",
          [
            "time": beats(change.beat), "numerator": String(change.beatsPerBar),
            "denominator": String(change.beatUnit),
          ])
      }
    }
  }

  /// Nine digits: an hour of rounded steps adds up to an error of less than a microsecond.
  private static func beats(_ value: Double) -> String { Decimal.fixed(value, digits: 9) }
}
