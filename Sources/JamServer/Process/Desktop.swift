import Glibc
import JamCommand

/// The desktop of the person who started the server, where there is one.
package enum Desktop {
  /// Whether there is a screen, and a person started the server by hand at a terminal of this
  /// machine.
  package static var isThere: Bool {
    func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
    return (isSet("DISPLAY") || isSet("WAYLAND_DISPLAY")) && !isSet("SSH_CONNECTION") && isatty(STDERR_FILENO) != 0
  }

  /// Opens an address in the browser.
  /// - Returns: nil, or the reason why it could not be opened.
  package static func open(_ address: String) -> String? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The browser's messages must not get into the server's own streams.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // The shell ends at once, and init adopts the browser, so nobody has to wait for the browser.
    // Ctrl-C is for the server alone.
    let words = ["sh", "-c", "xdg-open \"$1\" &", "sh", address]
    let (id, code) = Spawn.start("/bin/sh", words, &actions, hasOwnGroup: true)
    guard code == 0 else { return SystemError.text(code) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    return nil
  }

  /// Whether the program that opens addresses is installed.
  package static var canOpen: Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/xdg-open", X_OK) == 0 }
  }
}
