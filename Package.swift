// swift-tools-version: 6.2
import PackageDescription

// Every module is one target with one test target; imports point down (see ARCHITECTURE.md).
// Set BANDSHELL_RTSAN=1 to link the RealtimeSanitizer's runtime (`make sanitize` does).
// Set BANDSHELL_WARNINGS_AS_ERRORS=1 to refuse warnings in our own targets (`make test` does).

let realtimeSanitizer = Context.environment["BANDSHELL_RTSAN"] == "1"

let warningsAreErrors = Context.environment["BANDSHELL_WARNINGS_AS_ERRORS"] == "1"

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Signal code is optimised in debug builds too: unoptimised SIMD is a hundred times slower than real time.
let signal: [SwiftSetting] = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Tests are compiled without optimising, what they test is optimised (scripts/test).
/// -O takes twice as long for a test and brings it nothing.
/// Tests that compute much themselves are optimised in debug builds, too.
let quick: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The decoders of what strangers send. BANDSHELL_FUZZ=1 instruments them and adds `bandshell-fuzz` (`make fuzz` does).
let fuzzing = Context.environment["BANDSHELL_FUZZ"] == "1"
let instrumented: [SwiftSetting] = fuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []
let decoding = strict + instrumented

/// BANDSHELL_ROOM_FUZZ=1 makes a program of `JamFuzzTests`, and leaves out the tests (`make fuzz` does).
let roomFuzzing = Context.environment["BANDSHELL_ROOM_FUZZ"] == "1"
let roomFuzzed: [Target.Dependency] = [
  "JamCore", "JamRealtime", "JamEngine", "JamKit", "JamWire", "JamStore", "JamRoom",
]

/// BANDSHELL_COSTS=1 adds `bandshell-costs`, which counts what a hit and its like cost.
/// `scripts/costs` sets it. The program looks into the modules as tests do, so a release build
/// without `-enable-testing` cannot have it.
let counting = Context.environment["BANDSHELL_COSTS"] == "1"

/// BANDSHELL_BUILD names the commit and its date for `bandshell --version` (the Makefile sets it).
let build: [CSetting] =
  Context.environment["BANDSHELL_BUILD"].map { [.define("BANDSHELL_BUILD", to: "\"\($0)\"")] } ?? []

let nio = "swift-nio"

let package = Package(
  name: "bandshell",
  products: [
    .executable(name: "bandshell", targets: ["bandshell"]),
    // What `make bench` builds, so that nobody who only plays waits for it.
    .executable(name: "bandshell-bench", targets: ["bandshell-bench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // C libraries: one target each. Only COpenSSL has several importers: streams, TLS, and the hashes
    // of sounds.
    .target(name: "CLinux"),
    .target(name: "CProcess", cSettings: build),
    .systemLibrary(name: "CLiblo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CEbur128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSRTP", pkgConfig: "libsrtp2", providers: [.apt(["libsrtp2-dev"])]),
    // Its pkg-config file names a flag that the package manager warns of. The module map links it.
    .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),

    // The words and the real-time ground.
    .target(name: "JamCore", swiftSettings: signal),
    .target(name: "JamRealtime", dependencies: ["JamCore", "CRealtime"], swiftSettings: signal),
    .target(name: "CRealtime", cSettings: realtimeSanitizer ? [.define("BANDSHELL_RTSAN")] : []),

    // The server's modules.
    .target(
      name: "JamNet", dependencies: ["JamCore", "CLinux", .product(name: "NIOCore", package: nio)],
      swiftSettings: strict),
    .target(name: "JamEngine", dependencies: ["JamCore", "JamRealtime", "CVoices"], swiftSettings: signal),
    // Optimised in debug builds too, as the engine is.
    .target(name: "CVoices", cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    .target(
      name: "JamKit", dependencies: ["JamCore", "COpenSSL", "CSndfile", "CSoxr", "CEbur128"],
      swiftSettings: signal),
    .target(name: "JamImport", dependencies: ["JamCore", "JamKit", "CZlib"], swiftSettings: signal),
    .target(name: "JamForge", dependencies: ["JamCore", "JamKit"], swiftSettings: signal),
    .target(name: "JamWire", dependencies: ["JamCore", "CLiblo"], swiftSettings: decoding),
    .target(
      name: "JamStore", dependencies: ["JamCore", "JamRealtime", "JamWire", "CSQLite", "CZlib"],
      swiftSettings: strict),
    .target(name: "JamExport", dependencies: ["JamCore", "JamStore"], swiftSettings: signal),
    .target(name: "JamLayout", dependencies: ["JamCore", "JamWire"], swiftSettings: strict),
    .target(
      name: "JamRoom", dependencies: ["JamCore", "JamRealtime", "JamEngine", "JamKit"], swiftSettings: strict),
    .target(
      name: "JamOSC",
      dependencies: [
        "JamCore", "JamNet", "JamWire", "JamRoom",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ], swiftSettings: strict),
    .target(
      name: "JamDevice", dependencies: ["JamCore", "JamRealtime", "JamEngine", "CALSA"], swiftSettings: signal),
    .target(
      name: "JamStream",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "COpus", "COpenSSL", "CSRTP",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ], swiftSettings: signal + instrumented),
    .target(
      name: "JamListen", dependencies: ["JamCore", "JamRealtime", "JamNet", "JamDevice", "JamStream"],
      swiftSettings: signal),
    .target(
      name: "JamBonjour", dependencies: ["JamCore", "JamRealtime", "JamNet", "CAvahi"], swiftSettings: decoding),
    .target(
      name: "JamTLS", dependencies: ["JamNet", "COpenSSL", .product(name: "NIOCore", package: nio)],
      swiftSettings: strict),
    .target(
      name: "JamWeb",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamWire", "JamLayout", "JamRoom", "JamStream", "JamTLS", "CPage", "CZlib",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio),
      ], exclude: ["Page", "Words"], swiftSettings: strict),
    // The page's files as data: C's #embed takes no time, where a Swift literal took minutes.
    .target(name: "CPage", exclude: ["files.inc"]),

    // The rooms of a process: projects, takes, library, exports.
    // It is built beside JamWeb and JamOSC, which it does not know.
    .target(
      name: "JamServer",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamEngine", "JamKit", "JamWire", "JamRoom", "JamStore", "JamExport",
        "JamDevice", "JamStream", "JamCommand", "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),

    // The rooms of a process, for the web server.
    .target(
      name: "JamBackend",
      dependencies: [
        "JamCore", "JamRealtime", "JamEngine", "JamKit", "JamWire", "JamRoom", "JamStore", "JamOSC",
        "JamDevice", "JamStream", "JamTLS", "JamWeb", "JamServer", "JamCommand",
      ], swiftSettings: strict),

    // The command line.
    .target(
      name: "JamDoctor",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamKit", "JamWire", "JamDevice", "JamStream", "JamBonjour",
        "JamCommand",
      ], swiftSettings: strict),
    .target(
      name: "JamCommand",
      dependencies: [
        "JamCore", "JamRealtime", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: strict),
    .target(
      name: "JamBench",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamEngine", "JamKit", "JamWire", "JamRoom", "JamStore", "JamOSC",
        "JamStream", "JamListen", "JamCommand", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ], swiftSettings: strict),
    .executableTarget(
      name: "bandshell-bench",
      dependencies: ["JamBench", .product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict),
    .executableTarget(
      name: "bandshell",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamKit", "JamImport", "JamForge", "JamWire", "JamRoom",
        "JamStore", "JamOSC", "JamDevice", "JamStream", "JamListen", "JamTLS", "JamBonjour", "JamWeb", "JamServer",
        "JamBackend", "JamDoctor", "JamCommand", "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ], swiftSettings: strict),

    // One test target per module. Random numbers with a seed, and waits that end, for all of them.
    .target(name: "TestSupport", path: "Tests/Support/TestSupport", swiftSettings: strict),
    .testTarget(name: "JamCoreTests", dependencies: ["TestSupport", "JamCore"], swiftSettings: quick),
    .testTarget(
      name: "JamRealtimeTests", dependencies: ["TestSupport", "JamCore", "JamRealtime"], swiftSettings: quick),
    .testTarget(
      name: "JamNetTests",
      dependencies: [
        "JamCore", "JamNet", .product(name: "NIOCore", package: nio), .product(name: "NIOEmbedded", package: nio),
      ], swiftSettings: quick),
    .testTarget(
      name: "JamEngineTests", dependencies: ["JamCore", "JamRealtime", "JamEngine", "CVoices", "CAllocations"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .target(
      name: "CAllocations", path: "Tests/Support/CAllocations",
      cSettings: realtimeSanitizer ? [.define("BANDSHELL_RTSAN")] : []),
    .testTarget(
      name: "JamKitTests", dependencies: ["TestSupport", "JamCore", "JamKit", "KitTestSupport"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .testTarget(
      name: "JamImportTests",
      dependencies: ["TestSupport", "JamCore", "JamKit", "JamImport", "KitTestSupport"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .testTarget(
      name: "JamForgeTests", dependencies: ["JamCore", "JamKit", "JamForge", "KitTestSupport"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    // Sounds made by hand, their spectra, and folders for a while.
    .target(
      name: "KitTestSupport", dependencies: ["JamKit"], path: "Tests/Support/KitTestSupport", swiftSettings: signal),
    .testTarget(name: "JamWireTests", dependencies: ["TestSupport", "JamCore", "JamWire"], swiftSettings: quick),
    .testTarget(
      name: "JamLayoutTests", dependencies: ["JamCore", "JamWire", "JamLayout", "JamImport"], swiftSettings: quick),
    .testTarget(
      name: "JamExportTests", dependencies: ["JamCore", "JamStore", "JamExport"],
      swiftSettings: quick),
    .testTarget(
      name: "JamStoreTests", dependencies: ["TestSupport", "JamCore", "JamWire", "JamStore"],
      swiftSettings: quick),
    .testTarget(
      name: "JamRoomTests",
      dependencies: [
        "TestSupport", "JamCore", "JamRealtime", "JamEngine", "JamKit", "JamRoom", "CAllocations",
      ], swiftSettings: quick),
    // Rooms and whole jams played by chance; `main.swift` plays them for long (below). `Shared` links to
    // files of `JamRoomTests` and `JamStoreTests`: a target of its own could not look into the modules.
    .testTarget(
      name: "JamFuzzTests", dependencies: roomFuzzed, exclude: ["main.swift"],
      swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
    .testTarget(
      name: "JamOSCTests",
      dependencies: [
        "JamCore", "JamRealtime", "JamEngine", "JamKit", "JamNet", "JamWire", "JamRoom", "JamOSC",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOEmbedded", package: nio),
      ], swiftSettings: quick),
    .testTarget(
      name: "JamDeviceTests",
      dependencies: ["TestSupport", "JamCore", "JamRealtime", "JamEngine", "JamDevice"],
      swiftSettings: quick),
    // Shows Swift's Mutex to the thread sanitizer; linked once, it serves all tests.
    .target(name: "CThreadSanitizer", path: "Tests/Support/CThreadSanitizer"),
    .testTarget(
      name: "JamStreamTests",
      dependencies: [
        "TestSupport", "JamCore", "JamRealtime", "JamNet", "JamStream", "JamListen", "CThreadSanitizer",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
      ], swiftSettings: quick),
    .testTarget(
      name: "JamListenTests", dependencies: ["TestSupport", "JamCore", "JamStream", "JamListen"],
      swiftSettings: quick),
    .testTarget(
      name: "JamBonjourTests", dependencies: ["TestSupport", "JamCore", "JamNet", "JamBonjour"], swiftSettings: quick),
    .testTarget(
      name: "JamTLSTests",
      dependencies: [
        "JamTLS", "COpenSSL", .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOEmbedded", package: nio),
      ], swiftSettings: quick),
    .testTarget(
      name: "JamWebTests",
      dependencies: [
        "TestSupport", "JamCore", "JamRealtime", "JamWire", "JamLayout", "JamRoom", "JamStream", "JamTLS", "JamWeb",
        .product(name: "NIOCore", package: nio), .product(name: "NIOPosix", package: nio),
        .product(name: "NIOHTTP1", package: nio), .product(name: "NIOEmbedded", package: nio),
      ], swiftSettings: quick),
    .testTarget(name: "JamDoctorTests", dependencies: ["JamNet", "JamDoctor"], swiftSettings: quick),
    .testTarget(name: "JamCommandTests", dependencies: ["JamCommand"], swiftSettings: quick),
    .testTarget(name: "JamBenchTests", dependencies: ["JamBench"], swiftSettings: quick),
    .testTarget(
      name: "bandshellTests",
      dependencies: [
        "TestSupport", "JamCore", "JamRealtime", "JamNet", "JamEngine", "JamKit", "JamWire", "JamRoom",
        "JamDevice", "JamStream", "JamBonjour", "JamWeb", "JamCommand", "JamExport", "JamServer", "bandshell",
      ], swiftSettings: quick),
  ],
  swiftLanguageModes: [.v6]
)

if fuzzing {
  package.targets.append(
    .executableTarget(
      name: "bandshell-fuzz", dependencies: ["JamCore", "JamNet", "JamWire", "JamStream", "JamBonjour"],
      swiftSettings: decoding,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

if roomFuzzing {
  package.targets.removeAll { $0.type == .test }
  package.targets.append(
    .executableTarget(
      name: "bandshell-room-fuzz", dependencies: roomFuzzed, path: "Tests/JamFuzzTests",
      exclude: ["RoomFuzzTests.swift", "ScheduleFuzzTests.swift", "WholeRoomTests.swift"]))
}

if counting {
  package.targets += [
    .executableTarget(
      name: "bandshell-costs",
      dependencies: [
        "JamCore", "JamRealtime", "JamNet", "JamEngine", "JamKit", "JamWire", "JamRoom", "JamOSC", "JamStream",
        "JamBench", "CCounters",
      ], path: "Tests/Costs", swiftSettings: signal),
    .target(name: "CCounters", dependencies: ["CAllocations"], path: "Tests/Support/CCounters"),
  ]
}

if realtimeSanitizer {
  // Only what renders, and its tests: the rest has nothing to say here, and would take minutes to build.
  let kept: Set = [
    "JamCore", "JamRealtime", "CRealtime", "JamEngine", "CVoices", "JamDevice", "CALSA", "CAllocations",
    "JamRealtimeTests", "JamEngineTests", "JamDeviceTests", "TestSupport",
  ]
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
  package.dependencies = []
}

if warningsAreErrors {
  for target in package.targets where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
