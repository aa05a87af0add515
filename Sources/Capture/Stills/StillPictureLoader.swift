// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import ImageKernels
internal import LinuxSystem
public import ScanModel

/// Puts still pictures into slots of a pool, upright as their files say.
///
/// - Important: Confined to one thread; the decoder is kept from picture to picture.
public final class StillPictureLoader {
    private let pool: FramePool
    private let writer: FrameWriter

    /// Throws where the decoder has no memory.
    public init(pool: FramePool) throws(StillPictureError) {
        self.pool = pool
        do throws(PictureError) {
            writer = try FrameWriter(orientation: .upright, limits: PictureLimits())
        } catch {
            throw StillPictureError(error.description)
        }
    }

    /// Reads and decodes a picture, and waits for a slot where all are in use.
    public func load(_ picture: StillPicture, as stamp: FrameStamp) throws(StillPictureError) -> Frame {
        let bytes = try contents(of: picture)
        while true {
            guard let lease = pool.lease(until: .now + .seconds(1)) else { continue }
            do throws(PictureError) {
                let size = try bytes.withUnsafeBufferPointer { (bytes) throws(PictureError) in
                    try writer.write(
                        encoded: UnsafeRawBufferPointer(bytes), into: lease.writableBytes, asFileSays: true)
                }
                return Frame(stamp: stamp, width: size.width, height: size.height, lease: lease)
            } catch {
                throw StillPictureError(error.description)
            }
        }
    }

    private func contents(of picture: StillPicture) throws(StillPictureError) -> [UInt8] {
        switch picture.origin {
        case .memory(let bytes): return bytes
        case .standardInput: return try standardInput()
        case .file(let path):
            do throws(UnreadablePicture) {
                return try PictureFiles.contents(of: path)
            } catch {
                throw StillPictureError(error.reason)
            }
        }
    }

    private func standardInput() throws(StillPictureError) -> [UInt8] {
        let stream: ByteStream
        let never: EventDescriptor
        do throws(SystemError) {
            // A copy: the descriptor itself stays open for whoever else has it.
            let copy = fcntl(0, F_DUPFD_CLOEXEC, 3)
            if copy < 0 { throw .last("fcntl") }
            stream = ByteStream(OwnedDescriptor(owning: copy), name: "standard input")
            never = try EventDescriptor()
        } catch {
            throw StillPictureError(error.description)
        }
        while true {
            switch stream.read(until: nil, cancellation: never) {
            case .bytes:
                guard stream.bytes.count <= PictureFiles.maximumFileSize else {
                    throw StillPictureError(
                        "more bytes than the limit of a picture file, \(PictureFiles.maximumFileSize)")
                }
            case .end: return Array(stream.bytes)
            case .failed(let error): throw StillPictureError(error.description)
            case .notYet, .cancelled: continue
            }
        }
    }
}
