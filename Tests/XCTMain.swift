import Glibc
import Testing

/// Where the tests begin. The file's name is SwiftPM's.
///
/// SwiftPM would write such a file from an index of all sources. The index takes a third of the time that
/// a test takes to build, and finds nothing: all tests are Swift Testing's.
@main enum Runner {
  static func main() async {
    guard CommandLine.arguments.contains("swift-testing") else {
      print("use `make test`, or `swift test --enable-swift-testing --disable-xctest`")
      exit(EXIT_FAILURE)
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
