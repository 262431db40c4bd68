import { type Diagnosis, installCommand, type MachineFacts } from '../isolation/diagnosis.ts';
import type { EngineName } from './engine.ts';

const daemon: Diagnosis = {
  cause: "Docker's daemon does not answer, or does not let this user in.",
  remedy: 'sudo systemctl start docker   # as a member of the group docker',
};
/** A box with its own kernel can only be limited and measured as a whole. */
export const needsCgroups: Diagnosis = {
  cause:
    'A box with its own kernel is limited and measured by a cgroup around that kernel, and none can be made here.',
  remedy: 'systemd-run --user --scope -p Delegate=yes <command>   # or take the runtime runc',
};
/** Docker's daemon alone says how its runtimes are started, and so what their kernels report. */
export const noGvisorInDocker = (install: (packages: string) => string): Diagnosis => ({
  cause: 'Docker cannot tell gVisor to report what a box does, so forbidden calls in it would not be seen.',
  remedy: `${install('podman')}   # and take the engine podman`,
});
const isDaemon = (said: string): boolean =>
  /cannot connect to the docker daemon|docker\.sock|connection refused/i.test(said);

/** Returns what prevents an ordinary user from running containers, or null. Pure. */
function diagnoseUsers(said: string, facts: MachineFacts): Diagnosis | null {
  if (!/newuidmap|newgidmap|subuid|subgid|user namespaces? .*(?:not|cannot)/i.test(said)) return null;
  const install = installCommand(facts.osRelease, 'uidmap');
  return {
    cause: `This user may not map users into a container (${said}).`,
    remedy: `${install} && sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER`,
  };
}

/**
 * Diagnoses a missing image.
 * @param wanted - The image that was asked for, null for the judge's default image.
 */
export function diagnoseImage(
  said: string,
  engine: EngineName,
  wanted: string | null,
  facts: MachineFacts,
): Diagnosis {
  if (isDaemon(said)) return daemon;
  const users = diagnoseUsers(said, facts);
  if (users) return users;
  if (wanted !== null)
    return { cause: `${engine} has no image ${wanted} (${said}).`, remedy: 'Leave the option image out' };
  return { cause: `The image could not be made: ${said}`, remedy: `${engine} info   # must succeed` };
}

/** Diagnoses why an engine failed to make a box, from its message and the machine's facts. Pure. */
export function diagnoseEngine(said: string, engine: EngineName, facts: MachineFacts): Diagnosis {
  const install = (packages: string) => installCommand(facts.osRelease, packages);
  if (isDaemon(said)) return daemon;
  if (/shared with the host: user/.test(said))
    return {
      cause: 'Docker runs containers as users of the machine itself; a box must have separate users.',
      remedy: 'Start the daemon with: dockerd --userns-remap=default',
    };
  const users = diagnoseUsers(said, facts);
  if (users) return users;
  if (/-user-log|not defined: -preserve-fds/.test(said))
    return {
      cause: 'This OCI runtime does not hand questions and answers on to a program.',
      remedy: `${install('runc')}   # and take the runtime runc`,
    };
  if (/not defined: -(?:oci-seccomp|pod-init-config)/.test(said))
    return {
      cause: 'This gVisor is too old to report what a box does.',
      remedy: `${install('runsc')}`,
    };
  if (/hybrid mode|drop all controllers/i.test(said))
    return {
      cause: 'crun does not work with the cgroups of both versions that this machine mixes.',
      remedy: `${install('runc')}   # and take the runtime runc`,
    };
  if (/preserve-?fds|unknown flag|unsetenv-all/i.test(said))
    return {
      cause: `This ${engine} is too old (${said}).`,
      remedy: install(engine === 'podman' ? 'podman' : 'docker.io'),
    };
  if (said.includes('protection is missing'))
    return {
      cause: `A container was made, but it is not as tight as it must be: ${said}`,
      remedy: 'Take runc as the runtime, or the backend bubblewrap',
    };
  if (facts.inContainer)
    return {
      cause: `The container that this runs in keeps ${engine} from making another (${said}).`,
      remedy: 'Start the outer container with --privileged, or take the backend bubblewrap',
    };
  return {
    cause: `${engine} could not make a box: ${said}`,
    remedy:
      engine === 'podman'
        ? 'podman run --rm --network none <an image> true   # must succeed for the user that runs the judge'
        : 'docker run --rm --network none <an image> true   # must succeed for the user that runs the judge',
  };
}
