import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/**
 * Registers `bonafide complete <shell>`, which prints a completion script. Call it last: it completes the commands
 * that are registered by then.
 */
export function registerComplete(program: Command): void {
  tab(program);
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
