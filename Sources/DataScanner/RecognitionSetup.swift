// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import Capture
internal import Recognition
internal import ScanModel

extension ScannerConfiguration {
    /// The recognisers that are needed.
    private var kinds: Set<WorkerKind> {
        var kinds: Set<WorkerKind> = []
        if !symbologies.isEmpty { kinds.insert(.barcodes) }
        if !languages.isEmpty { kinds.insert(.text) }
        return kinds
    }

    /// Makes the recognisers where the configuration wants them.
    func makeRecognition(pool: FramePool) throws -> any RecognitionService {
        switch recognition {
        case .inProcess:
            return InProcessRecognition(
                kinds: kinds, makeEngine: { _ in ReaderEngine() },
                withFrame: { location, body in
                    pool.withLuma(offset: location.offset, width: location.width, height: location.height, body)
                })
        case .workers(let executable):
            let notice = onNotice
            var workers = WorkerConfiguration(frameMemory: pool.descriptor, frameMemorySize: pool.memorySize) { event in
                switch event.level {
                case .debug: notice(.detail("\(event.kind.name): \(event.message)"))
                case .noise: notice(.workerSaid("\(event.kind.name): \(event.message)"))
                case .warning: notice(.workerLost("\(event.kind.name): \(event.message)"))
                }
            }
            if let executable { workers.executable = executable }
            workers.kinds = kinds
            workers.languages = languages
            return try WorkerRecognition(configuration: workers)
        }
    }
}
