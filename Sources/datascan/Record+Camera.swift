// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import LinuxSystem
import ScanModel
import ServiceSupport

// A camera that nobody else has: it is opened here.
extension Record {
    func recordCamera() throws -> RecordConclusion {
        let name = session.options.source ?? "auto"
        // What is there and is no camera will not become one: it is not waited for.
        if case .path(let path)? = CameraSelection(named: name), let kind = CameraDirectory.otherKind(at: path) {
            throw ProgramFailure(
                .noInput, "\(name) is no camera but \(kind); 'datascan cameras' lists the cameras there are")
        }
        let source = try CameraOpening.open(session.options)
        let queue = RecordingQueue()
        source.observe(queue)
        defer { source.observe(nil) }
        let recorder = try CameraRecorder(source, queue: queue)
        interruption.onSignal { recorder.interrupt() }
        let ending = try recorder.run(into: writer, waitingUntil: session.waitLimit) { () throws(RecordingError) in
            try describe(RecordedCamera(source.cameraReport))
        }
        var conclusion = RecordConclusion(camera: ending, dropped: queue.droppedCount)
        conclusion.lostByDriver = source.cameraReport?.driverDrops
        try describe(RecordedCamera(source.cameraReport), conclusion)
        return conclusion
    }
}
