internal import Glibc
internal import Synchronization

/// An authority of the server's own, by which browsers trust it in a network that has no other. A device
/// that has taken its certificate once trusts the server under every address that it gets later.
///
/// It can vouch for names and addresses of local networks alone, and for those that the server had when
/// the authority was made. So whoever steals its key can pretend to be no other site. A server's
/// certificate holds for 396 days, less than the most that browsers take. It is made anew for new names,
/// and a month before its end.
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
  /// No name that a server could have: with a dot it would be held against the constraints.
  private static let commonName = "Bandshell"

  /// Of networks without names in the world: RFC 1918, 6598, 3927, 4193, 4291; RFC 6762, 8375, 2606.
  private static let local = [
    "permitted;IP:10.0.0.0/255.0.0.0", "permitted;IP:172.16.0.0/255.240.0.0", "permitted;IP:192.168.0.0/255.255.0.0",
    "permitted;IP:100.64.0.0/255.192.0.0", "permitted;IP:169.254.0.0/255.255.0.0", "permitted;IP:127.0.0.0/255.0.0.0",
    "permitted;IP:fc00::/fe00::", "permitted;IP:fe80::/ffc0::",
    "permitted;IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "permitted;DNS:local", "permitted;DNS:localhost",
    "permitted;DNS:lan", "permitted;DNS:internal", "permitted;DNS:home.arpa",
  ]

  /// Takes what the folder holds. It makes and keeps a new one where the folder holds none, none that can
  /// be read, or one that may not speak for `names`.
  /// - Parameters:
  ///   - folder: made where it is missing; nil keeps nothing, and devices trust the server until its end.
  ///   - machine: this machine's name, as the authority's own name shows it.
  ///   - names: by which the server is reached now, at least one.
  /// - Throws: `TLSProblem.file` where the folder takes no file.
  public init(in folder: String?, machine: String, names: [CertificateName]) throws(TLSProblem) {
    if let kept = folder.flatMap(OwnAuthority.kept), kept.maySpeak(for: names) {
      own = kept
    } else {
      own = try OwnAuthority.fresh(machine, names)
      if let folder { try OwnAuthority.keep(own, in: folder) }
    }
    last = Mutex(try OwnAuthority.issue(names, by: own))
  }

  /// Its certificate in DER, for devices to take.
  public var certificate: [UInt8] { own.certificate.bytes }

  /// SHA-256 of it, for people to compare.
  public var fingerprint: String { own.certificate.fingerprint }

  /// A server's certificate with the authority's behind it, and its key, both PEM: the last ones where
  /// they still hold.
  /// - Parameter names: those that the authority may not speak for are left out, as an address that came
  ///   later from elsewhere.
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
    // The key first: a certificate without its key is made anew.
    try PEMFile.write(try pair.key.text(), to: paths.key)
    try PEMFile.write(try pair.certificate.text(), to: paths.certificate)
  }
}

extension OwnAuthority.Pair {
  /// Whether a certificate for the names would be believed for as long as it may hold.
  fileprivate func maySpeak(for names: [CertificateName]) -> Bool {
    // Nobody ever sees it: a key of its own would be made for nothing.
    guard let trial = try? certificate.issue("trial", for: names, days: 2, key: key, by: key) else { return false }
    return certificate.vouches(for: trial, in: 0)
  }
}
