// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Glibc
import ImageKernels
import LinuxSystem
import ScanModel
import ServiceSupport

/// Takes a few frames from a camera as a user of the library does, and keeps the luma of the last one.
///
/// usage: camera-probe DEVICE [--size WxH] [--rate N] [--format CODE] [--frames N] [--pgm FILE]
///
/// It prints the mode that was agreed upon and what was counted. It ends with 64 where the arguments are wrong, with 69
/// where the frames did not come within 15 s, with 74 where the file can not be written.
@main
struct CameraProbe {
    private static let limit = Duration.seconds(15)

    static func main() {
        guard let request = ProbeRequest(Array(CommandLine.arguments.dropFirst())) else {
            end(.usage, "usage: camera-probe DEVICE [--size WxH] [--rate N] [--format CODE] [--frames N] [--pgm FILE]")
        }
        do {
            let camera = V4L2Camera(options: request.options)
            let frame = try take(request.frames, from: camera)
            if let path = request.pgm { try write(frame, to: path) }
            print(summary(camera, frame))
        } catch let error as SystemError {
            end(.inputOutput, error.description)
        } catch {
            end(.software, "\(error)")
        }
    }

    /// The last of so many frames; a reason why none come is only the end where time runs out, or where it will stay so.
    private static func take(_ count: Int, from camera: V4L2Camera) throws -> Frame {
        let pool = try FramePool(slotCount: 3)
        let enough = try EventDescriptor()
        _ = NamedThread("limit") {
            _ = try? pollDescriptors([], until: .now + limit)
            enough.signal()
        }
        var taken = 0
        var reason = "no frame came"
        while true {
            switch camera.next(into: pool, cancellation: enough) {
            case .frame(let frame):
                taken += 1
                if taken >= count { return frame }
            case .skipped(_, _, let why): reason = why
            case .remark: continue
            case .unavailable(.unsupported, let message): end(.unavailable, message)
            case .unavailable(_, let message): reason = message
            case .cancelled, .ended: end(.unavailable, "\(taken) of \(count) frames came: \(reason)")
            }
        }
    }

    private static func write(_ frame: Frame, to path: String) throws(SystemError) {
        guard let file = fopen(path, "we") else { throw .last("open", path) }
        let header = Array("P5\n\(frame.width) \(frame.height)\n255\n".utf8)
        let isWritten = frame.withLuma { luma in
            guard fwrite(header, 1, header.count, file) == header.count, let start = luma.bytes.baseAddress else {
                return false
            }
            return (0..<luma.height).allSatisfy { fwrite(start + $0 * luma.stride, 1, luma.width, file) == luma.width }
        }
        guard fclose(file) == 0, isWritten else { throw .last("write", path) }
    }

    private static func summary(_ camera: V4L2Camera, _ frame: Frame) -> String {
        let report = camera.cameraReport
        let mode = report?.mode.map { mode in
            "\(mode.width)x\(mode.height) \(mode.format)" + (mode.interval.map { " at \($0.framesPerSecond)/s" } ?? "")
        }
        let counts = report.map {
            "\($0.framesTaken) taken, \($0.driverDrops) lost, \($0.staleFrames) overtaken, \($0.damagedFrames) damaged"
        }
        let conversion = report?.isConverted == true ? ", converted by libv4l2" : ""
        return "\(camera.name): \(mode ?? "no mode")\(conversion); \(frame.width)x\(frame.height); \(counts ?? "")"
    }

    private static func end(_ status: ExitStatus, _ message: String) -> Never {
        Logger(program: "camera-probe", threshold: .info, isJournal: false).error(message)
        exit(with: status.rawValue)
    }
}

/// What the command line asks for.
private struct ProbeRequest {
    var options: CameraOptions
    var frames = 1
    var pgm: String?

    /// `nil` for arguments that make no sense.
    init?(_ arguments: [String]) {
        guard let device = arguments.first, !device.hasPrefix("-"), arguments.count % 2 == 1 else { return nil }
        options = CameraOptions(selection: device == "auto" ? .automatic : .path(device))
        for index in stride(from: 1, to: arguments.count, by: 2) {
            let value = arguments[index + 1]
            switch arguments[index] {
            case "--size":
                let sides = value.split(separator: "x").compactMap { Int($0) }
                guard sides.count == 2 else { return nil }
                options.size = PictureSize(width: sides[0], height: sides[1])
            case "--rate":
                guard let rate = Double(value) else { return nil }
                options.rate = rate
            case "--format":
                guard let format = FourCC(value) else { return nil }
                options.format = format
            case "--frames":
                guard let count = Int(value), count > 0 else { return nil }
                frames = count
            case "--pgm": pgm = value
            default: return nil
            }
        }
    }
}
