import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { CommandContext } from '../../context.ts';

/**
 * Completes words in bash. The library's script needs the package bash-completion, evaluates what was typed, and cannot be loaded twice
 * in one shell.
 */
const bashScript = `# bash completion for bonafide
_bonafide_complete() {
  local value _
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    [[ $value == :* ]] || COMPREPLY+=("$value")
  done < <(bonafide complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _bonafide_complete bonafide
`;

/**
 * Registers `bonafide complete <shell>`, which prints a completion script. Call it last: it completes the commands
 * that are registered by then.
 */
export function registerComplete(program: Command, { io }: Pick<CommandContext, 'io'>): void {
  const completion = tab(program);
  const setup = completion.setup.bind(completion);
  completion.setup = (name, executable, shell) => {
    if (shell === 'bash') io.stdout.write(bashScript);
    else setup(name, executable, shell);
  };
  const complete = program.commands.find((command) => command.name() === 'complete');
  complete?.description('Print a completion script for zsh, bash, fish or powershell.').addHelpText(
    'after',
    `
Examples:
  bash  source <(bonafide complete bash)          in ~/.bashrc
  zsh   source <(bonafide complete zsh)           in ~/.zshrc
  fish  bonafide complete fish | source           in ~/.config/fish/config.fish`,
  );
}
