import Glibc

extension Firewall {
  /// Asks all firewalls that are installed. Thread: any that may wait.
  func findings() -> [Finding] {
    guard isNeeded else { return [.good("firewall: no port is meant for other machines")] }
    var findings: [Finding] = []
    // ufw and firewalld write the kernel's rules. If one of them is active, those rules are its
    // own, and need no check.
    if let status = SystemCommand.run("ufw", "status"), status.status == 0 {
      findings.append(ufw(status.output))
    } else if let text = Firewall.read("/etc/ufw/ufw.conf"), let finding = ufwConfiguration(text) {
      findings.append(finding)
    }
    if SystemCommand.run("firewall-cmd", "--state")?.status == 0,
      let open = SystemCommand.run("firewall-cmd", "--list-ports"), open.status == 0
    {
      findings.append(firewalld(open.output))
    }
    guard findings.allSatisfy({ $0.text.hasSuffix("inactive") }) else { return findings }

    let rules = SystemCommand.run("nft", "list", "ruleset")
    let table = SystemCommand.run("iptables", "-S", "INPUT")
    if rules?.status == 0, let finding = nft(rules?.output ?? "") { return [finding] }
    if table?.status == 0, let finding = iptables(table?.output ?? "") { return [finding] }
    if rules?.status == 0 || table?.status == 0 { return [.good("firewall: none in the way of our ports")] }
    if rules == nil && table == nil && findings.isEmpty { return [.good("firewall: none is installed")] }
    if getuid() != 0 {
      return [
        .advice(
          "firewall: its rules can be read by root alone",
          "where others cannot reach this machine, run: sudo bandshell doctor")
      ]
    }
    return findings.isEmpty ? [.good("firewall: none answers")] : findings
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[0..<count], as: UTF8.self)
  }
}
