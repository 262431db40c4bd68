/** A filter's decision about a call: allow it, answer it with an errno, or kill the whole process. */
export type Action = 'allow' | 'kill' | { readonly errno: number };

/** A decision that looks at one argument. Comparisons are of the full 64 bits, bit tests of the lower 32. */
export interface ArgumentRule {
  /** 0 … 5. */
  readonly argument: number;
  /** Met when the argument is one of these. */
  readonly oneOf?: readonly number[];
  /** Met when all of these bits are set … */
  readonly allBits?: number;
  /** … and none of these. */
  readonly noBits?: number;
  readonly met: Action;
  readonly otherwise: Action;
}

/** A filter as data. What is named nowhere is killed. */
export interface Policy {
  readonly allow: readonly string[];
  readonly rules: Readonly<Record<string, ArgumentRule>>;
  /** Call → errno: innocent calls that a judged program does not need (answered with an errno instead of a kill). */
  readonly errno: Readonly<Record<string, number>>;
}

/** Names of the filters. `LAUNCH` is what bubblewrap loads; the launcher then narrows it to one of the others. */
export type PolicyName =
  | 'STRICT'
  | 'EXTENDED'
  | 'PROCESSES'
  | 'NODE'
  | 'PROGRAM'
  | 'PROGRAM_OFFLINE'
  | 'LAUNCH'
  | 'LAUNCH_NODE'
  | 'LAUNCH_PROGRAM'
  | 'LAUNCH_OFFLINE';

const [EPERM, ECHILD, ENOTTY, EROFS, ENOSYS, ENOTSUP, EAFNOSUPPORT] = [1, 10, 25, 30, 38, 95, 97];
const AF_UNIX = 1;
const CLONE_THREAD = 0x10000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const CLONE_NAMESPACES = 0x7e02_0000;
/** TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: what Python asks of a file that it opens. */
const HARMLESS_IOCTLS = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];
/** F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_DUPFD_CLOEXEC. SQLite locks its files. */
const HARMLESS_FCNTLS = [0, 1, 2, 3, 4, 5, 6, 7, 1030];

const names = (text: string): readonly string[] => text.trim().split(/\s+/);
const each = (text: string, errno: number): Record<string, number> =>
  Object.fromEntries(names(text).map((name) => [name, errno]));

const without = (errnos: Readonly<Record<string, number>>, some: readonly string[]) =>
  Object.fromEntries(Object.entries(errnos).filter(([name]) => !some.includes(name)));

const ioctl: ArgumentRule = {
  argument: 1,
  oneOf: HARMLESS_IOCTLS,
  met: 'allow',
  otherwise: { errno: ENOTTY },
};
const threadsOnly: ArgumentRule = {
  argument: 0,
  allBits: CLONE_THREAD,
  noBits: CLONE_NAMESPACES,
  met: 'allow',
  otherwise: 'kill',
};
const noNamespaces: ArgumentRule = {
  argument: 0,
  noBits: CLONE_NAMESPACES,
  met: 'allow',
  otherwise: 'kill',
};
/** The C library asks for a local socket on its own, for its name service; any other family is the network. */
const noSockets: ArgumentRule = {
  argument: 0,
  oneOf: [AF_UNIX],
  met: { errno: EAFNOSUPPORT },
  otherwise: 'kill',
};
/** Signal 0 asks whether a process is there. */
const noSignals: ArgumentRule = { argument: 1, oneOf: [0], met: 'allow', otherwise: 'kill' };
const localSockets: ArgumentRule = { argument: 0, oneOf: [AF_UNIX], met: 'allow', otherwise: 'kill' };

/** glibc falls back from clone3, whose flags no filter can see, to clone. */
const clone3 = { clone3: ENOSYS };
/** Queries of a thread's scheduler, which JavaScript engines make when they start a thread. */
const schedulers = names('sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min');
const noScheduling = {
  ...each('sched_getattr sched_setattr sched_setparam sched_setscheduler sched_rr_get_interval', EPERM),
  ...each('sched_setaffinity setpriority mlock', EPERM),
};
const noTuning = {
  ...noScheduling,
  ...Object.fromEntries(['prlimit64', ...schedulers].map((name) => [name, EPERM])),
};

/**
 * Calls that honest programs make without need. A profile that does not allow one answers it with an error.
 * Leaving the session and changing owners are excluded: ordinary computation does neither.
 */
const innocent: Readonly<Record<string, number>> = {
  ...each('getpgid getpgrp getsid getgroups getresuid getresgid getpriority dup2 dup3 sync syncfs', EPERM),
  // Libraries of linear algebra place their memory near a processor.
  ...each('mbind set_mempolicy get_mempolicy', EPERM),
  ...each('wait4 waitid', ECHILD),
  fchdir: EROFS,
  ...each(
    `times select pselect6 poll ppoll epoll_ctl epoll_wait epoll_pwait eventfd2 timerfd_create timerfd_settime
     timerfd_gettime getitimer rt_sigpending rt_sigtimedwait msync pwrite64 pwritev preadv sendfile copy_file_range
     fadvise64 statfs fstatfs statx sync_file_range preadv2 pwritev2 getcpu`,
    ENOSYS,
  ),
  // What watches files does without.
  ...each('inotify_init inotify_init1 inotify_add_watch inotify_rm_watch', ENOSYS),
  ...each('lgetxattr fgetxattr llistxattr flistxattr', ENOTSUP),
};

/** Calls of ordinary programs: temporary files and folders, files of SQLite, event loops. */
const inPassing = names(`
    chdir chmod dup2 dup3 epoll_ctl epoll_pwait epoll_wait eventfd2 fallocate fchmod fchmodat fdatasync flock
    fsync ftruncate getpeername getsockname getsockopt getppid lstat mkdir mkdirat poll ppoll preadv pselect6 pwrite64 pwritev readlinkat recvfrom
    rename renameat renameat2 rmdir select sendto stat statfs fstatfs statx truncate umask unlink unlinkat utimensat
    copy_file_range fadvise64 getgroups`);

const STRICT: Policy = {
  allow: [
    ...inPassing,
    ...names(`
    access brk clock_getres clock_gettime clock_nanosleep close dup epoll_create1 exit exit_group faccessat2
    fstat futex getcwd getdents64 getegid geteuid getgid getpid getrandom getrusage gettid getuid lseek madvise
    mmap mprotect mremap munmap newfstatat openat pipe2 pread64 read readlink readv restart_syscall rseq
    rt_sigaction rt_sigprocmask rt_sigreturn sched_getaffinity sched_yield set_robust_list sigaltstack sysinfo
    tgkill uname write writev`),
  ],
  rules: {
    ioctl,
    clone: threadsOnly,
    fcntl: { argument: 1, oneOf: HARMLESS_FCNTLS, met: 'allow', otherwise: { errno: EPERM } },
    socket: noSockets,
    kill: noSignals,
    // An event loop wakes itself through a pair.
    socketpair: localSockets,
  },
  errno: {
    ...without(innocent, inPassing),
    ...clone3,
    ...noTuning,
    ...each('prctl', EPERM),
    ...each('listxattr getxattr', ENOTSUP),
    ...each('membarrier setitimer alarm', ENOSYS),
    ...each('symlink symlinkat link linkat', EROFS),
  },
};

const extendedCalls = names(`
    access alarm arch_prctl brk chdir chmod clock_getres clock_gettime clock_nanosleep close copy_file_range dup
    dup2 dup3 epoll_create1 epoll_ctl epoll_pwait epoll_wait eventfd2 exit exit_group faccessat faccessat2
    fadvise64 fallocate fchdir fchmod fchmodat fchown fcntl fdatasync flock fstat fstatfs fsync ftruncate futex
    getcwd getdents64 getegid geteuid getgid getitimer getpeername getpid getppid getrandom getrusage getsockname
    getsockopt gettid gettimeofday getuid link linkat lseek madvise mkdir mkdirat mmap mprotect mremap munmap nanosleep
    newfstatat openat pipe pipe2 poll ppoll pread64 pselect6 pwrite64 read readlink readlinkat readv recvfrom
    rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigprocmask rt_sigreturn
    sched_getaffinity sched_yield select sendfile sendto set_robust_list set_tid_address setitimer sigaltstack
    statfs statx symlink symlinkat sysinfo tgkill timerfd_create timerfd_settime truncate umask uname unlink
    unlinkat utimensat write writev getgroups getpriority getresgid getresuid getsid lstat msync preadv preadv2 pwritev pwritev2
    rt_sigpending rt_sigtimedwait stat sync_file_range timerfd_gettime times`);

const EXTENDED: Policy = {
  allow: extendedCalls,
  rules: { ioctl, clone: threadsOnly, kill: noSignals, socketpair: localSockets, socket: noSockets },
  errno: {
    ...without(innocent, extendedCalls),
    ...clone3,
    ...noTuning,
    ...each('listxattr getxattr', ENOTSUP),
    membarrier: ENOSYS,
    prctl: EPERM,
  },
};

const processCalls = names(`
    accept accept4 bind close_range connect execve fork getpgid getpgrp kill listen recvmsg sendmsg
    setpgid setsid setsockopt shutdown vfork wait4 waitid`);

const PROCESSES: Policy = {
  allow: [...extendedCalls, ...processCalls],
  rules: { ioctl, clone: noNamespaces, socketpair: localSockets, socket: localSockets },
  errno: without(EXTENDED.errno, processCalls),
};

const nodeRefusals = each('io_uring_setup pkey_alloc pkey_mprotect pkey_free mincore', ENOSYS);

/** Additional calls of Node: its engine's threads and memory keys, and replacing its launcher. */
const NODE: Policy = {
  allow: [...extendedCalls, ...names('execve capget getpgid getpgrp'), ...schedulers],
  rules: EXTENDED.rules,
  errno: { ...without(EXTENDED.errno, [...schedulers, 'getpgid', 'getpgrp']), ...nodeRefusals },
};

/** A limit may be asked for, not set. */
const queryLimits: ArgumentRule = { argument: 2, oneOf: [0], met: 'allow', otherwise: { errno: EPERM } };
/**
 * Java asks for the number of its processor, which gVisor's kernel answers by a call. `make` sets its user to what it is, which is all that the kernel
 * lets it do without privileges; C opens files by older calls, and `timeout` sets a timer.
 */
const programCalls = names(`getrlimit rt_sigsuspend capget mincore pidfd_open chown lchown getcpu creat
    setresuid setresgid setreuid setregid timer_create timer_settime timer_gettime timer_getoverrun timer_delete`);
/** `cp -p` and `tar` do without what no file here has. */
const programRefusals = each('setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr', ENOTSUP);
/** Programs of any language, and what builds them: processes and their limits, but no network. */
const PROGRAM: Policy = {
  allow: [...PROCESSES.allow, ...programCalls, ...schedulers],
  rules: { ...PROCESSES.rules, prlimit64: queryLimits },
  errno: {
    ...without(PROCESSES.errno, [...programCalls, ...schedulers, 'prlimit64']),
    ...without(nodeRefusals, ['mincore']),
    ...programRefusals,
  },
};

const LAUNCH: Policy = {
  allow: [
    ...PROCESSES.allow,
    ...names(
      `prctl prlimit64 seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self capget`,
    ),
    ...schedulers,
  ],
  rules: PROCESSES.rules,
  errno: {
    ...without(innocent, PROCESSES.allow),
    ...clone3,
    ...noScheduling,
    ...each('listxattr getxattr', ENOTSUP),
    membarrier: ENOSYS,
  },
};

/** An errno outranks naming a call, so what Node may innocently ask for is refused only where Node is started. */
const LAUNCH_NODE: Policy = { ...LAUNCH, errno: { ...LAUNCH.errno, ...nodeRefusals } };

const LAUNCH_PROGRAM: Policy = {
  ...LAUNCH,
  allow: [...LAUNCH.allow, ...programCalls.filter((name) => !LAUNCH.allow.includes(name))],
  errno: {
    ...without(LAUNCH.errno, programCalls),
    ...without(nodeRefusals, ['mincore']),
    ...programRefusals,
  },
};

/** Java asks for a network socket whenever it starts: the answer is that there is none. */
const noNetwork: ArgumentRule = { ...localSockets, otherwise: { errno: EAFNOSUPPORT } };
const offline = (policy: Policy): Policy => ({ ...policy, rules: { ...policy.rules, socket: noNetwork } });

/** The filters by name, measured on CPython. */
export const policies: Readonly<Record<PolicyName, Policy>> = {
  STRICT,
  EXTENDED,
  PROCESSES,
  NODE,
  PROGRAM,
  PROGRAM_OFFLINE: offline(PROGRAM),
  LAUNCH,
  LAUNCH_NODE,
  LAUNCH_PROGRAM,
  LAUNCH_OFFLINE: offline(LAUNCH_PROGRAM),
};
