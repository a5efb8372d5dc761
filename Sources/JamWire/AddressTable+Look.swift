extension AddressTable {
  /// The row that an address means.
  ///
  /// Thread: any.
  /// - Returns: the row, and whether a value there is a share of the row's range, as at `/n/gain`.
  ///   Nil where no row has the address.
  public func row(at address: String) -> (entry: AddressEntry, isShare: Bool)? {
    guard let found = try? resolve(address) else { return nil }
    return (entries[found.entry], found.isShare)
  }
}
