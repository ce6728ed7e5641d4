import PhotographWindow
import Testing

/// Whether what is typed is the name of a mask.
@Suite struct GalleryPointingTests {
    @Test func aMouseThatIsMovedThereAndStaysPointsAtThePictures() {
        var pointing = GalleryPointing()
        pointing.update(true, mouseRest: 0.1)
        #expect(pointing.isOn)
        pointing.update(true, mouseRest: 30)
        #expect(pointing.isOn)
        pointing.update(false, mouseRest: 0)
        #expect(!pointing.isOn)
    }

    /// The panel was opened, or scrolled, below it.
    @Test func aMouseThatRestsDoesNot() {
        var pointing = GalleryPointing()
        for rest: Float in [3, 4, .infinity] {
            pointing.update(true, mouseRest: rest)
            #expect(!pointing.isOn)
        }
    }
}
