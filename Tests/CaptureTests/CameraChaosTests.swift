// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Glibc
import LinuxSystem
import ScanModel
import ScanTestSupport
import Testing

@testable import Capture

/// Faults as they come: several at once, one after the other, in any order.
@Suite struct CameraChaosTests {
    /// Things that happen to a camera. Each is undone by `mend`.
    private static func trouble(
        _ camera: ScriptedCamera, _ system: ScriptedCameraSystem, _ generator: inout SeededGenerator
    ) {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0: system.unplug(camera)
        case 1:
            system.unplug(camera)
            camera.node = "/dev/video\(Int.random(in: 0..<9, using: &generator))"
            system.plug(camera)
        case 2: camera.isHung = true
        case 3: camera.reportsPollError = true
        case 4: camera.liesAboutReadiness = true
        case 5: camera.sourceChanges = Int.random(in: 1...5, using: &generator)
        case 6: system.suspendedTime += .seconds(60)
        case 7: camera.mostBuffers = Int.random(in: 0...4, using: &generator)
        case 8: camera.picture = { _ in PlayedPicture(3) }
        case 9:
            camera.picture = { index in
                var picture = PlayedPicture(UInt8(100 + index % 100))
                picture.isDamaged = index % 2 == 0
                picture.sequence = UInt32(truncatingIfNeeded: index &* 7919)
                picture.stampOffset = .milliseconds(index % 7 * 1000 - 3000)
                return picture
            }
        default:
            guard let call = VideoCall.allCases.randomElement(using: &generator),
                let code = CameraErrnoTests.codes.randomElement(using: &generator)
            else { return }
            let times = Bool.random(using: &generator) ? nil : Int.random(in: 1...6, using: &generator)
            camera.fail(call, code, times: times, takes: .milliseconds(.random(in: 0...50, using: &generator)))
        }
    }

    private static func mend(_ camera: ScriptedCamera, _ system: ScriptedCameraSystem) {
        camera.faults = [:]
        (camera.isHung, camera.reportsPollError, camera.liesAboutReadiness) = (false, false, false)
        (camera.sourceChanges, camera.mostBuffers) = (0, 32)
        camera.picture = { PlayedPicture(UInt8(100 + $0 % 100)) }
        system.plug(camera)
    }

    @Test(arguments: 0..<8)
    func whateverHappensTheRulesHoldAndFramesComeBack(part: Int) throws {
        for seed in 0..<125 {
            var generator = SeededGenerator(seed: UInt64(part * 1000 + seed))
            let camera = ScriptedCamera(formats: [PlayedFormat(.grey, [(16, 12)], [5, 2])])
            let play = try CameraPlay(ScriptedCameraSystem([camera]))
            if seed % 5 == 0 { play.system.stormInterval = .milliseconds(40) }
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                let moment = Double.random(in: 0...15, using: &generator)
                var own = SeededGenerator(seed: generator.next())
                play.system.at(moment) { CameraChaosTests.trouble(camera, $0, &own) }
            }
            play.system.at(17) { CameraChaosTests.mend(camera, $0) }
            play.until(26)
            #expect(play.faults() == [], "seed \(part * 1000 + seed)")
            let back = play.firstFrame(after: 17)
            #expect(back.map { $0 <= 22.5 } == true, "seed \(part * 1000 + seed): \(back ?? -1)")
            #expect(play.frames(from: 23).count >= 14, "seed \(part * 1000 + seed)")
            // A trouble is told once, and its followers; nobody is flooded.
            #expect(play.codes.count <= 14, "seed \(part * 1000 + seed): \(play.codes)")
        }
    }
}
