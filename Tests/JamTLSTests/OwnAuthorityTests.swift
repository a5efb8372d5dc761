import Glibc
import Testing

@testable import JamTLS

@Suite struct OwnAuthorityTests {
  /// A folder that is gone with the test.
  private final class Folder {
    let path: String

    init() {
      var pattern = Array("/tmp/bandshell-tls-XXXXXX".utf8CString)
      path = mkdtemp(&pattern).map { String(cString: $0) } ?? ""
    }

    deinit {
      for name in ["authority.pem", "authority.key"] { unlink("\(path)/tls/\(name)") }
      rmdir("\(path)/tls")
      rmdir(path)
    }

    var tls: String { "\(path)/tls" }
  }

  private static let home = [CertificateName.address("192.168.1.5"), .host("stage.local"), .host("localhost")]

  private static func parts(_ texts: (certificate: String, key: String)) throws -> (
    Certificate, Certificate, PrivateKey
  ) {
    let marker = "-----BEGIN CERTIFICATE-----"
    let second = try #require(texts.certificate.second(marker))
    return (
      try #require(Certificate(texts.certificate)),
      try #require(Certificate(String(texts.certificate[second...]))), try #require(PrivateKey(texts.key))
    )
  }

  @Test("a server's certificate is the authority's, belongs to its key, and has the authority behind it") func chain()
    throws
  {
    let authority = try OwnAuthority(in: nil, machine: "stage", names: Self.home)
    let (server, issuer, key) = try Self.parts(authority.server(names: Self.home))
    #expect(issuer.vouches(for: server, in: 0))
    #expect(issuer.bytes == authority.certificate)
    #expect(server.belongs(to: key))
    #expect(!issuer.belongs(to: key))
    #expect(authority.fingerprint.split(separator: ":").count == 32)
  }

  @Test("it holds for a year and no longer, as browsers ask") func length() throws {
    let authority = try OwnAuthority(in: nil, machine: "stage", names: Self.home)
    let (server, issuer, _) = try Self.parts(authority.server(names: Self.home))
    #expect(issuer.vouches(for: server, in: 390))
    #expect(!issuer.vouches(for: server, in: 398))
  }

  @Test("it vouches for local networks and its own first names, and for nobody else's") func constraints() throws {
    let key = try PrivateKey()
    let (authority, authorityKey) = try Self.stolen(first: .address("203.0.113.7"))
    func isBelieved(_ name: CertificateName) throws -> Bool {
      authority.vouches(for: try authority.issue("x", for: [name], days: 2, key: key, by: authorityKey), in: 0)
    }
    for good in [
      CertificateName.address("192.168.77.1"), .address("10.1.2.3"), .address("127.0.0.1"), .address("fd00::5"),
      .address("::1"), .host("anything.local"), .host("localhost"), .address("203.0.113.7"),
    ] { #expect(try isBelieved(good), "\(good)") }
    for bad in [
      CertificateName.host("example.com"), .address("203.0.113.8"), .address("8.8.8.8"), .address("2001:db8::1"),
      .host("local.example.com"),
    ] { #expect(try !isBelieved(bad), "\(bad)") }
  }

  /// What somebody has who stole an authority's files.
  private static func stolen(first: CertificateName) throws -> (Certificate, PrivateKey) {
    let folder = Folder()
    _ = try OwnAuthority(in: folder.tls, machine: "stage", names: [first])
    return (
      try #require(PEMFile.read("\(folder.tls)/authority.pem").flatMap(Certificate.init)),
      try #require(PEMFile.read("\(folder.tls)/authority.key").flatMap(PrivateKey.init))
    )
  }

  @Test("a certificate is for the host names in it, and for one label in place of a star") func hosts() throws {
    let key = try PrivateKey()
    let (authority, authorityKey) = try Self.stolen(first: .host("localhost"))
    let certificate = try authority.issue(
      "x", for: [.host("jam.example.org"), .host("*.club.example.org"), .address("192.168.1.5")], days: 2, key: key,
      by: authorityKey)
    for host in ["jam.example.org", "stage.club.example.org"] { #expect(certificate.isFor(host: host), "\(host)") }
    for host in [
      "example.org", "x.jam.example.org", "club.example.org", "a.b.club.example.org", "x", "evil.example",
    ] { #expect(!certificate.isFor(host: host), "\(host)") }
  }

  @Test("a restart keeps the authority; new addresses get a new certificate of the same one") func kept() throws {
    let folder = Folder()
    let first = try OwnAuthority(in: folder.tls, machine: "stage", names: Self.home)
    let again = try OwnAuthority(in: folder.tls, machine: "stage", names: Self.home)
    #expect(again.certificate == first.certificate)
    let before = try again.server(names: Self.home)
    #expect(try again.server(names: Self.home) == before)
    let moved = try again.server(names: [.address("10.0.0.9")])
    #expect(moved.certificate != before.certificate)
    let (server, issuer, _) = try Self.parts(moved)
    #expect(issuer.bytes == first.certificate)
    #expect(issuer.vouches(for: server, in: 0))
  }

  @Test("its files are for its own user alone") func modes() throws {
    let folder = Folder()
    _ = try OwnAuthority(in: folder.tls, machine: "stage", names: Self.home)
    for (path, mode) in [(folder.tls, 0o700), ("\(folder.tls)/authority.key", 0o600)] {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == UInt32(mode))
    }
  }

  @Test("what is damaged, or may not speak for the server's new name, is made anew", arguments: [0, 1, 2])
  func anew(fault: Int) throws {
    let folder = Folder()
    let first = try OwnAuthority(in: folder.tls, machine: "stage", names: Self.home)
    var names = Self.home
    switch fault {
    case 0: truncate("\(folder.tls)/authority.pem", 100)
    case 1: unlink("\(folder.tls)/authority.key")
    default: names.append(.host("jam.example.org"))
    }
    let second = try OwnAuthority(in: folder.tls, machine: "stage", names: names)
    #expect(second.certificate != first.certificate)
    let (server, issuer, _) = try Self.parts(second.server(names: names))
    #expect(issuer.vouches(for: server, in: 0))
    #expect(try OwnAuthority(in: folder.tls, machine: "stage", names: names).certificate == second.certificate)
  }

  @Test("an address from elsewhere that came later is left out, and the others are served") func leftOut() throws {
    let authority = try OwnAuthority(in: nil, machine: "stage", names: Self.home)
    let (server, issuer, _) = try Self.parts(authority.server(names: Self.home + [.address("198.51.100.4")]))
    #expect(issuer.vouches(for: server, in: 0))
    #expect(throws: TLSProblem.self) { try authority.server(names: [.address("198.51.100.4")]) }
  }

  @Test("a folder that takes no file is told") func unwritable() {
    #expect(throws: TLSProblem.self) {
      try OwnAuthority(in: "/proc/nowhere", machine: "stage", names: Self.home)
    }
  }

  @Test("names are addresses or hosts; what could be read as more is neither") func names() {
    #expect(CertificateName("192.168.0.1") == .address("192.168.0.1"))
    #expect(CertificateName("fe80::1%eth0") == .address("fe80::1"))
    #expect(CertificateName("Stage.Local") == .host("stage.local"))
    #expect(CertificateName("localhost") == .host("localhost"))
    for bad in ["", "300.1.2.3", "a,IP:1.2.3.4", "a b", "ä.local", "x\n", String(repeating: "a", count: 254)] {
      #expect(CertificateName(bad) == nil)
    }
  }
}

extension String {
  fileprivate func second(_ text: String) -> String.Index? {
    let all = ranges(of: text)
    return all.count > 1 ? all[1].lowerBound : nil
  }
}
