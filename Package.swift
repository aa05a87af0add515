// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import PackageDescription

// Every target builds in Swift 6 mode with warnings as errors. An import is internal unless it says otherwise, so
// that a C module can not leak through a wrapper's interface.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

// Pixel loops are 60 to 1000 times slower without the optimiser, so their target has it in debug builds too.
let pixels: [SwiftSetting] = house + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A layer-0 module map over a Debian library, under `Sources/C/`.
///
/// The maps name their libraries with `link`, so no pkg-config runs: tesseract.pc asks for -larchive and -lcurl, which
/// this product does not use.
func systemLibrary(_ name: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", providers: [.apt([package])])
}

func room(_ name: String, _ dependencies: [String], settings: [SwiftSetting] = house) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Sources/\(name)",
        swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [String], settings: [SwiftSetting] = house) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: (dependencies + ["ScanTestSupport"]).map { .byName(name: $0) },
        path: "Tests/\(name)Tests", swiftSettings: settings)
}

let package = Package(
    name: "datascand",
    products: [
        .library(name: "DataScanner", targets: ["DataScanner"]),
        .library(name: "ScanClient", targets: ["ScanClient"]),
        .executable(name: "datascand", targets: ["datascand"]),
        .executable(name: "datascan", targets: ["datascan"]),
    ],
    targets: [
        // Layer 0
        room("ScanModel", []),
        .target(
            name: "CLinux", path: "Sources/C/CLinux",
            cSettings: [.define("_GNU_SOURCE"), .unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
        systemLibrary("CZBar", apt: "libzbar-dev"),
        .target(
            name: "CZXing", path: "Sources/C/CZXing",
            cxxSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])], linkerSettings: [.linkedLibrary("ZXing")]),
        systemLibrary("CTesseract", apt: "libtesseract-dev"),
        systemLibrary("CTurboJPEG", apt: "libturbojpeg0-dev"),
        systemLibrary("CLeptonica", apt: "libleptonica-dev"),
        systemLibrary("CPopt", apt: "libpopt-dev"),
        systemLibrary("CV4L2", apt: "libv4l-dev"),
        systemLibrary("CUdev", apt: "libudev-dev"),

        // Layer 1
        room("LinuxSystem", ["ScanModel", "CLinux"]),
        room("ImageKernels", ["ScanModel", "CTurboJPEG", "CLeptonica"], settings: pixels),
        room("Scheduling", ["ScanModel"]),
        room("Tracking", ["ScanModel"]),
        room("DataDetection", ["ScanModel"]),
        room("ScanProtocol", ["ScanModel"]),

        // Layer 2
        room("Capture", ["ScanModel", "LinuxSystem", "ImageKernels", "CV4L2", "CUdev"]),
        room("Motion", ["ScanModel", "ImageKernels"]),
        room(
            "Recognition",
            ["ScanModel", "LinuxSystem", "ImageKernels", "DataDetection", "CZBar", "CZXing", "CTesseract"]),
        room("ScanServer", ["ScanModel", "LinuxSystem", "ScanProtocol"]),
        room("ScanClient", ["ScanModel", "LinuxSystem", "ScanProtocol"]),
        room("Configuration", ["ScanModel", "CPopt"]),
        room("ServiceSupport", ["ScanModel", "LinuxSystem"]),

        // Layer 3
        room(
            "DataScanner",
            [
                "ScanModel", "LinuxSystem", "ImageKernels", "Scheduling", "Tracking", "DataDetection", "Capture",
                "Motion", "Recognition",
            ]),

        // Layer 4
        .executableTarget(
            name: "datascand",
            dependencies: [
                "DataScanner", "Capture", "Recognition", "ScanServer", "ScanProtocol", "Configuration",
                "ServiceSupport",
                "LinuxSystem", "ImageKernels", "ScanModel",
            ],
            path: "Sources/datascand", swiftSettings: house),
        .executableTarget(
            name: "datascan",
            dependencies: [
                "ScanClient", "ScanProtocol", "DataScanner", "Capture", "Recognition", "Configuration",
                "ServiceSupport", "LinuxSystem", "ImageKernels", "ScanModel",
            ],
            path: "Sources/datascan", swiftSettings: house),

        .executableTarget(
            name: "ShelfList", dependencies: ["DataScanner", "Capture"], path: "Samples/ShelfList",
            swiftSettings: house),

        .executableTarget(
            name: "datascand-bench",
            dependencies: [
                "ImageKernels", "LinuxSystem", "Motion", "Recognition", "ScanModel", "ScanProtocol", "ServiceSupport",
            ],
            path: "Benchmarks", swiftSettings: house),

        .executableTarget(
            name: "camera-probe",
            dependencies: ["Capture", "ImageKernels", "LinuxSystem", "ScanModel", "ServiceSupport"],
            path: "Tests/VM/Probe", swiftSettings: house),

        // Support for tests
        .target(
            name: "ScanTestSupport",
            dependencies: [
                "ScanModel", "LinuxSystem", "ImageKernels", "Capture", "Tracking", "Scheduling", "ScanProtocol",
                "ScanServer",
            ],
            path: "Sources/ScanTestSupport", swiftSettings: house),

        tests("ScanModel", ["ScanModel"]),
        tests("LinuxSystem", ["LinuxSystem"]),
        tests("ImageKernels", ["ImageKernels"]),
        tests("Scheduling", ["Scheduling", "ScanModel"]),
        tests("Tracking", ["Tracking", "ScanModel"]),
        tests("DataDetection", ["DataDetection", "ScanModel"]),
        tests("ScanProtocol", ["ScanProtocol", "ScanModel"]),
        tests("Motion", ["Motion", "ImageKernels", "ScanModel"]),
        tests("Capture", ["Capture", "ImageKernels", "LinuxSystem", "ScanModel"]),
        tests(
            "Recognition",
            ["Recognition", "Tracking", "Capture", "ImageKernels", "LinuxSystem", "ScanModel", "datascand"]),
        tests("ScanServer", ["ScanServer", "ScanClient", "ScanProtocol", "LinuxSystem", "ScanModel"]),
        tests("Configuration", ["Configuration", "ScanModel"]),
        tests("ServiceSupport", ["ServiceSupport", "LinuxSystem"]),
        tests("DataScanner", ["DataScanner", "Capture", "ImageKernels", "LinuxSystem", "ScanModel"]),
        tests(
            "BlackBox",
            [
                "ScanClient", "ScanProtocol", "ScanServer", "Capture", "LinuxSystem", "ImageKernels", "ScanModel",
                "datascand", "datascan",
            ]),
    ],
    cxxLanguageStandard: .cxx17
)
