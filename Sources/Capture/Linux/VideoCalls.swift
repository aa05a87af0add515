// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CV4L2
internal import Glibc

/// The functions through which an open node is spoken to: the kernel's, libv4l2's of the same shape, or a test's.
///
/// Each answers -1 (`map`: nil) and sets errno where it fails.
struct VideoCalls: Sendable {
    let control: @Sendable (_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32
    /// Maps `length` bytes at `offset` for reading.
    let map: @Sendable (_ descriptor: Int32, _ length: Int, _ offset: Int) -> UnsafeMutableRawPointer?
    let unmap: @Sendable (_ start: UnsafeMutableRawPointer, _ length: Int) -> Int32
    let close: @Sendable (_ descriptor: Int32) -> Int32

    static let kernel = VideoCalls(
        control: { ioctl($0, $1, $2) },
        map: { present(mmap(nil, $1, PROT_READ, MAP_SHARED, $0, $2)) },
        unmap: { munmap($0, $1) },
        close: { Glibc.close($0) })

    /// For a descriptor that `v4l2_fd_open` took.
    ///
    /// The protection is the kernel's matter only where the library does not convert; buffers of its own making it maps
    /// readable and writable whatever is asked for.
    static let library = VideoCalls(
        control: { cv4l2_library_ioctl($0, $1, $2) },
        map: { present(v4l2_mmap(nil, $1, PROT_READ, MAP_SHARED, $0, Int64($2))) },
        unmap: { v4l2_munmap($0, $1) },
        close: { v4l2_close($0) })

    /// Puts libv4l2 between a descriptor and whoever uses it; false (errno) where it can not.
    static func attachLibrary(to descriptor: Int32) -> Bool {
        _ = silence
        return v4l2_fd_open(descriptor, 0) >= 0
    }

    /// libv4l2 would write into the daemon's log, a line a frame where frames are damaged.
    private static let silence: Void = {
        if let nowhere = fopen("/dev/null", "we") { cv4l2_library_log_to(nowhere) }
    }()

    private static func present(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        start == MAP_FAILED ? nil : start
    }
}
