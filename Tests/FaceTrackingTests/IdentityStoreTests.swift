import FaceGeometry
import FaceTracking
import Testing

@Suite struct IdentityStoreTests {
    /// Pseudo-random grey values: two with different seeds are unrelated.
    private func greyValues(_ seed: UInt32) -> InlineArray<256, Float> {
        var state = seed &* 2_654_435_761 &+ 1
        return InlineArray<256, Float> { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 24)
        }
    }

    private func descriptor(_ seed: UInt32) -> FaceDescriptor { FaceDescriptor(greyValues: greyValues(seed)) }

    /// A descriptor between two others.
    private func mixture(_ a: UInt32, _ b: UInt32, share: Float) -> FaceDescriptor {
        let (a, b) = (greyValues(a), greyValues(b))
        return FaceDescriptor(greyValues: InlineArray { a[$0] + share * (b[$0] - a[$0]) })
    }

    private func box(_ x: Float) -> OrientedBox { OrientedBox(center: Point(x, 100), side: 50, roll: 0) }

    @Test func newPeopleGetNewIdentities() {
        var store = IdentityStore()
        let identities = (1...5).map { store.identify(descriptor(UInt32($0)), box: box(0), at: 0) }
        #expect(identities == [1, 2, 3, 4, 5])
    }

    /// A face that looks the same is recognised anywhere and at any time, but only one at a time.
    @Test func oneWhoComesBackKeepsTheIdentity() {
        var store = IdentityStore()
        store.remember(trackID: 7, descriptor: descriptor(1), box: box(0), at: 0)
        #expect(store.identify(descriptor(2), box: box(0), at: 1) == 1)
        #expect(store.identify(descriptor(1), box: box(900), at: 1000) == 7)
        // Taken: a second face that looks like it is somebody else.
        #expect(store.identify(descriptor(1), box: box(0), at: 1000) == 2)
    }

    /// Right after a loss and near the place, a face may look less alike.
    @Test func nearnessAllowsForLessSimilarity() {
        let similar = mixture(1, 2, share: 0.6)
        let similarity = descriptor(1).similarity(to: similar)
        #expect(similarity > IdentityStore.sameDescriptorNearby && similarity < IdentityStore.sameDescriptor)
        func identity(at x: Float, after seconds: Double, _ seen: FaceDescriptor) -> Int {
            var store = IdentityStore()
            store.remember(trackID: 7, descriptor: descriptor(1), box: box(0), at: 10)
            return store.identify(seen, box: box(x), at: 10 + seconds)
        }
        #expect(identity(at: 0, after: 1.4, similar) == 7)
        #expect(identity(at: 74, after: 1.4, similar) == 7, "within one and a half sides")
        #expect(identity(at: 76, after: 1.4, similar) == 1, "too far away")
        #expect(identity(at: 0, after: 1.6, similar) == 1, "too late")
        // Nearness alone is not enough.
        #expect(identity(at: 0, after: 0.1, descriptor(2)) == 1)
    }

    @Test func theMostSimilarPersonIsChosen() {
        var store = IdentityStore()
        store.remember(trackID: 7, descriptor: mixture(1, 2, share: 0.25), box: box(500), at: 0)
        store.remember(trackID: 8, descriptor: descriptor(1), box: box(500), at: 0)
        store.remember(trackID: 9, descriptor: mixture(1, 2, share: 0.3), box: box(500), at: 0)
        #expect(store.identify(descriptor(1), box: box(0), at: 60) == 8)
        #expect(store.identify(descriptor(1), box: box(0), at: 60) == 7)
        #expect(store.identify(descriptor(1), box: box(0), at: 60) == 9)
    }

    /// Of two people who look about as alike, the nearer one; but a clear difference in looks counts more.
    @Test func nearnessDoesNotOutweighLooks() {
        let near = mixture(1, 2, share: 0.3)
        var store = IdentityStore()
        store.remember(trackID: 7, descriptor: mixture(1, 2, share: 0.28), box: box(900), at: 10)
        store.remember(trackID: 8, descriptor: near, box: box(0), at: 10)
        #expect(store.identify(descriptor(1), box: box(0), at: 10.5) == 8)
        var other = IdentityStore()
        other.remember(trackID: 7, descriptor: descriptor(1), box: box(900), at: 10)
        other.remember(trackID: 8, descriptor: mixture(1, 2, share: 0.5), box: box(0), at: 10)
        #expect(other.identify(descriptor(1), box: box(0), at: 10.5) == 7)
    }

    @Test func theOldestIsForgottenWhenItIsFull() {
        var store = IdentityStore()
        for number in 0...IdentityStore.capacity {
            store.remember(trackID: 100 + number, descriptor: descriptor(UInt32(number)), box: box(0), at: 0)
        }
        #expect(store.identify(descriptor(1), box: box(0), at: 60) == 101)
        #expect(store.identify(descriptor(0), box: box(0), at: 60) == 1)
    }

    /// In another scene it means nothing that somebody was at this place a moment ago.
    @Test func placesAreForgottenAtACut() {
        var store = IdentityStore()
        let similar = mixture(1, 2, share: 0.6)
        store.remember(trackID: 7, descriptor: descriptor(1), box: box(0), at: 0)
        store.forgetPlaces()
        #expect(store.identify(similar, box: box(0), at: 0.1) == 1)
        store.remember(trackID: 8, descriptor: descriptor(1), box: box(0), at: 0)
        #expect(store.identify(similar, box: box(0), at: 0.1) == 8)
    }

    /// A face that was turned when it was lost is recognised by what it looked like then, near its place.
    @Test func theLastLookCountsNearby() {
        var store = IdentityStore()
        store.remember(trackID: 7, descriptor: descriptor(1), lastDescriptor: descriptor(2), box: box(0), at: 0)
        #expect(store.identify(descriptor(2), box: box(900), at: 1) == 1)
        #expect(store.identify(descriptor(2), box: box(5), at: 1) == 7)
    }
}
