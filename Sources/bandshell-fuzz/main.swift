// libFuzzer's driver, called as a library: SwiftPM gives an executable a `main` of its own.
// Source: LLVM libFuzzer's documentation, "Using libFuzzer as a library".

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private var count = CommandLine.argc
private var arguments = CommandLine.unsafeArgv
_ = runDriver(&count, &arguments) { start, count in
  FuzzTargets.run(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
