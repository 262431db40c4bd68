/** Why a machine cannot isolate a program, and one line that mends it. */
export interface Diagnosis {
  readonly cause: string;
  readonly remedy: string;
}

/** What a diagnosis needs to know about a machine. All texts are file contents, null where there is no such file. */
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
  /** Whether this looks like the inside of a container. */
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

const on = (value: string | null) => value?.trim() === '1';
const zero = (value: string | null) => value?.trim() === '0';

/** What keeps any box from being made here, before bubblewrap is even asked; null when nothing is known to. Pure. */
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

/** Why bubblewrap did not make a box, from what it said and what the machine is. Pure. */
export function diagnoseRefusal(said: string, facts: MachineFacts): Diagnosis {
  const denied =
    /uid map|RTM_NEWADDR|new namespace|user namespace|Operation not permitted|Permission denied|No space left/i;
  if (denied.test(said)) {
    if (on(facts.apparmorRestrictsUserns))
      return {
        cause: 'AppArmor keeps ordinary programs from making user namespaces (Ubuntu 23.10 and later).',
        remedy:
          "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined) {\\n  userns,\\n}\\n' | sudo tee /etc/apparmor.d/bwrap && sudo apparmor_parser -r /etc/apparmor.d/bwrap",
      };
    if (zero(facts.unprivilegedUsernsClone))
      return {
        cause: 'This kernel is set up to refuse user namespaces to ordinary users.',
        remedy: 'sudo sysctl -w kernel.unprivileged_userns_clone=1',
      };
    if (zero(facts.maxUserNamespaces))
      return {
        cause: 'The number of user namespaces is limited to 0.',
        remedy: 'sudo sysctl -w user.max_user_namespaces=15000',
      };
  }
  if (said.includes('protection is missing'))
    return {
      cause: `A box was made, but it is not as tight as it must be: ${said}`,
      remedy: 'Run the judge on a newer kernel, and report this: the box should have been refused earlier',
    };
  if (facts.inContainer)
    return {
      cause: `The container that this runs in keeps bubblewrap from making a box (${said}).`,
      remedy:
        'Start the container with: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined',
    };
  if (/Unknown option/i.test(said))
    return {
      cause: `This bubblewrap is too old (${said}); 0.8 or newer is needed.`,
      remedy: installCommand(facts.osRelease, 'bubblewrap'),
    };
  return {
    cause: `bubblewrap could not make a box: ${said}`,
    remedy: 'bwrap --unshare-all --ro-bind / / true   # must succeed for the user that runs the judge',
  };
}
