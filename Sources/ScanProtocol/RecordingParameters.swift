// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Reads the parameters of `recordFrames` with errors that say what is expected.
enum RecordingParameters {
    private enum Member: String, CodingKey { case seconds, frames, bytes }

    /// Members that are not there have the value that `RecordingRequest` gives them.
    static func read<Key: CodingKey>(
        in members: KeyedDecodingContainer<Key>, at key: Key
    ) throws(ResponseError) -> Wire.RecordingRequest {
        var request = Wire.RecordingRequest()
        guard let params = try? members.nestedContainer(keyedBy: Member.self, forKey: key) else { return request }
        if params.contains(.seconds) {
            let most = Wire.RecordingRequest.maximumSeconds
            guard let seconds = try? params.decode(Double.self, forKey: .seconds), seconds > 0, seconds <= most else {
                throw .invalidParameters("params.seconds: a number over 0 and up to \(Int(most)) is expected")
            }
            request.seconds = seconds
        }
        if params.contains(.frames) { request.frames = try whole(.frames, in: params) }
        if params.contains(.bytes) { request.bytes = try whole(.bytes, in: params) }
        return request
    }

    private static func whole(
        _ member: Member, in params: KeyedDecodingContainer<Member>
    ) throws(ResponseError) -> Int {
        let range = 1...Wire.RecordingRequest.maximumBytes
        guard let value = try? params.decode(Int.self, forKey: member), range.contains(value) else {
            throw .invalidParameters(
                "params.\(member.rawValue): a whole number from 1 to \(range.upperBound) is expected")
        }
        return value
    }
}
