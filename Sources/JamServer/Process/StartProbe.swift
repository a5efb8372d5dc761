import CProcess
package import JamCommand
import JamStream

/// Checks whether the system grants the resources of a server, before the first step that would
/// fail without them. A limit that is too low gets an error with its name, and not a trap.
package enum StartProbe {
  /// File descriptors beyond those that are open at the start: sockets, event loops, scores, and
  /// some connections.
  package static let descriptors = 56
  /// Our own threads, those of the event loops, and those of the runtime.
  static let threads = 25
  /// A room with its tape, kits, and the stacks and heaps of the threads. Most of it is reserved
  /// and never used.
  static let memoryBytes: Int64 = 1 << 30
  static let stackBytes: Int64 = 256 << 10

  /// The threads that Swift's runtime starts for any command.
  private static let runtimeThreads = 4
  /// The files that Swift's runtime opens for any command, and one file to read.
  private static let runtimeDescriptors = 6

  /// Checks whether Swift's runtime gets the files and threads that it needs for any command.
  /// - Throws: `StartError` that names the limits.
  package static func checkRuntime() throws(StartError) {
    if jam_probe_descriptors(Int32(runtimeDescriptors)) < runtimeDescriptors { OpenFiles.raiseLimit() }
    let descriptors = jam_probe_descriptors(Int32(runtimeDescriptors))
    guard descriptors >= runtimeDescriptors else {
      throw StartError(
        "only \(descriptors) more files can be open, and the least is \(runtimeDescriptors): raise `ulimit -n`",
        .unavailable)
    }
    let threads = jam_probe_threads(Int32(runtimeThreads))
    guard threads >= runtimeThreads else {
      throw StartError(
        "only \(threads) threads can be started: raise `ulimit -u` and `ulimit -v`, or the pids limit of its group",
        .unavailable)
    }
  }

  /// - Throws: `StartError` that names the limit and the command that raises it.
  package static func check() throws(StartError) {
    OpenFiles.raiseLimit()
    let descriptors = jam_probe_descriptors(Int32(StartProbe.descriptors))
    guard descriptors >= StartProbe.descriptors else {
      throw StartError(
        "only \(descriptors) more files can be open, and a server needs \(StartProbe.descriptors): raise `ulimit -n`",
        .unavailable)
    }
    let stack = jam_thread_stack()
    guard stack >= StartProbe.stackBytes else {
      throw StartError(
        """
        threads get only \(stack >> 10) KiB of stack, and a server needs \(StartProbe.stackBytes >> 10): raise \
        `ulimit -s`
        """,
        .unavailable)
    }
    guard jam_probe_memory(StartProbe.memoryBytes) != 0 else {
      throw StartError(
        "\(StartProbe.memoryBytes >> 20) MiB of memory cannot be had: raise `ulimit -v` and `ulimit -d`, or free some",
        .unavailable)
    }
    let threads = jam_probe_threads(Int32(StartProbe.threads))
    guard threads >= StartProbe.threads else {
      throw StartError(
        """
        only \(threads) threads can be started, and a server needs \(StartProbe.threads): raise `ulimit -u`, or the \
        pids limit of its group
        """,
        .unavailable)
    }
  }
}
