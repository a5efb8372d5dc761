import ArgumentParser
import JamNet
import JamTLS

/// The values of `--public`: names that lead to the server, and the address that others know the
/// machine by.
struct PublicNames: Hashable, Sendable {
  /// Host names, which the page then answers.
  private(set) var hosts: [String] = []
  /// The address for WebRTC; nil where none was given.
  private(set) var address: SocketAddress?
  /// The names and the address as they were typed.
  private(set) var all: [String] = []

  init() {}

  /// - Throws: `ValidationError` where a value is neither, or where there are two addresses.
  init(_ values: [String]) throws {
    for value in values {
      if let given = SocketAddress(host: value) {
        guard address == nil else {
          throw ValidationError("--public \(value) is a second address: WebRTC takes one alone")
        }
        address = given
      } else {
        guard case .host? = CertificateName(value) else {
          throw ValidationError(
            """
            --public \(value) is neither a name nor an address: write a name alone, as \
            jam.example.org, or an address in numbers, as 203.0.113.7 or 2001:db8::7
            """)
        }
        hosts.append(value)
      }
      all.append(value)
    }
  }
}
