// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import ImageKernels
import LinuxSystem
import ScanModel
import Testing

@testable import Capture

/// The camera as the pipeline has it: one thread that waits, others that ask.
@Suite struct V4L2CameraTests {
    private func camera(_ options: CameraOptions, _ system: sending any CameraSystem) -> V4L2Camera {
        V4L2Camera(options: options, system: system, applyControls: { _, _ in [] })
    }

    @Test func itIsNamedByWhatWasAskedForUntilItIsFound() throws {
        var options = CameraOptions(selection: .path("/dev/v4l/by-id/usb-Maker_Cam-video-index0"))
        options.size = PictureSize(width: 16, height: 12)
        options.format = .grey
        let camera = camera(options, ScriptedCameraSystem([ScriptedCamera()]))
        #expect(camera.name == "/dev/v4l/by-id/usb-Maker_Cam-video-index0" && !camera.isUnpaced)
        let before = try #require(camera.cameraReport)
        #expect(before.asked.width == 16 && before.asked.format == .grey && before.mode == nil && before.openings == 0)
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 12)
        guard case .frame(let frame) = camera.next(into: pool, cancellation: try EventDescriptor()) else {
            Issue.record("no frame")
            return
        }
        #expect(frame.width == 16 && frame.height == 12 && frame.stamp.sequence == 0)
        #expect(camera.name == "Maker Cam")
        #expect(
            camera.cameraReport?.mode == CameraMode(width: 16, height: 12, format: .grey, interval: FrameInterval(1, 5))
        )
    }

    @Test func othersMayAskWhileItWaits() throws {
        let camera = camera(CameraOptions(selection: .automatic), WaitingSystem())
        let cancellation = try EventDescriptor()
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 12)
        let steps = Monitor<[String]>([])
        let thread = NamedThread("capture") {
            while true {
                let step = describe(camera.next(into: pool, cancellation: cancellation))
                steps.signal { $0.append(step) }
                if step == "cancelled" { return }
            }
        }
        _ = steps.wait { $0.isEmpty ? nil : true }
        #expect(camera.cameraReport?.device == nil && camera.name == "camera")
        camera.observe(nil)
        cancellation.signal()
        thread.join()
        #expect(steps.withLock { $0 } == ["unavailable cameraLost", "cancelled"])
    }

    @Test func cancellationIsPrompt() throws {
        let cancellation = try EventDescriptor()
        let pool = try FramePool(slotCount: 2, maximumPixels: 1 << 12)
        let camera = camera(CameraOptions(selection: .automatic), WaitingSystem())
        guard case .unavailable = camera.next(into: pool, cancellation: cancellation) else {
            Issue.record("nothing is told")
            return
        }
        #expect(isPrompt(cancellation) { describe(camera.next(into: pool, cancellation: cancellation)) == "cancelled" })
    }
}

/// A machine without a camera, in real time.
private final class WaitingSystem: CameraSystem {
    var now: MonotonicTime { .now }
    var wallTime: WallTime { .now }
    func locate(_ selection: CameraSelection) -> LocatedCamera? { nil }
    func open(_ node: String, converting: Bool) throws(SystemError) -> any VideoDevice { throw .last("open", node) }
    func holders(of node: String) -> [DeviceHolder] { [] }
    func watch(_ node: String?) {}

    func waitForChange(until deadline: MonotonicTime, cancellation: EventDescriptor) -> DeviceWait {
        pause(until: deadline, cancellation: cancellation) ? .deadline : .cancelled
    }
}
