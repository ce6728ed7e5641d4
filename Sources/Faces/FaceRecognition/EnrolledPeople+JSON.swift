import Files
import JSON

/// The file format, version 1:
///
///     {"format": 1, "network": "dlib_face_recognition_resnet_model_v1",
///      "people": [{"name": "Ada", "enrolled": "2026-11-23", "embeddings": [[128 numbers], …]}, …]}
extension EnrolledPeople {
    /// The version of the format that is written.
    static let format = 1
    /// Embeddings of different networks cannot be compared.
    static let network = "dlib_face_recognition_resnet_model_v1"
    /// Of a file: all people with all faces, each number with its sign, point and eight digits.
    package static let largestFile = largestCount * EnrolledPerson.largestCount * FaceEmbedding.count * 12 + (1 << 20)

    /// Why a file is refused.
    package struct Damage: Error, Equatable, CustomStringConvertible {
        /// A JSON pointer to the place (RFC 6901), or a line and a column.
        package let place: String
        package let reason: String

        package var description: String { "\(place): \(reason)" }
    }

    /// Reads the content of a file, which may be anything.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(Damage) {
        self.init()
        let json: JSONValue
        do throws(JSONValue.SyntaxError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw Damage(place: "line \(error.line), column \(error.column)", reason: error.reason)
        }
        let root = try Self.members(json, at: "", ["format", "network", "people"])
        guard root[0] == .integer(Self.format) else {
            throw Damage(
                place: "/format",
                reason: "must be \(Self.format); another version of Bauta wrote it, or it is a different kind of file")
        }
        guard root[1].string == Self.network else {
            throw Damage(place: "/network", reason: "must be \"\(Self.network)\"; enrol these people again")
        }
        guard case .array(let entries) = root[2] else {
            throw Damage(place: "/people", reason: "must be an array, not \(root[2].kind)")
        }
        guard entries.count <= Self.largestCount else {
            throw Damage(
                place: "/people", reason: "has \(entries.count) entries; the limit is \(Self.largestCount)")
        }
        for (index, entry) in entries.enumerated() {
            let person = try Self.person(entry, at: "/people/\(index)")
            guard self[person.name] == nil else {
                throw Damage(place: "/people/\(index)/name", reason: "occurs twice")
            }
            do throws(Full) {
                _ = try enroll(person.name, person.embeddings, on: person.day)
            } catch {
                throw Damage(place: "/people/\(index)", reason: "\(error)")
            }
        }
    }

    private static func person(_ json: JSONValue, at place: String) throws(Damage) -> EnrolledPerson {
        let values = try members(json, at: place, ["name", "enrolled", "embeddings"])
        guard let text = values[0].string else {
            throw Damage(place: place + "/name", reason: "must be a string, not \(values[0].kind)")
        }
        let name: PersonName
        do throws(PersonName.Invalid) {
            name = try PersonName(text)
        } catch {
            throw Damage(place: place + "/name", reason: error.reason)
        }
        guard let day = values[1].string, isDay(day) else {
            throw Damage(place: place + "/enrolled", reason: "must be a date such as \"2026-11-23\"")
        }
        let faces = values[2].elements
        guard (1...EnrolledPerson.largestCount).contains(faces.count) else {
            throw Damage(
                place: place + "/embeddings",
                reason: "must be an array of 1 to \(EnrolledPerson.largestCount) embeddings")
        }
        var embeddings: [FaceEmbedding] = []
        for (index, face) in faces.enumerated() {
            let numbers = face.elements.compactMap { $0.number.map { Float($0) } }
            guard face.elements.count == numbers.count, let embedding = FaceEmbedding(numbers) else {
                throw Damage(
                    place: place + "/embeddings/\(index)",
                    reason: "must be \(FaceEmbedding.count) numbers between ±\(Int(FaceEmbedding.largestValue))")
            }
            embeddings.append(embedding)
        }
        return EnrolledPerson(name: name, day: day, embeddings: embeddings)
    }

    private static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        return areDigits && parts.map(\.utf8.count) == [4, 2, 2]
    }

    /// The members of an object that has exactly these keys, in their order.
    private static func members(
        _ json: JSONValue, at place: String, _ keys: [String]
    ) throws(Damage) -> [JSONValue] {
        guard case .object(let members) = json else {
            throw Damage(place: place.isEmpty ? "/" : place, reason: "must be an object, not \(json.kind)")
        }
        if let other = members.first(where: { !keys.contains($0.key) }) {
            throw Damage(place: "\(place)/\(other.key.printable)", reason: "is unknown")
        }
        var values: [JSONValue] = []
        for key in keys {
            guard let value = json[key] else { throw Damage(place: "\(place)/\(key)", reason: "is missing") }
            values.append(value)
        }
        return values
    }

    /// The content of a file.
    package var text: String {
        let json = JSONValue.object([
            "format": .integer(Self.format), "network": .string(Self.network),
            "people": .array(
                people.map { person in
                    .object([
                        "name": .string(person.name.text), "enrolled": .string(person.day),
                        "embeddings": .array(
                            person.embeddings.map { .array($0.values.map { .number(Self.rounded($0)) }) }),
                    ])
                }),
        ])
        return json.text() + "\n"
    }

    /// To six digits after the point, far below the noise of the embeddings.
    private static func rounded(_ value: Float) -> Double { (Double(value) * 1e6).rounded() / 1e6 }
}
