/*
 * Serves the artifact's objects to a tester in another box: calls, properties, call-backs, promises. Everything that
 * leaves is an answer. Comparisons are never asked for, so that no expected value comes in.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { createAnswerEncoding } from './answer-encoding.mjs';
import { createAround } from './around.mjs';
import { createCallbacks } from './callbacks.mjs';
import { createChanges } from './changes.mjs';
import { createClassDescriptions } from './class-descriptions.mjs';
import { watchClones } from './clones.mjs';
import { createContexts } from './contexts.mjs';
import { createExitListeners } from './exit-listeners.mjs';
import { createExportedModules } from './exported-modules.mjs';
import { createFollowed } from './followed.mjs';
import { createFunctionProperties } from './function-properties.mjs';
import { createLentValues } from './lent-values.mjs';
import { answerText, readLine, textOf } from './lines.mjs';
import { createLiveObjects } from './live-objects.mjs';
import { beyondLimits } from './message-limits.mjs';
import { createObjectDescriptions } from './object-descriptions.mjs';
import { createObjectNumbers } from './object-numbers.mjs';
import { suiteFolder } from './opened.mjs';
import { createOwned } from './owned.mjs';
import { createPromises } from './promises.mjs';
import { createQuestionDecoding } from './question-decoding.mjs';
import { createQuestions } from './questions.mjs';
import { createRaisedErrors } from './raised-errors.mjs';
import { createReceivedClasses } from './received-classes.mjs';
import { createSignals } from './signals.mjs';
import { Unplain } from './values.mjs';

const { parse } = JSON;
const exit = process.reallyExit.bind(process);

/** The connection to the tester: what its parts share. Each uses the others through it. */
function createLink(first, onFault) {
  const { folder, modules, limits } = first.serve;
  let id = first.id;
  let depth = 0;
  /** Why a call of a function of the test could not leave: the next answer is none, whatever the artifact has caught. */
  let unsent = null;
  const link = {
    /** The next message of the tester. Ends the program where there will be none. */
    receive() {
      const line = readLine();
      if (line === null) exit(0);
      const request = parse(line);
      id = request.id;
      return request;
    },
    send(reply) {
      const message = { ...reply, id };
      const text = textOf(message);
      const beyond = beyondLimits(message, text, limits);
      const error = unsent ?? (beyond === null ? null : new Unplain(beyond));
      unsent = error !== null && 'callback' in message ? error : null;
      if (unsent !== null) throw unsent;
      answerText(error === null ? text : textOf({ ...link.errors.raised(error), id }));
    },
    /** Questions that are being answered, one within the other. */
    depth: () => depth,
    enter() {
      depth += 1;
    },
    leave() {
      depth -= 1;
    },
    /** What work answers, or what it throws as an answer. */
    guarded(work) {
      depth += 1;
      try {
        return work();
      } catch (error) {
        return link.errors.raised(error);
      } finally {
        depth -= 1;
      }
    },
  };
  link.contexts = createContexts(() => link.modules.usesContexts());
  link.numbers = createObjectNumbers();
  link.received = createReceivedClasses({
    ask: (number, action, name, args) => link.callbacks.callBack(-1, args, [number, action, name]),
    derive: (made) => link.errors.disown(made),
    symbols: link.numbers,
  });
  watchClones((part) => link.received.localNumber(part) !== undefined);
  link.signals = createSignals(link.numbers.numberOf);
  link.functionProperties = createFunctionProperties();
  /** What the test has given: whatever has kept of it may change it later. */
  link.followed = createFollowed();
  link.classes = createClassDescriptions(link);
  link.objects = createObjectDescriptions(link);
  link.live = createLiveObjects(link);
  link.lent = createLentValues(link);
  link.encoding = createAnswerEncoding(link);
  link.decoding = createQuestionDecoding(link);
  link.owned = createOwned({
    leave: link.objects.leave,
    enter: link.decoding.enter,
    lend: link.encoding.lendWithin,
    lent: link.decoding.enterLent,
    arrived: (number, part) => link.followed.note(number, part),
  });
  link.errors = createRaisedErrors(link, onFault);
  link.promises = createPromises(link);
  link.callbacks = createCallbacks(link);
  link.modules = createExportedModules(link, folder, modules);
  // Where the suite shares files, paths lead from the same folder in both boxes.
  mkdirSync(first.serve.current, { recursive: true });
  process.chdir(existsSync(suiteFolder) ? suiteFolder : first.serve.current);
  link.around = createAround({
    ...{ arrive: link.decoding.decode, leave: link.encoding.encode },
    classOf: link.numbers.partOf,
  });
  link.changes = createChanges(link);
  link.questions = createQuestions(link);
  link.exitListeners = createExitListeners(link);
  return link;
}

/** @param onFault is given what takes errors that nobody has caught: they fail the test that runs, as in one process */
export async function serve(first, onFault) {
  const link = createLink(first, onFault);
  const { changes } = link;
  link.send({ serving: true });
  for (;;) {
    const { op } = link.receive();
    let reply;
    link.enter();
    try {
      changes.begin(op);
      if (op.turned === true) await link.promises.turn();
      if (op.do === 'module') {
        const loaded = await link.modules.load(op.name);
        reply = op.untold === true ? loaded : changes.addTo(loaded);
      } else if (op.do === 'tick') reply = changes.addTo(await link.promises.tick(op));
      else if (op.do === 'exit') reply = changes.addTo(await link.exitListeners.run());
      else reply = changes.addTo(link.guarded(() => link.questions.perform(op)));
    } catch (error) {
      reply = link.errors.raised(error);
    }
    link.leave();
    link.send(reply);
  }
}
