internal import JamKit

/// The order in which people number files: 2 before 10, capitals like small letters. File
/// extensions are compared last.
func precedesNaturally(_ a: String, _ b: String) -> Bool {
  let x = naturalParts(PadName.stem(of: a))
  let y = naturalParts(PadName.stem(of: b))
  for (one, other) in zip(x, y) where one != other { return one < other }
  return (x.count, a) < (y.count, b)
}

private enum NaturalPart: Comparable {
  /// Without leading zeros. A longer number is larger.
  case number(length: Int, digits: String)
  case text(String)
}

private func naturalParts(_ name: String) -> [NaturalPart] {
  var parts: [NaturalPart] = []
  var rest = Substring(name.lowercased())
  while let first = rest.first {
    let isDigit = first.isASCII && first.isNumber
    let run = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
    rest = rest[run.endIndex...]
    let digits = String(run.drop { $0 == "0" })
    parts.append(isDigit ? .number(length: digits.count, digits: digits) : .text(String(run)))
  }
  return parts
}
