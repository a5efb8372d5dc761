/// One question of a message: the records of a name and type.
package struct DNSQuestion: Hashable, Sendable {
  package var name: DNSName
  package var type: DNSType
  /// Whether the answer may go to the asker alone.
  package var wantsUnicast: Bool

  package init(_ name: DNSName, _ type: DNSType, wantsUnicast: Bool = false) {
    self.name = name
    self.type = type
    self.wantsUnicast = wantsUnicast
  }

  /// Whether `record` answers this question.
  package func asks(for record: DNSRecord) -> Bool {
    (type == .any || type == record.type) && name == record.name
  }
}
