// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

/// Finds where a symbol's characters lie on a line when their width changes from one to the next, as around a can.
///
/// Guards and characters alike are taken as stretches of seven modules; a path goes from guard to guard, and its width changes
/// by a step a character at the most (deformable templates, after Gallo and Manduchi, TPAMI 33(9), 2011).
public struct DeformablePath: Sendable {
    /// Samples of a module of a symbol as wide as it is expected.
    public static let density: Float = 3
    /// The narrowest and the widest character, as shares of the one expected.
    private static let shares: (Float, Float) = (0.6, 1.14)
    /// What a step of the width costs.
    private static let stepCost: Float = 0.12
    private static let blur = BarBlur(spread: 0.3)

    /// The likeliest places and their error, from left to right and from right to left; `nil` where it is over a limit.
    ///
    /// `stretched` is 0...1, with `density` samples for each module that is expected. The places of the second are those
    /// in the reversed line.
    public static func places(
        in stretched: BarProfile, plan: CharacterPlan, largestError: Float
    ) -> (forward: (places: ModulePlaces, error: Float)?, backward: (places: ModulePlaces, error: Float)?) {
        let items = Item.items(of: plan)
        let backward = items.reversed().map(\.reversed)
        var sets: [[CharacterErrors.Shape]] = []
        func index(_ set: [CharacterErrors.Shape]) -> Int {
            if let known = sets.firstIndex(of: set) { return known }
            sets.append(set)
            return sets.count - 1
        }
        let (ahead, behind) = (items.map { index($0.shapes) }, backward.map { index($0.shapes) })
        let expected = Float(CharacterPlan.width) * density
        let errors = CharacterErrors(
            of: stretched, widths: Int(expected * shares.0)...Int(expected * shares.1), sets: sets, blur: blur)
        let one = path(errors, items: items, tables: ahead, modules: plan.modules, limit: largestError)
        // Found on the same line from left to right, and told from right to left.
        var other = path(errors, items: backward, tables: behind, modules: plan.modules, limit: largestError)
        other?.places.reverse(count: stretched.values.count)
        return (one, other)
    }

    /// A stretch that is compared.
    private struct Item {
        var shapes: [CharacterErrors.Shape]
        /// Modules of paper at its outer end.
        var paper = 0
        /// Modules from the path's place to where the stretch begins, and to where the path goes on.
        var offset: Int
        var advance: Int

        var reversed: Item {
            Item(
                shapes: shapes.map { shape in
                    let bits = (0..<CharacterPlan.width).reduce(0) { $0 << 1 | (shape.bits >> $1 & 1) }
                    return CharacterErrors.Shape(
                        bits: bits, isDarkBefore: shape.isDarkBehind, isDarkBehind: shape.isDarkBefore)
                }, paper: paper, offset: offset, advance: advance)
        }

        static func items(of plan: CharacterPlan) -> [Item] {
            let width = CharacterPlan.width
            var items: [Item] = []
            for (index, part) in plan.guards.enumerated() {
                let isFirst = index == 0
                let isLast = index == plan.slots.count
                if part.count > 0 {
                    if isFirst {
                        items.append(
                            Item(
                                shapes: [.init(bits: part.bits, isDarkBefore: false, isDarkBehind: part.bits & 1 == 0)],
                                paper: width - part.count, offset: 0, advance: width))
                    } else if isLast {
                        let isDark = part.bits >> (part.count - 1) & 1 == 0
                        items.append(
                            Item(
                                shapes: [
                                    .init(
                                        bits: part.bits << (width - part.count), isDarkBefore: isDark,
                                        isDarkBehind: false)
                                ], paper: width - part.count, offset: 0, advance: width))
                    } else {
                        // With the neighbours' next modules, which are the opposite of its own ends.
                        let bits = (1 << (part.count + 1)) | part.bits << 1 | 1
                        items.append(
                            Item(
                                shapes: [.init(bits: bits, isDarkBefore: false, isDarkBehind: false)],
                                offset: -1, advance: part.count))
                    }
                }
                guard !isLast else { break }
                let slot = plan.slots[index]
                items.append(
                    Item(
                        shapes: plan.codewords[slot.choices].map { bits in
                            .init(
                                bits: bits, isDarkBefore: bits >> (width - 1) & 1 == 0, isDarkBehind: bits & 1 == 0)
                        }, offset: 0, advance: width))
            }
            return items
        }
    }

    private static func path(
        _ errors: CharacterErrors, items: [Item], tables: [Int], modules: Int, limit: Float
    ) -> (places: ModulePlaces, error: Float)? {
        let (count, columns) = (errors.places, errors.widthCount)
        let widths = Array(errors.widths)
        let width = CharacterPlan.width
        let offsets = items.map { item in
            widths.map { (item.offset * $0 * 2 + width) / (2 * width) - (item.offset < 0 ? 1 : 0) }
        }
        let advances = items.map { item in widths.map { (item.advance * $0 * 2 + width) / (2 * width) } }
        let size = (count + 1) * columns
        var costs = [Float](repeating: .infinity, count: size)
        for place in 0..<count * columns { costs[place] = errors.tables[tables[0]][place] }
        var origins: [[Int8]] = []
        // `costs` is of the item before, at its own place and width; it goes on where that item ends.
        for index in 1..<items.count {
            var next = [Float](repeating: .infinity, count: size)
            var from = [Int8](repeating: 0, count: size)
            errors.tables[tables[index]].withUnsafeBufferPointer { table in
                costs.withUnsafeBufferPointer { costs in
                    next.withUnsafeMutableBufferPointer { next in
                        from.withUnsafeMutableBufferPointer { from in
                            for column in 0..<columns {
                                let offset = offsets[index][column]
                                for step in -1...1 where column + step >= 0 && column + step < columns {
                                    let advance = advances[index - 1][column + step]
                                    let added = step == 0 ? 0 : stepCost
                                    let first = max(advance, -offset)
                                    for place in first..<max(first, count) {
                                        let value = costs[(place - advance) * columns + column + step] + added
                                        let at = place * columns + column
                                        if value < next[at] { (next[at], from[at]) = (value, Int8(step)) }
                                    }
                                }
                                for place in max(0, -offset)..<count {
                                    let at = place * columns + column
                                    // What is too bad already leads nowhere.
                                    next[at] = next[at] < limit ? next[at] + table[at + offset * columns] : .infinity
                                }
                            }
                        }
                    }
                }
            }
            costs = next
            origins.append(from)
        }
        guard let last = costs.indices.min(by: { costs[$0] < costs[$1] }), costs[last] <= limit else { return nil }
        var (place, column) = (last / columns, last % columns)
        let paper = items[items.count - 1].paper
        // In modules of the plan as it lies on the line.
        var module = modules
        var found: [(module: Int, place: Int)] = [
            (modules, place + advances[items.count - 1][column] - (paper * widths[column] + width / 2) / width)
        ]
        module -= items[items.count - 1].advance - paper
        found.append((module, place))
        for index in (1..<items.count).reversed() {
            let step = Int(origins[index - 1][place * columns + column])
            column += step
            place -= advances[index - 1][column]
            module -= items[index - 1].advance
            found.append((module, place))
        }
        return ModulePlaces(through: found.map { (Float($0.module), Float($0.place)) }, modules: modules).map {
            ($0, costs[last])
        }
    }
}
