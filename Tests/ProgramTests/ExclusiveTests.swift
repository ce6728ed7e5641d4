import Testing

/// Tests that start programs with cameras, recordings and long clips. They run one at a time, so that they do not slow each
/// other down; other tests may still run beside them.
@Suite(.serialized) enum ExclusiveTests {}

/// The same for tests that press keys in windows. Each has a display of its own.
@Suite(.serialized) enum ExclusiveWindowTests {}
