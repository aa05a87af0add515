// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

import Configuration
import Glibc
import LinuxSystem
import ScanClient
import ScanModel
import ServiceSupport

/// What all verbs work with: whom to ask and how to print.
struct Session {
    /// How often a daemon that is not up yet is tried.
    private static let retryInterval: UInt32 = 100_000

    let options: ClientOptions
    let client: ScanClient
    let format: OutputFormat
    let output: StandardOutput
    let waitLimit: MonotonicTime

    init(_ options: ClientOptions, output: StandardOutput) {
        self.options = options
        self.output = output
        let directory = options.socketDirectory ?? SocketDirectory.standard(camera: options.camera)
        client = ScanClient(directory: SocketDirectory.absolute(directory))
        format = options.format ?? (isatty(1) == 1 ? .text : .json)
        waitLimit = .now + .seconds(options.waitSeconds)
    }

    /// Connects, trying again while nobody listens and the time to wait is not over.
    func connect<Connection>(_ body: () throws(ClientError) -> Connection) throws(ClientError) -> Connection {
        while true {
            do throws(ClientError) {
                return try body()
            } catch {
                switch error {
                case .noSocket, .notRunning:
                    if MonotonicTime.now >= waitLimit { throw error }
                    usleep(Session.retryInterval)
                default: throw error
                }
            }
        }
    }
}
