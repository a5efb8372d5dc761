import Testing

@testable import JamDoctor

@Suite("Firewall")
struct FirewallTests {
  private let firewall = Firewall(ports: ServerPorts())

  @Test("ufw that lets some of our ports through gives the command for the rest")
  func ufw() {
    let status = """
      Status: active

      To                         Action      From
      --                         ------      ----
      22/tcp                     ALLOW       Anywhere
      8000/udp                   ALLOW       Anywhere
      8088/tcp                   ALLOW       Anywhere
      8000/udp (v6)              ALLOW       Anywhere (v6)
      """
    let finding = firewall.ufw(status)
    #expect(finding.verdict == .bad)
    #expect(finding.remedy == "sudo ufw allow 8000/tcp && sudo ufw allow 8089/udp")
    #expect(firewall.ufw(status + "\n8000   ALLOW   Anywhere\n8089 ALLOW IN Anywhere").verdict == .good)
    #expect(firewall.ufw("Status: inactive\n").verdict == .good)
  }

  @Test("ufw's configuration alone tells that it is active, not what it allows")
  func ufwConfiguration() {
    #expect(firewall.ufwConfiguration("# x\nENABLED=yes\nLOGLEVEL=low\n")?.verdict == .advice)
    #expect(firewall.ufwConfiguration("ENABLED=no\n") == nil)
  }

  @Test("firewalld's ranges count, and the command opens what is missing for good")
  func firewalld() {
    #expect(firewall.firewalld("8000-8100/udp 8000/tcp 8088/tcp\n").verdict == .good)
    let finding = firewall.firewalld("8000-8100/udp\n")
    #expect(
      finding.remedy
        == "sudo firewall-cmd --add-port=8000/tcp --add-port=8088/tcp && sudo firewall-cmd --runtime-to-permanent")
  }

  @Test("an nftables input chain that drops is found, with the rule that opens it")
  func nft() {
    let rules = """
      table inet filter {
      \tchain input {
      \t\ttype filter hook input priority filter; policy drop;
      \t\tct state established,related accept
      \t\ttcp dport { 22, 8088 } accept
      \t}
      \tchain output {
      \t\ttype filter hook output priority filter; policy accept;
      \t}
      }
      """.replacing("\t", with: " ")
    let finding = firewall.nft(rules)
    #expect(finding?.verdict == .bad)
    #expect(
      finding?.remedy
        == "sudo nft insert rule inet filter input udp dport '{ 8000, 8089 }' accept && sudo nft insert rule inet filter input tcp dport '{ 8000 }' accept"
    )
    #expect(firewall.nft(rules.replacing("policy drop", with: "policy accept")) == nil)
  }

  @Test("an iptables policy of DROP is found, and ports that are accepted in front of it count")
  func iptables() {
    let rules =
      "-P INPUT DROP\n-A INPUT -p udp -m multiport --dports 8000,8089 -j ACCEPT\n-A INPUT -p tcp -m tcp --dport 8088 -j ACCEPT\n"
    #expect(firewall.iptables(rules)?.remedy == "sudo iptables -I INPUT -p tcp --dport 8000 -j ACCEPT")
    #expect(firewall.iptables(rules + "-A INPUT -p tcp --dport 8000 -j ACCEPT\n")?.verdict == .good)
    #expect(firewall.iptables("-P INPUT ACCEPT\n") == nil)
  }
}
