import Files
import Installation
import JSON

/// The photographs and clips that wore masks last, newest first. They are kept in `$XDG_CONFIG_HOME/bauta/edit.json`;
/// without that file, or if it cannot be read, for as long as the editor runs.
struct RecentModels {
    private(set) var models: [EditModel] = []
    private let file = ConfigurationFile(named: "edit.json")
    private static let limit = 8

    init() {
        let kept = try? file?.read()["recent"]?.elements
        for path in (kept ?? []).prefix(Self.limit).compactMap(\.string) where FilePath(path).exists {
            // An earlier version kept a file under several paths.
            let model = EditModel(file: path)
            if !models.contains(model) { models.append(model) }
        }
    }

    /// The folder of the model that was worn last; nil if that was no file.
    var folder: FilePath? { models.first.flatMap(Self.path).map { FilePath($0).parent } }

    mutating func add(_ model: EditModel) {
        guard let path = Self.path(model), FilePath(path).exists else { return }
        models.removeAll { $0 == model }
        models.insert(model, at: 0)
        models = Array(models.prefix(Self.limit))
        let paths = JSONValue.array(models.compactMap(Self.path).map { .string($0) })
        try? file?.update { $0["recent"] = paths }
    }

    private static func path(_ model: EditModel) -> String? {
        switch model {
        case .photograph(let path), .clip(let path): path
        case .syntheticHead, .camera: nil
        }
    }
}
