// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem

@testable import Capture

/// A request's argument, by the offsets of the kernel's structures on 64-bit machines.
struct DriverArgument {
    let address: UnsafeMutableRawPointer

    subscript(_ offset: Int) -> UInt32 {
        get { address.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        nonmutating set { address.storeBytes(of: newValue, toByteOffset: offset, as: UInt32.self) }
    }

    func set(_ offset: Int, _ value: Int64) { address.storeBytes(of: value, toByteOffset: offset, as: Int64.self) }

    func set(_ offset: Int, _ bytes: [UInt8]) {
        address.advanced(by: offset).copyMemory(from: bytes, byteCount: bytes.count)
    }

    /// The argument that this one holds the address of.
    func pointee(_ offset: Int) -> DriverArgument? {
        address.loadUnaligned(fromByteOffset: offset, as: UnsafeMutableRawPointer?.self).map {
            DriverArgument(address: $0)
        }
    }
}

/// The requests that capture makes, by the numbers that the kernel knows them by.
enum Request: UInt {
    case queryCapability = 0
    case listFormats = 2
    case getFormat = 4
    case setFormat = 5
    case requestBuffers = 8
    case queryBuffer = 9
    case queue = 15
    case dequeue = 17
    case start = 18
    case stop = 19
    case getParameters = 21
    case setParameters = 22
    case queryMenu = 37
    case getControls = 71
    case setControls = 72
    case listSizes = 74
    case listIntervals = 75
    case takeEvent = 89
    case subscribe = 90
    case queryControl = 103
}

/// A driver whose answers a test writes: 0 or an errno for each request. What it has no answer for is ENOTTY.
final class ScriptedDriver: Sendable {
    typealias Answer = @Sendable (DriverArgument) -> Int32

    private struct State {
        var answers: [Request: Answer] = [:]
        var calls: [Request] = []
        var mapped = 0
        var closed = 0
    }

    private let state = Monitor(State())
    let readiness: EventDescriptor

    init() throws { readiness = try EventDescriptor() }

    func on(_ request: Request, _ answer: @escaping Answer) { state.withLock { $0.answers[request] = answer } }

    func count(of request: Request) -> Int { state.withLock { $0.calls.count { $0 == request } } }
    var mapped: Int { state.withLock { $0.mapped } }
    var closed: Int { state.withLock { $0.closed } }

    /// A device of this driver; its node's descriptor is an event's, so that a test can make it ready.
    func open() -> KernelVideoDevice {
        let state = state
        return KernelVideoDevice(
            node: "/dev/video9", owning: readiness.raw,
            calls: VideoCalls(
                control: { _, number, address in
                    guard let request = Request(rawValue: number & 0xFF) else { return fail(ENOTTY) }
                    let answer = state.withLock { state in
                        state.calls.append(request)
                        return state.answers[request]
                    }
                    let code = answer?(DriverArgument(address: address)) ?? ENOTTY
                    return code == 0 ? 0 : fail(code)
                },
                map: { _, length, _ in
                    state.withLock { $0.mapped += 1 }
                    let start = mmap(nil, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                    return start == MAP_FAILED ? nil : start
                },
                unmap: { start, length in
                    state.withLock { $0.mapped -= 1 }
                    return munmap(start, length)
                },
                close: { _ in
                    state.withLock { $0.closed += 1 }
                    return 0
                }))
    }
}

private func fail(_ code: Int32) -> Int32 {
    errno = code
    return -1
}

/// Code and operation of the error that a call throws; `nil` where it throws none.
func failure<Result>(_ body: () throws -> Result) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        guard let error = error as? SystemError else { return "\(error)" }
        return "\(error.operation) \(error.code)"
    }
}
