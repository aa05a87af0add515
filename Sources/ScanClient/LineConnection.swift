// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Glibc
internal import LinuxSystem
internal import ScanModel
internal import ScanProtocol

/// A connection that is read line by line.
struct LineConnection: ~Copyable {
    /// Four times the longest line of the protocol: what is longer does not come from datascand.
    static let lineLimit = 16 << 20

    let path: String
    private let descriptor: OwnedDescriptor
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0
    private var ended = false

    /// The connection itself, borrowed.
    var raw: Int32 { descriptor.raw }

    init(path: String, timeout: Duration) throws(ClientError) {
        self.path = path
        descriptor = try connectPatiently(path, timeout)
    }

    /// The next line with its newline; `nil` when the server closed after a whole line.
    ///
    /// A line that the server's end cut off is an error, `closed`: it was not told completely.
    mutating func nextLine(
        until deadline: MonotonicTime? = nil, cancellation: EventDescriptor? = nil
    ) throws(ClientError) -> [UInt8]? {
        while true {
            if let end = bytes[searched...].firstIndex(of: 0x0A) {
                let line = Array(bytes[start...end])
                start = end + 1
                searched = start
                return line
            }
            if start > 0 {
                bytes.removeFirst(start)
                start = 0
            }
            searched = bytes.count
            if bytes.count > LineConnection.lineLimit { throw .lineTooLong(limit: LineConnection.lineLimit) }
            if ended {
                if bytes.isEmpty { return nil }
                throw .closed(path)
            }
            try receive(until: deadline, cancellation: cancellation)
        }
    }

    /// Exactly so many of the bytes behind the last line; `closed` where the server's end cut them off.
    mutating func nextBytes(
        _ count: Int, until deadline: MonotonicTime? = nil, cancellation: EventDescriptor? = nil
    ) throws(ClientError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        while true {
            let taken = min(count - result.count, bytes.count - start)
            result.append(contentsOf: bytes[start..<start + taken])
            start += taken
            // A line's end is looked for behind the bytes, in which there may be any.
            searched = start
            if result.count == count { return result }
            (bytes, start, searched) = ([], 0, 0)
            if ended { throw .closed(path) }
            try receive(until: deadline, cancellation: cancellation)
        }
    }

    private mutating func receive(until deadline: MonotonicTime?, cancellation: EventDescriptor?) throws(ClientError) {
        do throws(SystemError) {
            var wanted = [(descriptor.raw, Readiness.readable)]
            if let cancellation { wanted.append((cancellation.raw, .readable)) }
            let ready = try pollDescriptors(wanted, until: deadline)
            if ready.count > 1, !ready[1].isEmpty { throw SystemError("recv", code: ECANCELED, subject: path) }
            if ready.allSatisfy(\.isEmpty) { throw SystemError("recv", code: ETIMEDOUT, subject: path) }
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let result: Result<Int?, SystemError> = buffer.withUnsafeMutableBytes { buffer in
                do throws(SystemError) {
                    return .success(try UnixSocket.receive(into: buffer, from: descriptor.raw))
                } catch {
                    return .failure(error)
                }
            }
            guard let count = try result.get() else { return }
            if count == 0 { ended = true } else { bytes.append(contentsOf: buffer[..<count]) }
        } catch {
            // Closed with requests of ours unread: what was told before came all the same.
            guard error.code == ECONNRESET else { throw .system(error) }
            ended = true
        }
    }

    /// Sends all of it, waiting for room until the deadline.
    func send(_ line: [UInt8], until deadline: MonotonicTime) throws(ClientError) {
        var sent = 0
        while sent < line.count {
            do throws(SystemError) {
                let result: Result<Int?, SystemError> = line.withUnsafeBytes { bytes in
                    do throws(SystemError) {
                        return .success(
                            try UnixSocket.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]), to: descriptor.raw))
                    } catch {
                        return .failure(error)
                    }
                }
                if let count = try result.get() {
                    sent += count
                } else if try pollDescriptors([(descriptor.raw, .writable)], until: deadline).allSatisfy(\.isEmpty) {
                    throw SystemError("send", code: ETIMEDOUT, subject: path)
                }
            } catch {
                if error.code == EPIPE || error.code == ECONNRESET { return }
                throw .system(error)
            }
        }
    }
}

/// Connects, and tries again while the server's queue of connections is full.
private func connectPatiently(_ path: String, _ timeout: Duration) throws(ClientError) -> OwnedDescriptor {
    let deadline = MonotonicTime.now + timeout
    while true {
        do throws(SystemError) {
            return try UnixSocket.connectNow(path: path)
        } catch {
            switch error.code {
            case EAGAIN where MonotonicTime.now < deadline: usleep(10_000)
            case EAGAIN: throw .timeout("connect \(path)", timeout)
            case ENOENT, ENOTDIR, ENOTSOCK: throw .noSocket(path)
            case ECONNREFUSED: throw .notRunning(path)
            case EACCES, EPERM: throw .permissionDenied(path, group: group(of: path))
            default: throw .system(error)
            }
        }
    }
}

/// The name of a file's group; `nil` where it can not be looked at.
private func group(of path: String) -> String? {
    var information = stat()
    guard stat(path, &information) == 0 else { return nil }
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    guard getgrgid_r(information.st_gid, &entry, &buffer, buffer.count, &found) == 0, found != nil,
        let name = entry.gr_name
    else { return "\(information.st_gid)" }
    return String(cString: name)
}
