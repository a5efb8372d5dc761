internal import JamCommand

/// The `bandshell` that the benches start: the one in their own folder.
enum TestedProgram {
  static func path() throws(ChildProcess.Failure) -> String {
    guard let path = SiblingProgram.bandshell.path else {
      throw ChildProcess.Failure(description: "no bandshell beside this program: run `make bench`, which builds both")
    }
    return path
  }

  /// Starts a server of that program.
  static func server(
    kitFolders: [String] = [], rooms: [String] = [], more: [String] = []
  ) throws(ChildProcess.Failure) -> ChildServer {
    try ChildServer(kitFolders: kitFolders, rooms: rooms, more: more, program: path())
  }
}
