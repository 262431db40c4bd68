// `npm start`: finds platforms at the relays and gives those that are new trials, with the tasks of `trials.json`.
import { sanitizeRemoteText } from '@bonafide/cli/terminal';
import { say, settings, withAgent } from './agent.ts';
import { readArguments } from './input.ts';

readArguments(`Usage: npm start

Finds platforms at the relays of agent.config.json and gives those that are new trials, with the tasks of trials.json.`);

/** Number of platforms that are looked at, the surest matches first. */
const most = 8;

await withAgent(async ({ discovery, delegation, cortex }) => {
  const { relays, taskType } = settings;
  say('note', '', `Looking for ${taskType} at ${relays.join(', ')} …`);
  for (const { url, status, message } of (await discovery.sync()).relays)
    if (status !== 'complete') say('note', '', `${url}: ${status}. ${message}`);
  const trials: Promise<void>[] = [];
  for await (const { entry } of discovery.find({ capability: taskType })) {
    const { pubkey, d, card } = entry;
    const name = sanitizeRemoteText(card.name ?? pubkey.slice(0, 8), 24);
    const trial = delegation.qualify({ pubkey, d }, taskType).then(
      ({ status, statusReason }) => say('decide', name, status, statusReason),
      (error) => say('decide', name, 'undecided:', error.message),
    );
    if (trials.push(trial) === most) break;
  }
  await Promise.all(trials);
  await cortex.reflectNow('the trials are over');
  if (trials.length === 0) throw new Error('No platform was found. Give other relays in agent.config.json.');
});
