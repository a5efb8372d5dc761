/// The reasons why bytes are no DNS message.
package enum DNSError: Error, Hashable {
  /// The message ends within a name, a number or a record.
  case endsEarly
  /// A pointer does not lead back, or a label has an unknown form.
  case malformedName
  case nameTooLong
  /// More questions and records than `DNSMessage.mostEntries`.
  case tooManyEntries
  /// A record's data does not have the form of its type.
  case malformedData
}
