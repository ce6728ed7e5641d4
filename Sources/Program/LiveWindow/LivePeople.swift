import FaceGeometry
import FaceRecognition
import FaceTracking
import Gaze
import Installation
import Masks
import People

/// The coverings of people in a session, and their recognition. Nothing is loaded while nobody is to be recognised.
struct LivePeople {
    /// Nil: everybody wears the mask that is chosen in the window.
    let coverings: PeopleCoverings?
    /// Of what is worn first.
    private let identifier: FaceIdentifier?
    private let models: FaceModels

    /// - Parameters:
    ///   - first: the mask that the session begins with.
    ///   - pupils: the pupil finder for masks whose eyes move.
    /// - Throws: `DataFolderError`, `FileError`, what is wrong with a mask, or `VisionError` about the network.
    init(
        _ settings: LiveSettings, first: Mask?, pupils: SuppliedPupilFinder, data: DataFolder, reference: ReferenceFace
    ) throws {
        coverings = try settings.worn.people.map { people in
            try PeopleCoverings(people) { try data.mask($0, reference: reference) }
        }
        for mask in coverings?.masks ?? [] { try pupils.prepare(for: mask) }
        let masks = (coverings?.masks ?? []) + (first.map { [$0] } ?? [])
        identifier = try PeopleSettings.identifier(settings.worn.people, masks, settings.models)
        models = settings.models
    }

    /// Of a tracker that looks for people as soon as a mask asks who wears it.
    var controls: TrackerControls {
        TrackerControls(models, identifier: identifier) { [models] in
            try PeopleSettings.identifierOfEnrolled(models)
        }
    }
}
