import { loadProfileCommand } from '../assets.ts';
import { type Diagnosis, installCommand, type MachineFacts } from '../isolation/diagnosis.ts';

const on = (value: string | null) => value?.trim() === '1';
const zero = (value: string | null) => value?.trim() === '0';

/** Diagnoses why bubblewrap failed, from its message and the machine's facts. Pure. */
export function diagnoseRefusal(said: string, facts: MachineFacts): Diagnosis {
  const denied =
    /uid map|RTM_NEWADDR|new namespace|user namespace|Operation not permitted|Permission denied|No space left/i;
  if (denied.test(said)) {
    if (on(facts.apparmorRestrictsUserns))
      return {
        cause: 'AppArmor keeps ordinary programs from making user namespaces (Ubuntu 23.10 and later).',
        remedy: loadProfileCommand('bonafide-bwrap'),
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
