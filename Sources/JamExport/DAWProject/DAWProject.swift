/// A session as a DAWproject 1.0: a zip of `project.xml`, `metadata.xml` and sound files.
///
/// A track with sound and notes becomes two tracks, because few programs have tracks for both.
/// Sound is neither warped nor stretched. Tempo changes are steps (`hold`). The format has no names
/// for keys: the comment of a track of notes lists them.
/// - Source: https://github.com/bitwig/dawproject, `Project.xsd` and `MetaData.xsd` of version 1.0.
public enum DAWProject {
  /// `metadata.xml`.
  public static func metadata(of session: ExportSession) -> String {
    var xml = XMLDocument()
    let maker = session.software.name + " " + session.software.version
    xml.element("MetaData") {
      $0.element("Title", text: session.name)
      $0.element("Year", text: String(session.start.date.prefix(4)))
      $0.element("Comment", text: "Made by \(maker), begun \(session.start.date) \(session.start.time)")
    }
    return xml.text
  }

  /// `project.xml`.
  ///
  /// A session that does not begin on a bar line gets a pick-up bar, whose first beat has a tempo
  /// of its own. All times stay correct.
  /// - Thread: any; takes time in proportion to the notes.
  public static func project(of session: ExportSession) -> String { DAWProjectXML(session).text }

  /// Writes the whole archive, with the sound files below `folder` that the tracks name, each once.
  /// - Parameters:
  ///   - path: of the archive; until it is complete it is called `path.part`.
  ///   - isCancelled: asked before every megabyte of sound.
  /// - Throws: `ExportError`; then there is no archive.
  /// - Thread: any; blocks on the disk.
  public static func write(
    _ session: ExportSession, to path: String, filesIn folder: String, isCancelled: () -> Bool = { false }
  ) throws(ExportError) {
    var zip = try ZipFileWriter(path: path)
    try zip.add("metadata.xml", Array(metadata(of: session).utf8))
    try zip.add("project.xml", Array(project(of: session).utf8))
    var paths: Set<String> = []
    for audio in session.tracks.compactMap(\.audio) where paths.insert(audio.path).inserted {
      try zip.add(audio.path, fileAt: folder + "/" + audio.path, isCancelled: isCancelled)
    }
    try zip.finish()
  }
}
