// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

internal import ScanModel

/// Whether a camera that gives frames shows anything: a picture that hangs, or one without light.
struct PictureHealth {
    /// 99 of 100 pixels below this are no picture: sensor noise and black level reach 16 to 25.
    static let darkBelow: UInt8 = 32
    /// A passing hand is no darkness.
    static let darkAfter = Duration.seconds(1)
    /// How often the brightness is looked at; a JPEG has to be decoded for it.
    static let checkInterval = Duration.milliseconds(500)

    enum State: Hashable {
        case fine
        case dark
        case frozen
    }

    /// `nil`: a picture that stands still is fine.
    let frozenAfter: Duration?
    private var hash: UInt64?
    private var sameSince: MonotonicTime?
    private var isFrozen = false
    private var darkSince: MonotonicTime?
    private var isDark = false
    private var lastCheck: MonotonicTime?

    init(frozenAfter: Duration?) { self.frozenAfter = frozenAfter }

    var wantsHash: Bool { frozenAfter != nil }

    /// Whether the brightness of a frame that came at `now` is wanted.
    func wantsBrightness(at now: MonotonicTime) -> Bool {
        lastCheck.map { now - $0 >= PictureHealth.checkInterval } ?? true
    }

    /// Takes what was found out about a frame; a brightness of `nil` where none was asked for or none could be told.
    ///
    /// Darkness goes before standing still: a black picture may well be the same each time.
    mutating func see(hash: UInt64?, brightness: UInt8?, at now: MonotonicTime) -> State {
        if let hash { see(hash, at: now) }
        if wantsBrightness(at: now) { lastCheck = now }
        if let brightness { see(brightness, at: now) }
        return isDark ? .dark : isFrozen ? .frozen : .fine
    }

    private mutating func see(_ hash: UInt64, at now: MonotonicTime) {
        guard let frozenAfter, hash == self.hash, let sameSince else {
            (self.hash, sameSince, isFrozen) = (hash, now, false)
            return
        }
        if now - sameSince >= frozenAfter { isFrozen = true }
    }

    private mutating func see(_ brightness: UInt8, at now: MonotonicTime) {
        guard brightness < PictureHealth.darkBelow else {
            (darkSince, isDark) = (nil, false)
            return
        }
        let since = darkSince ?? now
        darkSince = since
        if now - since >= PictureHealth.darkAfter { isDark = true }
    }
}
