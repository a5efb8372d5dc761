/// A fast Fourier transform of complex values, from additions and multiplications alone: the same
/// bits on every machine.
///
/// The values are in two arrays, real and imaginary. Write them at `place(of:)` and read the result
/// in order. For the inverse transform, swap the two arrays before and after; the result is `size`
/// times as large.
///
/// Thread: one at a time.
package struct FourierTransform: ~Copyable {
  /// A power of two, 16 or above.
  package let size: Int
  package let real: UnsafeMutablePointer<Float>
  package let imaginary: UnsafeMutablePointer<Float>
  /// The place where each value is written: its number with the bits reversed.
  private let places: [Int32]
  /// For each step of half-length h, at h…2h: e^(-πi n / h).
  private let cosines: [Float]
  private let sines: [Float]

  package init(size: Int) {
    precondition(size >= 16 && size & (size - 1) == 0)
    self.size = size
    real = .allocate(capacity: size)
    imaginary = .allocate(capacity: size)
    real.initialize(repeating: 0, count: size)
    imaginary.initialize(repeating: 0, count: size)
    let bits = size.trailingZeroBitCount
    places = (0..<size).map { Int32(truncatingIfNeeded: UInt64($0).byteSwapped.bitsReversed >> (64 - bits)) }
    var cosines = [Float](repeating: 0, count: size)
    var sines = [Float](repeating: 0, count: size)
    var half = 1
    while half < size {
      for n in 0..<half {
        let turns = Double(n) / Double(2 * half)
        cosines[half + n] = Float(PortableMath.cosine(turns: turns))
        sines[half + n] = Float(-PortableMath.sine(turns: turns))
      }
      half *= 2
    }
    self.cosines = cosines
    self.sines = sines
  }

  deinit {
    real.deallocate()
    imaginary.deallocate()
  }

  package func place(of index: Int) -> Int { Int(places[index]) }

  /// Transforms the values in place.
  package func run() {
    transformFours()
    cosines.withUnsafeBufferPointer { cosines in
      sines.withUnsafeBufferPointer { sines in
        // In order: the tables hold a value for each n of each step, and `size` is above 4.
        transform(half: 4, as: SIMD4<Float>.self, cosines.baseAddress!, sines.baseAddress!)
        var half = 8
        while half < size {
          transform(half: half, as: SIMD8<Float>.self, cosines.baseAddress!, sines.baseAddress!)
          half *= 2
        }
      }
    }
  }

  /// The first two steps at once: they need no multiplication.
  private func transformFours() {
    var n = 0
    while n < size {
      let (r0, r1, r2, r3) = (real[n], real[n + 1], real[n + 2], real[n + 3])
      let (i0, i1, i2, i3) = (imaginary[n], imaginary[n + 1], imaginary[n + 2], imaginary[n + 3])
      let (ar, ai, br, bi) = (r0 + r1, i0 + i1, r0 - r1, i0 - i1)
      let (cr, ci, dr, di) = (r2 + r3, i2 + i3, r2 - r3, i2 - i3)
      (real[n], imaginary[n]) = (ar + cr, ai + ci)
      (real[n + 1], imaginary[n + 1]) = (br + di, bi - dr)
      (real[n + 2], imaginary[n + 2]) = (ar - cr, ai - ci)
      (real[n + 3], imaginary[n + 3]) = (br - di, bi + dr)
      n += 4
    }
  }

  @inline(__always)
  private func transform<Row: SIMD>(
    half: Int, as row: Row.Type, _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>
  ) where Row.Scalar == Float {
    func load(_ from: UnsafePointer<Float>) -> Row { UnsafeRawPointer(from).loadUnaligned(as: Row.self) }
    func store(_ value: Row, _ to: UnsafeMutablePointer<Float>) {
      UnsafeMutableRawPointer(to).storeBytes(of: value, as: Row.self)
    }
    var start = 0
    while start < size {
      var n = 0
      while n < half {
        let (low, high) = (start + n, start + n + half)
        let (c, s) = (load(cosines + half + n), load(sines + half + n))
        let (lowReal, lowImaginary) = (load(real + low), load(imaginary + low))
        let (highReal, highImaginary) = (load(real + high), load(imaginary + high))
        let turnedReal = highReal * c - highImaginary * s
        let turnedImaginary = highReal * s + highImaginary * c
        store(lowReal + turnedReal, real + low)
        store(lowImaginary + turnedImaginary, imaginary + low)
        store(lowReal - turnedReal, real + high)
        store(lowImaginary - turnedImaginary, imaginary + high)
        n += Row.scalarCount
      }
      start += 2 * half
    }
  }
}

extension UInt64 {
  /// Reverses the bits of each byte, and leaves the bytes where they are.
  fileprivate var bitsReversed: UInt64 {
    var value = self
    value = (value & 0x5555_5555_5555_5555) << 1 | (value >> 1) & 0x5555_5555_5555_5555
    value = (value & 0x3333_3333_3333_3333) << 2 | (value >> 2) & 0x3333_3333_3333_3333
    return (value & 0x0F0F_0F0F_0F0F_0F0F) << 4 | (value >> 4) & 0x0F0F_0F0F_0F0F_0F0F
  }
}
