internal import Glibc
internal import Synchronization

/// The server's own certificate authority, for browsers in a network without another authority. A
/// device that has once accepted the authority's certificate trusts the server under all of its
/// later addresses.
///
/// The authority can only sign for names and addresses of local networks, and for those that the
/// server had when the authority was made. A thief of its key can therefore not impersonate any
/// other site. A server's certificate is valid for 396 days, less than the longest time that
/// browsers accept. A new one is made for new names, and a month before the end.
///
/// Thread: any; calls wait for each other.
/// - Source: RFC 5280 §4.2.1.10 (name constraints).
public final class OwnAuthority: Sendable {
  /// The authority's certificate and its key.
  fileprivate struct Pair {
    var certificate: Certificate
    var key: PrivateKey
  }

  private struct Issued {
    var names: [CertificateName]
    var certificate: Certificate
    var texts: (certificate: String, key: String)
  }

  private let own: Pair
  private let last: Mutex<Issued?>

  private static let authorityDays = 3_650
  private static let serverDays = 396
  private static let renewalDays = 30
  /// A text that no server's name could equal. With a dot, the name would be checked against the
  /// constraints.
  private static let commonName = "Bandshell"

  /// The networks and names without a public meaning: RFC 1918, 6598, 3927, 4193, 4291; RFC 6762,
  /// 8375, 2606.
  private static let local = [
    "permitted;IP:10.0.0.0/255.0.0.0", "permitted;IP:172.16.0.0/255.240.0.0", "permitted;IP:192.168.0.0/255.255.0.0",
    "permitted;IP:100.64.0.0/255.192.0.0", "permitted;IP:169.254.0.0/255.255.0.0", "permitted;IP:127.0.0.0/255.0.0.0",
    "permitted;IP:fc00::/fe00::", "permitted;IP:fe80::/ffc0::",
    "permitted;IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "permitted;DNS:local", "permitted;DNS:localhost",
    "permitted;DNS:lan", "permitted;DNS:internal", "permitted;DNS:home.arpa",
  ]

  /// Uses the authority in the folder. A new authority is made and stored where the folder holds
  /// none, none that can be read, or one that may not sign for `names`.
  /// - Parameters:
  ///   - folder: made where it is missing. Nil stores nothing, and devices trust the server until
  ///     it ends.
  ///   - machine: this machine's name, which the authority's own name contains.
  ///   - names: the present names of the server, at least one.
  /// - Throws: `TLSProblem.file` where a file cannot be written to the folder.
  public init(in folder: String?, machine: String, names: [CertificateName]) throws(TLSProblem) {
    if let kept = folder.flatMap(OwnAuthority.kept), kept.maySpeak(for: names) {
      own = kept
    } else {
      own = try OwnAuthority.fresh(machine, names)
      if let folder { try OwnAuthority.keep(own, in: folder) }
    }
    last = Mutex(try OwnAuthority.issue(names, by: own))
  }

  /// The authority's certificate in DER, for devices to install.
  public var certificate: [UInt8] { own.certificate.bytes }

  /// SHA-256 of the certificate, for people to compare.
  public var fingerprint: String { own.certificate.fingerprint }

  /// A server's certificate, followed by the authority's, and the server's key, all in PEM. The
  /// last ones are returned while they are still valid.
  /// - Parameter names: the names of the server. Names that the authority may not sign for are left
  ///   out, such as an address from elsewhere that the server got later.
  public func server(names: [CertificateName]) throws(TLSProblem) -> (certificate: String, key: String) {
    let issued: Result<Issued, TLSProblem> = last.withLock { last in
      if let last, last.names == names,
        own.certificate.vouches(for: last.certificate, in: OwnAuthority.renewalDays)
      {
        return .success(last)
      }
      let result = Result { () throws(TLSProblem) in try OwnAuthority.issue(names, by: own) }
      if case .success(let issued) = result { last = issued }
      return result
    }
    return try issued.get().texts
  }

  private static func issue(_ names: [CertificateName], by own: Pair) throws(TLSProblem) -> Issued {
    let known = names.filter { own.maySpeak(for: [$0]) }
    guard !known.isEmpty else { throw .notMade("a certificate for no name") }
    let key = try PrivateKey()
    let certificate = try own.certificate.issue(commonName, for: known, days: serverDays, key: key, by: own.key)
    let texts = (try certificate.text() + own.certificate.text(), try key.text())
    return Issued(names: names, certificate: certificate, texts: texts)
  }

  // MARK: Files

  private static func fresh(_ machine: String, _ names: [CertificateName]) throws(TLSProblem) -> Pair {
    let key = try PrivateKey()
    let constraints = local + names.map(\.constraint)
    let authority = try Certificate.authority(
      String("Bandshell on \(machine)".prefix(60)), for: constraints, days: authorityDays, key: key)
    return Pair(certificate: authority, key: key)
  }

  private static func paths(in folder: String) -> (certificate: String, key: String) {
    ("\(folder)/authority.pem", "\(folder)/authority.key")
  }

  private static func kept(in folder: String) -> Pair? {
    let paths = paths(in: folder)
    guard let certificate = PEMFile.read(paths.certificate).flatMap(Certificate.init),
      let key = PEMFile.read(paths.key).flatMap(PrivateKey.init), certificate.belongs(to: key)
    else { return nil }
    return Pair(certificate: certificate, key: key)
  }

  private static func keep(_ pair: Pair, in folder: String) throws(TLSProblem) {
    let paths = paths(in: folder)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw .file(folder, reason: String(cString: strerror(errno)))
    }
    // The key is written first, because a certificate without its key is replaced by a new one.
    try PEMFile.write(try pair.key.text(), to: paths.key)
    try PEMFile.write(try pair.certificate.text(), to: paths.certificate)
  }
}

extension OwnAuthority.Pair {
  /// Whether browsers would accept a certificate for the names for as long as it may be valid.
  fileprivate func maySpeak(for names: [CertificateName]) -> Bool {
    // The trial certificate is never used, so it needs no key of its own.
    guard let trial = try? certificate.issue("trial", for: names, days: 2, key: key, by: key) else { return false }
    return certificate.vouches(for: trial, in: 0)
  }
}
