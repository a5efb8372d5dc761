internal import JamCore

/// Powers and logarithms of two by additions and multiplications alone, short enough for each
/// control tick of each note.
///
/// Real-time safe.
enum SynthMath {
  /// 2 to the power of `x`, with a relative error within 3e-10: a two-hundred-thousandth of a cent.
  /// Values beyond ±100 count as ±100; NaN counts as 0, so the result is 1.
  @_noLocks @inline(__always) static func powerOfTwo(_ x: Double) -> Double {
    let x = x > 100 ? 100 : x < -100 ? -100 : x == x ? x : 0
    // Finite: between −100.5 and 100.5.
    let whole = Int64(x < 0 ? x - 0.5 : x + 0.5)
    let y = (x - Double(whole)) * 0.693_147_180_559_945_3
    // The exponential series on ±0.35.
    var sum = 1 + y / 8
    sum = 1 + y * sum * (1.0 / 7)
    sum = 1 + y * sum * (1.0 / 6)
    sum = 1 + y * sum * 0.2
    sum = 1 + y * sum * 0.25
    sum = 1 + y * sum * (1.0 / 3)
    sum = 1 + y * sum * 0.5
    sum = 1 + y * sum
    return sum * Double(bitPattern: UInt64(bitPattern: 1023 &+ whole) &<< 52)
  }

  /// The logarithm to the base of two of a normal number above 0, within 1e-9.
  @_noLocks static func logarithm(_ x: Double) -> Double {
    var exponent = Int64(bitPattern: (x.bitPattern &>> 52) & 0x7FF) &- 1023
    var mantissa = Double(bitPattern: x.bitPattern & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    if mantissa > 1.414_213_562_373_095_1 {
      mantissa *= 0.5
      exponent &+= 1
    }
    // The series of the inverse hyperbolic tangent on ±0.172.
    let z = (mantissa - 1) / (mantissa + 1)
    let s = z * z
    var sum = 1.0 / 11
    sum = sum * s + 1.0 / 9
    sum = sum * s + 1.0 / 7
    sum = sum * s + 0.2
    sum = sum * s + 1.0 / 3
    sum = sum * s + 1
    return Double(exponent) + sum * z * 2.885_390_081_777_926_8
  }

  /// A hash of a number. All its bits are equally good.
  @_noLocks static func hash(_ x: UInt64) -> UInt64 {
    Chance.mixed(x &+ 0x9E37_79B9_7F4A_7C15)
  }

  /// Bounds a number that may be anything. NaN becomes the lower bound.
  @_noLocks @inline(__always) static func bounded(_ x: Float, _ low: Float, _ high: Float) -> Float {
    x > low ? (x < high ? x : high) : low
  }
}

/// A number that moves to each new value over some 8 ms, tick by tick, with a soft beginning and
/// end.
///
/// Real-time safe.
struct SynthSmooth: BitwiseCopyable {
  private(set) var now: Float
  private var middle: Float
  var target: Float

  @_noLocks init(_ value: Float) {
    now = value
    middle = value
    target = value
  }

  var isStill: Bool { @_noLocks @inline(__always) get { now == target } }

  /// Advances by one tick.
  @_noLocks @inline(__always) mutating func advance() {
    guard !isStill else { return }
    let way = target - now
    middle += (target - middle) * 0.15
    now += (middle - now) * 0.15
    if way < 1e-5 && way > -1e-5 {
      now = target
      middle = target
    }
  }
}
