// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import ScanModel
import ScanProtocol
import ServiceSupport

/// How a recording came to its end.
struct RecordConclusion {
    enum Ending {
        /// A limit of this side, a full disk, another format.
        case ended(RecordingEnd)
        case interrupted
        /// The camera gives no frames, with its code and words.
        case unavailable(String)
        /// The daemon is gone, or says what nobody expects.
        case lost(String)
        /// The daemon stopped scanning, or ends.
        case stopped(String)
    }

    var ending: Ending
    /// Frames that were left out because the disk, or this program, was behind.
    var dropped: Int
    /// Frames that the driver lost; `nil` where that is not known.
    var lostByDriver: UInt64?

    init(_ ending: Ending, dropped: Int = 0) {
        self.ending = ending
        self.dropped = dropped
    }

    init(camera ending: CameraRecorder.Ending, dropped: Int) {
        self.dropped = dropped
        switch ending {
        case .ended(let end): self.ending = .ended(end)
        case .interrupted: self.ending = .interrupted
        case .unavailable(let code, let message): self.ending = .unavailable("\(code.rawValue): \(message)")
        }
    }

    init(_ ended: Wire.RecordingEnded) {
        dropped = ended.dropped
        let message = ended.message ?? ended.reason
        switch RecordingEndReason(rawValue: ended.reason) {
        case .seconds: ending = .ended(.duration)
        case .frames: ending = .ended(.frames)
        case .bytes: ending = .ended(.size)
        case .formatChanged: ending = .ended(.formatChanged(message))
        case .unavailable: ending = .unavailable(message)
        case .stopped: ending = .stopped(message)
        case nil: ending = .lost(message)
        }
    }

    /// One word for programs.
    var code: String {
        switch ending {
        case .ended(.duration): "seconds"
        case .ended(.frames): "frames"
        case .ended(.size): "size"
        case .ended(.noRoom): "diskFull"
        case .ended(.formatChanged): "formatChanged"
        case .interrupted: "interrupted"
        case .unavailable: "unavailable"
        case .lost: "connectionLost"
        case .stopped: "stopped"
        }
    }

    /// What there is to say beyond it.
    var message: String? {
        switch ending {
        case .ended(.noRoom(let message)), .ended(.formatChanged(let message)), .unavailable(let message),
            .lost(let message), .stopped(let message):
            message
        case .ended, .interrupted: nil
        }
    }

    /// What to tell whoever expects a recording as long as was asked for; `nil` where it is.
    func failure(_ writer: RecordingWriter) -> ProgramFailure? {
        let path = writer.destination.path
        let isEmpty = writer.tally.frames == 0
        let whole = isEmpty ? "nothing was written" : "what was written before is whole"
        switch ending {
        case .ended(.noRoom(let message)): return ProgramFailure(.inputOutput, "no room: \(message); \(whole)")
        case .ended(.formatChanged(let change)):
            return ProgramFailure(.unavailable, "the camera changed from \(change); \(whole)")
        case .ended(.size) where isEmpty:
            return ProgramFailure(.cannotCreate, "\(path): one frame is larger than --max-size; \(whole)")
        case .ended where isEmpty:
            let damaged = writer.tally.damaged
            return ProgramFailure(.unavailable, "no frame was written: \(damaged) damaged, \(dropped) dropped")
        case .ended: return nil
        case .interrupted where isEmpty:
            return ProgramFailure(.unavailable, "interrupted before the first frame; \(whole)")
        case .interrupted: return nil
        case .unavailable(let message), .lost(let message): return ProgramFailure(.unavailable, "\(message); \(whole)")
        case .stopped(let message): return ProgramFailure(.unavailable, "the daemon ended it: \(message); \(whole)")
        }
    }
}
