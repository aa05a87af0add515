// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import LinuxSystem
import ScanModel

// A camera that nobody else has: it is opened here.
extension Record {
    func recordCamera() throws -> RecordConclusion {
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
