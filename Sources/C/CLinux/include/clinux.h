// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: 2026 The datascand authors

// What Linux and glibc offer and Swift's Glibc overlay does not show: functions behind _GNU_SOURCE, function-like
// macros and variadic calls. One prefix, and each function says why it is here.

#pragma once

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// This function is provided because memfd_create(2) is behind _GNU_SOURCE. MFD_CLOEXEC and MFD_ALLOW_SEALING are set.
int clinux_memfd_create(const char *_Nonnull name);

/// This function is provided because fcntl(2) is variadic. No more sizes and no new writable mappings: F_SEAL_SHRINK,
/// F_SEAL_GROW, F_SEAL_FUTURE_WRITE, F_SEAL_SEAL. A writable mapping that exists stays writable.
int clinux_memfd_seal(int fd);

/// This function is provided because fcntl(2) is variadic. No more sizes: F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_SEAL.
int clinux_memfd_seal_size(int fd);

/// These functions are provided because Swift's atomics can not live in memory that is shared with another process.
uint64_t clinux_load(const uint64_t *_Nonnull word);
void clinux_store(uint64_t *_Nonnull word, uint64_t value);

/// This function is provided because fcntl(2) is variadic. Returns the seals, or -1.
int clinux_memfd_seals(int fd);

/// This function is provided because fcntl(2) is variadic.
int clinux_set_nonblocking(int fd);

/// This function is provided because fcntl(2) is variadic. Clears or sets FD_CLOEXEC.
int clinux_set_close_on_exec(int fd, int enabled);

/// This function is provided because ioctl(2) is variadic. The bytes that wait unread in a socket's send queue
/// (SIOCOUTQ), or -1.
int clinux_unsent_bytes(int fd);

/// This function is provided because pidfd_open(2) has no wrapper in the overlay.
int clinux_pidfd_open(pid_t pid);

/// This function is provided because pthread_setname_np is behind _GNU_SOURCE. At most 15 bytes are kept.
void clinux_set_thread_name(const char *_Nonnull name);

/// This function is provided because prctl(2) is variadic. The calling process gets SIGKILL when the *thread* that
/// spawned it ends.
int clinux_die_with_parent(void);

/// This function is provided because struct ucred is behind _GNU_SOURCE. SO_PEERCRED of a connected Unix socket.
int clinux_peer_credentials(int fd, pid_t *_Nonnull pid, uid_t *_Nonnull uid, gid_t *_Nonnull gid);

/// This function is provided because clock_getcpuclockid's result is a macro's type. CPU time that a process used, in
/// nanoseconds, or -1.
int64_t clinux_process_cpu_nanoseconds(pid_t pid);

/// This function is provided because the WIF... macros are function-like.
int clinux_exit_status(int status);      // -1 when it did not exit
int clinux_termination_signal(int status);  // 0 when no signal ended it
int clinux_stop_signal(int status);      // 0 when it is not stopped

/// This function is provided because pipe2(2) is behind _GNU_SOURCE. Close-on-exec; `ends[0]` is read from.
int clinux_pipe(int *_Nonnull ends);

/// This function is provided because posix_spawn_file_actions_addclosefrom_np is behind _GNU_SOURCE. The child closes
/// all descriptors from a number on. Returns an errno value.
int clinux_spawn_close_from(posix_spawn_file_actions_t *_Nonnull actions, int from);

/// This function is provided because Swift code can not ask which sanitizer it is built with. Whether the address,
/// thread or memory sanitizer is in this build: their shadow memory takes terabytes of address space.
int clinux_is_sanitized(void);

/// This function is provided because accept4(2) is behind _GNU_SOURCE. Non-blocking and close-on-exec.
int clinux_accept(int fd);

/// This function is provided because the name of a signal is behind _GNU_SOURCE ("SEGV" for SIGSEGV), or NULL.
const char *_Nullable clinux_signal_name(int signal);

/// This function is provided because SIG_IGN is a number cast to a function, which Swift can not compare. Whether the
/// process ignores a signal.
int clinux_is_ignored(int signal);

#ifdef __cplusplus
}
#endif
