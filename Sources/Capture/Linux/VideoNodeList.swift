// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import CUdev
internal import Glibc
internal import LinuxSystem

/// A video node as udev, sysfs and `/dev` tell of it, without it being opened.
struct VideoNodeEntry: Sendable, Hashable {
    /// `/dev/video0`.
    var node: String
    /// Links that udev wants for it; two cameras that tell no serial number, or the same, want the same one by id.
    var links: [String] = []
    /// What the node can do, as udev's v4l_id found it: `:capture:`; `nil` where it has not looked.
    var capabilities: String?
    /// The driver's words for it.
    var title: String?
    /// Whether udev's rules have run for it: links, group and permissions are as they will be. True where udev does not
    /// run.
    var isSettled = true
    /// 0 for the first node of its device; the nodes behind a camera's first one are most often not for pictures.
    var index: Int?

    static let byId = "/dev/v4l/by-id/"
    static let byPath = "/dev/v4l/by-path/"

    /// The number in the node's name.
    var number: Int { VideoNodeEntry.number(of: node) ?? .max }

    /// The number of a node that is called `video` and a number; other names are video4linux's too: radios, subdevices.
    static func number(of path: String) -> Int? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("video"), name.utf8.count <= 10 else {
            return nil
        }
        let digits = name.dropFirst(5)
        return digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(digits) : nil
    }

    /// Whether it is a camera's as far as can be told from outside; `nil` where only opening tells.
    var isCaptureByName: Bool? {
        if let capabilities { return capabilities.contains(":capture:") }
        return index.map { $0 == 0 }
    }
}

/// The video nodes of the machine, or of a test.
struct VideoNodeList: Sendable {
    /// By number.
    let entries: [VideoNodeEntry]

    private static let maximumEntries = 256

    init(_ entries: [VideoNodeEntry]) { self.entries = entries.sorted { $0.number < $1.number } }

    /// As things are now: what udev and sysfs have, and what is in `/dev` without them (a container).
    static func current() -> VideoNodeList { VideoNodeList(from: fromUdev()) { VideoNode.number(of: $0) != nil } }

    /// What of `known` is there, and what is in the directory `root` besides.
    init(from known: [VideoNodeEntry], root: String = "/dev", isVideoDevice: (_ node: String) -> Bool) {
        var entries = known.filter { isVideoDevice($0.node) }
        for name in DirectoryNames(of: root) where VideoNodeEntry.number(of: name) != nil {
            let node = root + "/" + name
            if entries.contains(where: { $0.node == node }) || !isVideoDevice(node) { continue }
            if entries.count < VideoNodeList.maximumEntries { entries.append(VideoNodeEntry(node: node)) }
        }
        self.init(entries)
    }

    /// How a node is found again whatever its number is: the link by id, unless another camera wants the same one, else
    /// the one by path.
    ///
    /// - Parameter target: what a link leads to now; `nil` where it is not there.
    func stableLinks(of node: String, target: (String) -> String?) -> (byId: String?, byPath: String?, stable: String?)
    {
        let entry = entries.first { $0.node == node }
        func link(in folder: String) -> String? {
            entry?.links.sorted().first { $0.hasPrefix(folder) && target($0) == node }
        }
        let (byId, byPath) = (link(in: VideoNodeEntry.byId), link(in: VideoNodeEntry.byPath))
        let isShared = byId.map { isWantedTwice($0) } ?? true
        return (byId, byPath, isShared ? byPath ?? byId : byId)
    }

    /// Whether more nodes than one want a link.
    func isWantedTwice(_ link: String) -> Bool { entries.count { $0.links.contains(link) } > 1 }

    private static func fromUdev() -> [VideoNodeEntry] {
        guard let context = udev_new() else { return [] }
        defer { udev_unref(context) }
        let isUdevRunning = access("/run/udev/control", F_OK) == 0
        guard let enumeration = udev_enumerate_new(context) else { return [] }
        defer { udev_enumerate_unref(enumeration) }
        guard udev_enumerate_add_match_subsystem(enumeration, "video4linux") >= 0,
            udev_enumerate_scan_devices(enumeration) >= 0
        else { return [] }
        var entries: [VideoNodeEntry] = []
        var item = udev_enumerate_get_list_entry(enumeration)
        while let current = item, entries.count < maximumEntries {
            defer { item = udev_list_entry_get_next(current) }
            guard let path = udev_list_entry_get_name(current),
                let device = udev_device_new_from_syspath(context, path)
            else { continue }
            defer { udev_device_unref(device) }
            guard var entry = entry(device) else { continue }
            entry.isSettled = !isUdevRunning || udev_device_get_is_initialized(device) > 0
            entries.append(entry)
        }
        return entries
    }

    private static func entry(_ device: OpaquePointer) -> VideoNodeEntry? {
        guard let node = udev_device_get_devnode(device).map({ String(cString: $0) }),
            VideoNodeEntry.number(of: node) != nil
        else { return nil }
        var entry = VideoNodeEntry(node: node)
        var link = udev_device_get_devlinks_list_entry(device)
        while let current = link, entry.links.count < maximumEntries {
            if let name = udev_list_entry_get_name(current) { entry.links.append(String(cString: name)) }
            link = udev_list_entry_get_next(current)
        }
        entry.capabilities = udev_device_get_property_value(device, "ID_V4L_CAPABILITIES").map { String(cString: $0) }
        entry.title = udev_device_get_sysattr_value(device, "name").map { String(cString: $0) }
        entry.index = udev_device_get_sysattr_value(device, "index").flatMap { Int(String(cString: $0)) }
        return entry
    }
}
