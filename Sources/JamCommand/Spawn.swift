package import Glibc

/// Starts another program with an empty signal mask: ours could keep it from being ended.
///
/// Thread: any.
package enum Spawn {
  /// - Parameters:
  ///   - words: the arguments, with the program's name in front.
  ///   - actions: what becomes of the program's descriptors.
  ///   - hasOwnGroup: whether it gets a process group of its own, which Ctrl-C does not reach.
  /// - Returns: the process, and 0 or the `errno`.
  package static func start(
    _ path: String, _ words: [String], _ actions: inout posix_spawn_file_actions_t,
    hasOwnGroup: Bool = false
  ) -> (id: pid_t, code: Int32) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)))
    var words: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let code = posix_spawn(&id, path, &actions, &attributes, words, environ)
    return (id, code)
  }
}
