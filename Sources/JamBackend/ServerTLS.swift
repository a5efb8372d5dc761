import Glibc
package import JamCommand
package import JamCore
package import JamServer
package import JamTLS
package import JamWeb

/// The certificate that the page is served with.
package enum TLSWish: Hashable, Sendable {
  /// No TLS.
  case none
  /// A certificate of the server's own authority.
  case auto
  /// A certificate and a key from files in PEM; both may be in one file.
  case files(certificates: String, key: String)

  /// The options `--tls` and `--tls-key`.
  package init(_ tls: String?, key: String?) {
    self =
      switch tls {
      case nil: .none
      case "auto"?: .auto
      case let file?: .files(certificates: file, key: key ?? file)
      }
  }

  /// The options as they were typed.
  var words: String {
    switch self {
    case .none: ""
    case .auto: "--tls auto"
    case .files(let certificates, let key):
      "--tls \(certificates)" + (key == certificates ? "" : " --tls-key \(key)")
    }
  }
}

/// The certificate of a server with TLS.
package struct ServerTLS: Sendable {
  package let keys: TLSKeys
  /// The server's own authority; nil where the certificate comes from files.
  package let authority: OwnAuthority?

  /// - Throws: `StartError` where no certificate can be used.
  package init?(
    _ wish: TLSWish, data: DataFolder?, names: @escaping @Sendable () -> [CertificateName], log: any ServerLog
  ) throws(StartError) {
    let report: @Sendable (TLSKeys.Problem) -> Void = { problem in
      log.write(.serverWarning, ["reason": .text("the certificate stays as it was: \(problem)")])
    }
    do throws(TLSKeys.Problem) {
      switch wish {
      case .none: return nil
      case .auto:
        let authority: OwnAuthority
        do throws(TLSProblem) {
          authority = try OwnAuthority(
            in: data.map { DataFolder.certificates(in: $0.path) }, machine: ServerTLS.machine, names: names())
        } catch { throw TLSKeys.Problem("\(error)") }
        self.authority = authority
        keys = try TLSKeys(
          from: { () throws(TLSKeys.Problem) in
            do throws(TLSProblem) {
              let pair = try authority.server(names: names())
              return TLSPair(certificates: pair.certificate, key: pair.key)
            } catch { throw TLSKeys.Problem("\(error)") }
          }, report: report)
      case .files(let certificates, let key):
        authority = nil
        keys = try TLSKeys(
          from: { () throws(TLSKeys.Problem) in
            TLSPair(
              certificates: try ServerTLS.read(certificates), key: try ServerTLS.read(key))
          }, report: report)
      }
    } catch {
      throw StartError("\(wish.words): \(error)", .badData)
    }
  }

  private static func read(_ path: String) throws(TLSKeys.Problem) -> String {
    guard let text = PEMFile.read(path) else {
      let reason = access(path, R_OK) == 0 ? "is no PEM file" : SystemError.text(errno)
      throw TLSKeys.Problem("\(path): \(reason)")
    }
    return text
  }

  /// This machine's name.
  package static var machine: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, 255) == 0 else { return "localhost" }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "localhost" : name
  }

  /// The names by which browsers reach the page: this machine's own, and others.
  /// - Parameter hosts: the machine's addresses now, and the names that the operator gave.
  package static func names(hosts: [String]) -> [CertificateName] {
    let machine = machine
    let short = machine.prefix { $0 != "." }
    let all = hosts + ["localhost", "127.0.0.1", "::1", machine, "\(short).local"]
    var names: [CertificateName] = []
    for name in all.compactMap({ CertificateName($0) }) where !names.contains(name) { names.append(name) }
    return names
  }
}
