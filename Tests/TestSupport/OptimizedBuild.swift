/// Whether the sources are compiled with optimisation, in which assertions are not evaluated. Without it, arithmetic of generic
/// types allocates memory.
package let isOptimizedBuild = {
    var isOptimized = true
    assert(
        {
            isOptimized = false
            return true
        }())
    return isOptimized
}()
