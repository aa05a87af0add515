// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// A setting of a camera, as V4L2 describes it.
public struct VideoControl: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case integer
        case boolean
        /// Entries by number; some numbers between the bounds may be missing.
        case menu([MenuEntry])
        /// A press, without a value.
        case button
        /// Of a type that is listed and not set here: strings, arrays.
        case other
    }

    public struct MenuEntry: Sendable, Hashable {
        public var index: Int64
        /// What the driver calls it, or an integer menu's number.
        public var name: String

        public init(index: Int64, name: String) {
            self.index = index
            self.name = name
        }
    }

    public var id: UInt32
    /// As `v4l2-ctl` and the configuration write it: lower case, one underscore for what is no letter or digit.
    public var name: String
    /// The driver's own words.
    public var title: String
    public var kind: Kind
    public var minimum: Int64
    public var maximum: Int64
    public var step: UInt64
    public var defaultValue: Int64
    /// `nil` where it can not be read.
    public var value: Int64?
    public var isReadOnly: Bool
    /// Without effect for now: another control is in charge, such as automatic exposure.
    public var isInactive: Bool

    public init(
        id: UInt32, name: String, title: String, kind: Kind, minimum: Int64, maximum: Int64, step: UInt64,
        defaultValue: Int64, value: Int64?, isReadOnly: Bool = false, isInactive: Bool = false
    ) {
        self.id = id
        self.name = name
        self.title = title
        self.kind = kind
        self.minimum = minimum
        self.maximum = maximum
        self.step = step
        self.defaultValue = defaultValue
        self.value = value
        self.isReadOnly = isReadOnly
        self.isInactive = isInactive
    }
}
