// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem

/// A camera that is open and told what it is and what it offers; nothing is set yet.
struct CameraProbe {
    let device: any VideoDevice
    let capability: VideoCapability
    let choice: ModeChoice
    /// Whether libv4l2 makes the frames.
    let isConverted: Bool

    /// The formats that may be agreed upon.
    var formats: [FourCC] { isConverted ? ModeChoice.convertedFormats : ModeChoice.nativeFormats }

    /// Opens a node, and once more through libv4l2 where the camera has no format that is read here.
    ///
    /// On an error nothing stays open.
    init(opening node: String, system: any CameraSystem, wish: ModeWish) throws(CameraFault) {
        let direct = try Self.open(node, system, converting: false)
        do throws(CameraFault) {
            let capability = try Self.check(direct)
            let offer = try Self.offer(of: direct, ModeChoice.nativeFormats, wish)
            let choice = ModeChoice(offer.modes, wish: wish)
            if !choice.ladder.isEmpty {
                self.init(device: direct, capability: capability, choice: choice, isConverted: false)
                return
            }
            // Some drivers let nobody else in while we are.
            direct.close()
            self = try CameraProbe(converting: node, system: system, wish: wish, own: offer.formats)
        } catch {
            direct.close()
            throw error
        }
    }

    private init(
        converting node: String, system: any CameraSystem, wish: ModeWish, own: [VideoFormat]
    ) throws(CameraFault) {
        let device: any VideoDevice
        do throws(CameraFault) {
            device = try Self.open(node, system, converting: true)
        } catch {
            // What libv4l2 can not open at all, it does not convert either.
            throw error.blamesMode ? .unsupported(Self.refusal(own)) : error
        }
        do throws(CameraFault) {
            let capability = try Self.check(device)
            let offer = try Self.offer(of: device, ModeChoice.convertedFormats, wish)
            // The first of them that it makes: YU12 has the luma by itself.
            let code = ModeChoice.convertedFormats.first { code in offer.modes.contains { $0.format == code } }
            let choice = ModeChoice(offer.modes.filter { $0.format == code }, wish: wish)
            guard !choice.ladder.isEmpty else { throw .unsupported(Self.refusal(own)) }
            self.init(device: device, capability: capability, choice: choice, isConverted: true)
        } catch {
            device.close()
            throw error
        }
    }

    private init(device: any VideoDevice, capability: VideoCapability, choice: ModeChoice, isConverted: Bool) {
        self.device = device
        self.capability = capability
        self.choice = choice
        self.isConverted = isConverted
    }

    private static func open(
        _ node: String, _ system: any CameraSystem, converting: Bool
    ) throws(CameraFault) -> any VideoDevice {
        do throws(SystemError) {
            return try system.open(node, converting: converting)
        } catch {
            // Its subject says what is there instead.
            if error.code == ENOTTY { throw .unsupported("\(error.subject) is no video device") }
            throw .call(error)
        }
    }

    private static func check(_ device: any VideoDevice) throws(CameraFault) -> VideoCapability {
        let capability: VideoCapability
        do throws(SystemError) {
            capability = try device.capability()
        } catch {
            if error.code == ENOTTY || error.code == EINVAL { throw .unsupported("it is no video device") }
            throw .call(error)
        }
        if capability.isCapture, capability.isStreaming { return capability }
        if capability.isMultiPlanar {
            throw .unsupported("it gives its pictures in several planes of memory, as the cameras of phones do")
        }
        guard capability.isCapture else {
            throw .unsupported("it gives no pictures: it is the metadata or output node of a device; name another node")
        }
        throw .unsupported("its driver can not stream into mapped buffers")
    }

    private static func offer(
        of device: any VideoDevice, _ formats: [FourCC], _ wish: ModeWish
    ) throws(CameraFault) -> CameraOffer {
        do throws(SystemError) {
            return try CameraOffer(of: device, read: formats, wish: wish)
        } catch {
            if error.code == ENOTTY || error.code == EINVAL { throw .unsupported("its driver names no formats") }
            throw .call(error)
        }
    }

    /// What a camera offers that gives nothing we can read.
    private static func refusal(_ formats: [VideoFormat]) -> String {
        guard !formats.isEmpty else { return "it offers no format at all" }
        let list = formats.map { $0.name.isEmpty ? "\($0.code)" : "\($0.code) (\($0.name))" }
        return "it offers only \(list.joined(separator: ", ")); what is read is "
            + ModeChoice.nativeFormats.map(\.description).joined(separator: ", ") + ", and what libv4l2 converts"
    }
}
