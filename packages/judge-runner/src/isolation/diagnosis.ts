/** Reason why a machine cannot isolate a program, and a one-line remedy. */
export interface Diagnosis {
  readonly cause: string;
  readonly remedy: string;
}

/**
 * Facts about a machine that a diagnosis uses. All texts are file contents, null where the file does not
 * exist.
 */
export interface MachineFacts {
  readonly platform: string;
  readonly architecture: string;
  /** /etc/os-release. */
  readonly osRelease: string | null;
  /** /proc/sys/kernel/apparmor_restrict_unprivileged_userns: '1' on Ubuntu from 23.10 on. */
  readonly apparmorRestrictsUserns: string | null;
  /** /proc/sys/kernel/unprivileged_userns_clone: '0' on some Debian and hardened kernels. */
  readonly unprivilegedUsernsClone: string | null;
  /** /proc/sys/user/max_user_namespaces. */
  readonly maxUserNamespaces: string | null;
  /** True when this looks like the inside of a container. */
  readonly inContainer: boolean;
}

const packageManagers: readonly (readonly [family: RegExp, command: string])[] = [
  [/debian|ubuntu/, 'sudo apt-get install -y'],
  [/fedora|rhel|centos/, 'sudo dnf install -y'],
  [/suse/, 'sudo zypper install -y'],
  [/arch/, 'sudo pacman -S --noconfirm'],
  [/alpine/, 'sudo apk add'],
];

/** The line that installs packages here. Pure. */
export function installCommand(osRelease: string | null, packages: string): string {
  const families = (osRelease ?? '')
    .split('\n')
    .filter((line) => /^(?:ID|ID_LIKE)=/.test(line))
    .join(' ')
    .toLowerCase();
  const found = packageManagers.find(([family]) => family.test(families));
  return found ? `${found[1]} ${packages}` : `Install ${packages} with this system's package manager`;
}

/**
 * Returns what prevents any box on this machine, before bubblewrap is tried; null when no cause is known.
 * Pure.
 */
export function diagnosePlatform(facts: MachineFacts): Diagnosis | null {
  if (facts.platform !== 'linux')
    return {
      cause: `The sandbox needs Linux, and this is ${facts.platform}.`,
      remedy: 'Run the judge in a Linux virtual machine (on Windows: wsl --install)',
    };
  if (facts.architecture !== 'x64' && facts.architecture !== 'arm64')
    return {
      cause: `There is no system call filter for ${facts.architecture}.`,
      remedy: 'Run the judge on an x86-64 or arm64 machine',
    };
  return null;
}
