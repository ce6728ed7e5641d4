import Foundation
import TestSupport
import Testing

/// A reader can hold a type in mind: it has few stored properties.
@Suite struct StoredPropertyTests {
    private static let most = 20

    @Test func typesHaveFewStoredProperties() throws {
        let folder = Repository.root + "/Sources"
        var found = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
            let source = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for count in StoredProperties(source: source).counts {
                found += 1
                #expect(
                    count.properties <= Self.most,
                    "\(count.type) in \(path) has \(count.properties) stored properties, more than \(Self.most)")
            }
        }
        #expect(found > 500, "the sources were not understood")
    }

    private func counts(_ source: String) -> [String: Int] {
        Dictionary(StoredProperties(source: source).counts.map { ($0.type, $0.properties) }) { $0 + $1 }
    }

    @Test(arguments: [
        ("let a: Int", 1), ("var a = 1", 1), ("let a: Int; let b: Int", 2), ("let a, b: Int", 2),
        ("var a = 1, b = 2", 2), ("let (a, b) = (1, 2)", 2), ("let (a, (b, _)): (Int, (Int, Int))", 2),
        ("let a: (x: Int, y: Int)", 1), ("let a: [String: Int], b: Dictionary<Int, Int>", 2),
        ("var a = Dictionary<Int, Int>(), b = 1", 2), ("var a = max(1, 2)", 1), ("var a = 1 < 2, b = 2 > 1", 2),
        ("private(set) var a: Int?", 1), ("@Wrapper(x: 1, y: 2) var a: Int", 1), ("nonisolated(unsafe) let a = 1", 1),
        ("unowned(unsafe) let a: Object", 1), ("weak var a: Object?", 1), ("lazy var a = { 1 }()", 1),
        ("private lazy var a: Int = {\n  let b = 1\n  return b\n}()", 1), ("let `class`: Int", 1),
        ("let a: (Int, Int) -> Void", 1), ("let a: @Sendable (Int) throws -> Void\nlet b: Int", 2),
        ("@available(*, deprecated)\nvar a = 1", 1),
    ]) func storedPropertiesCount(_ declarations: String, _ count: Int) {
        #expect(counts("struct A { \(declarations) }") == ["A": count])
        #expect(counts("final class A {\n\(declarations)\n}") == ["A": count])
        #expect(counts("package actor A: P {\n\(declarations)\n    func f() { let x = 1 }\n}") == ["A": count])
    }

    @Test(arguments: [
        "var a: Int { 1 }", "var a: Int {\n get { 1 }\n set { b = newValue }\n}", "static let a = 1",
        "private static var a: Int = 1", "class var a: Int { 1 }", "static let (a, b) = (1, 2)",
        "var a: [Int: Int] { let b = [:]; return b }", "func f() { let a = 1; var b = 2 }",
        "init(a: Int) {\n let b = a\n}", "subscript(a: Int) -> Int { let b = a; return b }", "typealias B = Int",
        "let _ = f()", "// let a = 1", "/* let a = 1 /* let b = 1 */ let c = 1 */", "case .b: let c = 1",
        "var a: some Sequence<Int> { [] }", "func f() where T: P {\n let a = 1\n}", "deinit { let a = 1 }",
    ]) func otherMembersDoNotCount(_ declarations: String) {
        #expect(counts("class A {\n\(declarations)\n}") == ["A": 0])
    }

    @Test func observersBelongToStoredProperties() {
        #expect(
            counts("struct A { var a: Int { didSet { f() } }\nvar b = 1 { willSet { f() } }\nvar c = 1 }") == ["A": 3])
    }

    @Test func initialValuesAreExpressions() {
        let source = """
            struct A {
                let a = if let b = c, let d = e { 1 } else { 2 }
                let f = switch g { case .h: 1; default: 2 }
                let i = j
                    .map { k in let l = k; return l }
                    ?? 1
                let m = [1, 2].map {
                    let n = $0
                    return n
                }, o = 3
                var p: Int? = nil, q: Int {
                    1
                }
                let r: Result<Int, E>
            }
            """
        #expect(counts(source) == ["A": 7])
    }

    @Test func literalsAreNoDeclarations() {
        let source = #####"""
            struct A {
                let a = "let b = { \(c.map { "}" + "\(d)" }) }"
                let e = """
                    let f: Int
                    " } \("""
                    let g: Int
                    """)
                    """
                let h = #"\ " } \#("}")"#
                let i = ##"" "# } "##, j = /\{[^}"]*{/, k = #/ "{ /#
                let l = m / n / o
            }
            struct P { let q = 1 }
            """#####
        #expect(counts(source) == ["A": 7, "P": 1])
    }

    @Test func typesCountForThemselves() {
        let source = """
            struct A<B: P>: P where B.C == Int {
                let a: B
                enum D { case e(let: Int)
                    static let f = 1
                    struct G { let h, i, j: Int }
                }
                func k() { struct L { let m: Int }; let n = L(m: 1) }
                final class O { var p = 1; class func q() { let r = 1 } }
                var s: Int
            }
            extension A.D { struct T { let u: Int }
                var v: Int { 1 } }
            protocol W { var x: Int { get } }
            enum Y { static let z = 1 }
            import struct Foundation.URL
            let a = 1
            """
        #expect(counts(source) == ["A": 2, "A.D.G": 3, "A.L": 1, "A.O": 1, "A.D.T": 1])
    }

    @Test func branchesOfConditionalCompilationCount() {
        #expect(counts("struct A {\n#if DEBUG\nlet a = 1\n#else\nlet b = 1\n#endif\nlet c = 1\n}") == ["A": 3])
    }
}
