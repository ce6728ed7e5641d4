// The processors that the process may use, and functions that are compiled for more than one generation of processors; the
// fitting version is selected when the program starts.
#ifndef CPROCESSOR_H
#define CPROCESSOR_H

// On how many processors the calling thread may run (sched_getaffinity); 0 if the system does not say.
int cprocessor_count_allowed(void);

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// The selection would run before the sanitizer is initialised.
#define CPROCESSOR_IS_WATCHED 1
#endif
#endif

// Before a function: compiles it for AVX2, too. Every x86-64 has SSE2; every arm64 has NEON, so there is nothing to
// select.
#if defined(__x86_64__) && defined(__linux__) && !defined(CPROCESSOR_IS_WATCHED)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#endif
