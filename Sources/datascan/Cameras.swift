// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Capture
import Configuration
import ScanProtocol
import ServiceSupport

/// `datascan cameras`: the cameras of this machine.
///
/// A machine without one is no error: the list is empty.
enum Cameras {
    static func run(_ session: Session) {
        let cameras = CameraDirectory.cameras()
        guard session.format == .text else {
            let list = JSONValue.array(cameras.map { json($0) })
            session.output.print(String(decoding: list.encoded, as: UTF8.self) + "\n")
            return
        }
        session.output.print(cameras.isEmpty ? none : cameras.map { text($0) }.joined(separator: "\n"))
    }

    private static let none = """
        no camera is there
          plugged in?         'lsusb' lists it; another cable, another port, a hub with its own power
          driver loaded?      'dmesg | grep -i uvc' tells what became of it
          in a container?     hand in /dev/video0 or char-video4linux, and /run/udev for its lasting names

        """

    // MARK: - For people

    private static func text(_ camera: CameraDescription) -> String {
        var rows: [(String, String)] = []
        if let link = camera.byId {
            rows.append(("by id", link + (link == camera.stablePath ? "" : " (of two cameras)")))
        }
        if let link = camera.byPath { rows.append(("by path", link)) }
        if let bus = camera.bus { rows.append(("bus", bus)) }
        if let driver = camera.driver { rows.append(("driver", driver)) }
        let holders = camera.holders.map { "\($0.name.isEmpty ? "a program" : $0.name) (pid \($0.pid))" }
        if camera.isBusy {
            rows.append(
                ("busy", holders.isEmpty ? "by a program that can not be seen" : holders.joined(separator: ", ")))
        } else if !holders.isEmpty {
            rows.append(("open in", holders.joined(separator: ", ")))
        }
        if let problem = camera.problem { rows.append(("problem", problem)) }
        let lines = rows.map { "  " + $0.0.padded(to: 9) + ItemLine.printable($0.1) }
        let head = ItemLine.printable("\(camera.device)  \(camera.name)")
        return ([head] + lines + modes(camera.modes)).map { $0 + "\n" }.joined()
    }

    /// A line for each size; formats that have the same sizes and rates share them.
    private static func modes(_ modes: [CameraDescription.Mode]) -> [String] {
        var groups: [(formats: [FourCC], modes: [CameraDescription.Mode])] = []
        for mode in modes {
            if groups.last?.formats == [mode.format] {
                groups[groups.count - 1].modes.append(mode)
            } else {
                groups.append(([mode.format], [mode]))
            }
        }
        var shared: [(formats: [FourCC], sizes: [String])] = []
        for group in groups {
            let sizes = group.modes.map { "\($0.width)x\($0.height)".padded(to: 12) + rates($0) }
            if let index = shared.firstIndex(where: { $0.sizes == sizes }) {
                shared[index].formats += group.formats
            } else {
                shared.append((group.formats, sizes))
            }
        }
        return shared.flatMap { formats, sizes in
            ["  " + formats.map { ItemLine.printable($0.description) }.joined(separator: " ")]
                + sizes.map { "    " + $0 }
        }
    }

    private static func rates(_ mode: CameraDescription.Mode) -> String {
        if mode.rates.isEmpty { return "at a rate that is not told" }
        return mode.rates.map { rate in
            let rounded = hundredths(rate)
            return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
        }.joined(separator: " ") + " /s"
    }

    // MARK: - For programs

    private static func json(_ camera: CameraDescription) -> JSONValue {
        var members: [String: JSONValue] = [
            "device": .string(camera.device), "name": .string(camera.name), "busy": .bool(camera.isBusy),
            "modes": .array(
                camera.modes.map { mode in
                    .object([
                        "format": .string(mode.format.description), "width": .integer(Int64(mode.width)),
                        "height": .integer(Int64(mode.height)),
                        "rates": .array(mode.rates.map { .number(hundredths($0)) }),
                    ])
                }),
            "holders": .array(
                camera.holders.map { .object(["pid": .integer(Int64($0.pid)), "name": .string($0.name)]) }),
        ]
        let optional = [
            "stablePath": camera.stablePath, "byId": camera.byId, "byPath": camera.byPath, "bus": camera.bus,
            "driver": camera.driver, "problem": camera.problem,
        ]
        for case let (key, value?) in optional { members[key] = .string(value) }
        return .object(members)
    }

    private static func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
