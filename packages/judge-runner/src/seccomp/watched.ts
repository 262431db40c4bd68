/**
 * Files that no judged program has any business to read, as patterns over the path inside the box with `.`, `..` and
 * links resolved. None of them is in a box, or holds anything secret there: this names an attempt, it contains
 * nothing. Shared by the supervisor, which sees the calls, and the static analysis, which sees the texts.
 */
export const secretPaths: readonly string[] = [
  '^/etc/(?:shadow|gshadow|sudoers)(?:[-.].*|/.*|)$',
  '^/etc/ssh/',
  '^/proc/[^/]+/(?:task/[^/]+/)?(?:mem|environ)$',
  '^/proc/(?:kcore|kmem|sysrq-trigger)$',
  '^/dev/(?:mem|kmem|port|kvm)$',
  '^/(?:var/)?run/(?:docker|podman/podman|containerd/containerd|crio/crio)\\.sock$',
  '^/root/',
  '/\\.(?:ssh|aws|gnupg|kube|docker)/',
];

/** Places that no judged program has any business to write to: the machine's settings, and the judge's own files. */
export const forbiddenWrites: readonly string[] = ['^/etc/', '^/proc/sys/', '^/sys/', '^/boot/', '^/judge/'];

/** The calls whose paths are looked at: name, which argument holds the folder, the path, the flags. */
export const watchedCalls = [{ name: 'openat', folder: 0, path: 1, flags: 2 }] as const;
