import Foundation
import TestSupport
import Testing

/// The contact sheet in a real browser.
@Suite struct ContactSheetBrowserTests {
    @Test(.enabled(if: Browser.isPossible, "slow: scripts/test-slow installs Chromium and runs it"))
    func theContactSheetIsUsableInABrowser() throws {
        let folder = try TemporaryFolder()
        try ContactSheetContent.write(into: folder)
        let run = try ProgramRun.bauta(
            ["photo", "--detector", "hog", "in", "-r", "--contact-sheet", "sheet"], folder: folder.path)
        #expect(run.exitCode == 1, "\(run.error)")
        try Browser.run { browser in
            let page = URL(fileURLWithPath: folder.path + "/sheet/index.html").absoluteString
            try browser.open(page)
            #expect(try browser.number("document.scripts.length") == 0)
            #expect(try browser.visible() == 6)
            // Hostile names are texts.
            #expect(try browser.text("document.title") == "Contact sheet: 6 photographs")
            #expect(try browser.number("document.querySelectorAll('[onerror],script,iframe').length") == 0)
            // All thumbnails load, though the page may load nothing else.
            try browser.execute("[...document.images].forEach(i => i.loading = 'eager')")
            try wait(for: "the thumbnails") {
                try browser.number("[...document.images].filter(i => i.complete && i.naturalWidth > 0).length")
            } until: {
                $0 == 8
            }
            try keyboard(browser)
            // Each link leads to its photograph, whatever the name.
            let links = try browser.texts("[...document.querySelectorAll('.more a')].map(a => a.href)")
            #expect(links.count == 10)
            for link in links where !link.contains("notes.txt") && !link.contains("broken") {
                try browser.open(link)
                #expect(try browser.text("document.contentType").hasPrefix("image/"), "\(link)")
            }
            try browser.open(page)
            let light = try browser.text("getComputedStyle(document.body).backgroundColor")
            try browser.preferDark()
            #expect(try browser.text("getComputedStyle(document.body).backgroundColor") != light)
        }
    }

    private func keyboard(_ browser: Browser) throws {
        let (tab, right) = ("\u{E004}", "\u{E014}")
        try browser.press(tab)
        #expect(try browser.text("document.activeElement.id") == "all")
        var shown: [String: Int] = [:]
        for _ in 0..<4 {
            try browser.press(right)
            shown[try browser.text("document.activeElement.id")] = try browser.visible()
        }
        #expect(shown["masked"] == 3 && shown["noFace"] == 1 && shown["failed"] == 1, "\(shown)")
        #expect((shown["doubtful"] ?? 0) >= 1)
        // To the links of what is shown.
        try browser.press(tab)
        #expect(try browser.text("document.activeElement.tagName") == "A")
        #expect(try browser.text("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    }
}
