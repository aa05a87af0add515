// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A video node that is open, through the kernel's V4L2 or through libv4l2.
///
/// A driver's answers are not trusted: lists end at a limit, texts at their NUL, and a frame is only handed out of memory
/// that is mapped.
///
/// - Important: Confined to one thread. The memory of its buffers is unmapped by `close` and by the next
///   `requestBuffers`.
final class KernelVideoDevice: VideoDevice {
    let node: String
    let calls: VideoCalls
    /// -1 once it is closed.
    private(set) var descriptor: Int32
    /// As many as the driver gave.
    var buffers: [Buffer] = []
    /// Types of controls that were seen, by id: whether a value has 64 bits is nowhere else.
    var controlTypes: [UInt32: UInt32] = [:]
    /// Runs the closing of the node; who watches it must tell this closing from another's.
    var surroundClose: ((_ close: () -> Void) -> Void)?

    struct Buffer {
        var memory: UnsafeRawBufferPointer?
        var isQueued = false
    }

    /// Opens a node; `converting`: through libv4l2.
    ///
    /// Throws ENOTTY with words for what is no video device at all, without having opened it.
    static func open(_ node: String, converting: Bool) throws(SystemError) -> KernelVideoDevice {
        let descriptor = try VideoNode.open(node)
        guard converting else {
            return KernelVideoDevice(node: node, owning: descriptor.release(), calls: .kernel)
        }
        guard VideoCalls.attachLibrary(to: descriptor.raw) else { throw .last("v4l2_fd_open", node) }
        return KernelVideoDevice(node: node, owning: descriptor.release(), calls: .library)
    }

    /// Takes over a descriptor that `calls` can close.
    init(node: String, owning descriptor: Int32, calls: VideoCalls) {
        self.node = node
        self.descriptor = descriptor
        self.calls = calls
    }

    deinit { close() }

    func close() {
        unmapBuffers()
        let open = descriptor
        descriptor = -1
        guard open >= 0 else { return }
        let close = { [calls] in _ = calls.close(open) }
        if let surroundClose { surroundClose(close) } else { close() }
    }

    /// One V4L2 request, again for as long as a signal interrupts it.
    func call<Argument>(_ request: UInt, _ name: String, _ argument: inout Argument) throws(SystemError) {
        while true {
            let result = withUnsafeMutablePointer(to: &argument) { calls.control(descriptor, request, $0) }
            if result != -1 { return }
            let code = errno
            if code != EINTR { throw SystemError(name, code: code, subject: node) }
        }
    }
}
