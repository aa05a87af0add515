// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

extension DeviceHolder {
    /// What is looked at before giving up: a machine with more than that must not hold up the capture thread.
    private static let maximumLinks = 1 << 16
    private static let maximumHolders = 16

    /// Who has a file open, this process left out, by pid; as far as `/proc` may be read.
    static func all(of path: String) -> [DeviceHolder] {
        let path = resolvedPath(path) ?? path
        let number = VideoNode.number(of: path)
        let own = CurrentProcess.pid
        var links = 0
        var holders: [DeviceHolder] = []
        for entry in DirectoryNames(of: "/proc") {
            guard let pid = Int32(entry), pid != own else { continue }
            let descriptors = "/proc/\(entry)/fd/"
            for descriptor in DirectoryNames(of: descriptors) {
                links += 1
                if links > maximumLinks { return holders.sorted { $0.pid < $1.pid } }
                guard let text = linkText(descriptors + descriptor) else { continue }
                // In a container the same node may have another path: there its number tells. Only what lies in /dev is
                // asked for it, for asking a file on a server that is gone would wait for ever.
                let isIt =
                    text == path
                    || number != nil && text.hasPrefix("/dev/") && self.number(descriptors + descriptor) == number
                guard isIt else { continue }
                let name = CurrentProcess.readSmallFile("/proc/\(entry)/comm") ?? ""
                holders.append(DeviceHolder(pid: pid, name: String(name.prefix { $0 != "\n" })))
                break
            }
            if holders.count >= maximumHolders { break }
        }
        return holders.sorted { $0.pid < $1.pid }
    }

    private static func number(_ link: String) -> UInt? { VideoNode.number(of: link) }
}
