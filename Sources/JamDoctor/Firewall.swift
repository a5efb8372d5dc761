/// Finds out whether a firewall blocks our ports, and which command opens them.
///
/// Reading is apart from asking: each function takes the text that the firewall's own program has
/// printed.
struct Firewall {
  /// The ports to which other machines have to come.
  private let ports: [ServerPort]

  init(ports: ServerPorts) { self.ports = ports.all.filter(\.isForOthers) }

  /// Whether there is anything that a firewall could be in the way of.
  var isNeeded: Bool { !ports.isEmpty }

  /// Reads the output of `ufw status`, as root.
  func ufw(_ status: String) -> Finding {
    let lines = status.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    guard status.contains("Status: active") else { return .good("firewall: ufw is installed and inactive") }
    let allowed = Set(lines.filter { $0.count > 1 && $0[1...].contains("ALLOW") }.map { $0[0] })
    let closed = ports.filter {
      !allowed.contains("\($0.number)/\($0.transport)") && !allowed.contains("\($0.number)")
    }
    return finding(
      "ufw", closed: closed,
      command: closed.map { "sudo ufw allow \($0.number)/\($0.transport)" }.joined(separator: " && "))
  }

  /// Reads ufw's configuration, for other users: they can read only `ENABLED=` in
  /// /etc/ufw/ufw.conf.
  func ufwConfiguration(_ text: String) -> Finding? {
    let isEnabled = text.split(separator: "\n").contains { $0.filter { !$0.isWhitespace } == "ENABLED=yes" }
    guard isEnabled else { return nil }
    return .advice(
      "firewall: ufw is active; its rules can be read by root alone",
      "sudo bandshell doctor, or open the ports: "
        + ports.map { "sudo ufw allow \($0.number)/\($0.transport)" }.joined(separator: " && "))
  }

  /// Reads the output of `firewall-cmd --list-ports`, for the default zone.
  func firewalld(_ open: String) -> Finding {
    let allowed = Set(open.split(whereSeparator: \.isWhitespace).map(String.init))
    let closed = ports.filter { port in !allowed.contains { port.isIn($0) } }
    let options = closed.map { "--add-port=\($0.number)/\($0.transport)" }.joined(separator: " ")
    return finding(
      "firewalld", closed: closed, command: "sudo firewall-cmd \(options) && sudo firewall-cmd --runtime-to-permanent")
  }

  /// Reads the output of `nft list ruleset`.
  func nft(_ rules: String) -> Finding? {
    var table = ""
    var chain = ""
    for line in rules.split(separator: "\n").map({ $0.split(separator: " ").map(String.init) }) {
      if line.first == "table", line.count > 2 { table = "\(line[1]) \(line[2])" }
      if line.first == "chain", line.count > 1 { chain = line[1] }
      let isInput = line.contains("hook") && line.contains("input")
      guard isInput, line.contains(where: { $0.hasPrefix("drop") || $0.hasPrefix("reject") }) else { continue }
      let closed = ports.filter { !isAccepted($0, by: rules) }
      return finding(
        "nftables", closed: closed,
        command: ["udp", "tcp"].compactMap { transport in
          let numbers = closed.filter { $0.transport == transport }.map { "\($0.number)" }
          guard !numbers.isEmpty else { return nil }
          return
            "sudo nft insert rule \(table) \(chain) \(transport) dport '{ \(numbers.joined(separator: ", ")) }' accept"
        }.joined(separator: " && "))
    }
    return nil
  }

  private func isAccepted(_ port: ServerPort, by rules: String) -> Bool {
    rules.split(separator: "\n").contains { line in
      let words = line.split { " ,{}".contains($0) }.map(String.init)
      guard words.last == "accept" || words.contains("accept"), let at = words.firstIndex(of: "dport") else {
        return false
      }
      return at > 0 && words[at - 1] == port.transport && words[at...].contains("\(port.number)")
    }
  }

  /// Reads the output of `iptables -S INPUT`.
  func iptables(_ rules: String) -> Finding? {
    let lines = rules.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let refuses = lines.contains { line in
      line == ["-P", "INPUT", "DROP"] || line == ["-A", "INPUT", "-j", "DROP"]
        || line.starts(with: ["-A", "INPUT", "-j", "REJECT"])
    }
    guard refuses else { return nil }
    let closed = ports.filter { port in
      !lines.contains { line in
        line.contains("ACCEPT") && line.contains(port.transport)
          && line.contains { $0.split(separator: ",").contains { $0 == "\(port.number)" } }
      }
    }
    return finding(
      "iptables", closed: closed,
      command: closed.map { "sudo iptables -I INPUT -p \($0.transport) --dport \($0.number) -j ACCEPT" }
        .joined(separator: " && "))
  }

  private func finding(_ name: String, closed: [ServerPort], command: String) -> Finding {
    if closed.isEmpty { return .good("firewall: \(name) lets our ports through") }
    let list = closed.map { "\($0.number)/\($0.transport)" }.joined(separator: ", ")
    return .bad("firewall: \(name) keeps others from \(list)", command)
  }
}
