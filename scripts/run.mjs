// The entry behind every `npm run …`. Plain Node ≥ 20 without dependencies, since it runs before anything is installed:
// it brings pnpm, the packages and the system tools, then runs the task.
import { prepareWorkspace, requirePnpm } from './setup/workspace.mjs';
import { needsPnpm, runTask, taskNames } from './tasks.mjs';

const [task = '', ...args] = process.argv.slice(2);

// A signal from the terminal reaches the task too, which ends in its own way; this process outlives it, so that the
// shell's prompt comes after the task's last line.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

if (!taskNames.includes(task)) {
  console.error(`Unknown task '${task}'. There are: ${taskNames.join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    prepareWorkspace([task, ...args]);
    if (needsPnpm(task)) requirePnpm([task, ...args]);
    process.exitCode = await runTask(task, args);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
