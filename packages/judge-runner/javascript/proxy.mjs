/*
 * The connection of a tester to the artifact in another box: what it asks, call by call. Plain values arrive as exact copies, everything
 * else as a stand-in.
 */
import { createSites } from './call-sites.mjs';
import { createContexts, usesContexts } from './contexts.mjs';
import { createConversions } from './conversions.mjs';
import { createExpecting } from './expected.mjs';
import { handles } from './handles.mjs';
import { createIncoming, update } from './incoming.mjs';
import { createLive } from './live.mjs';
import { createOutgoing } from './outgoing.mjs';
import { createRemote } from './remote.mjs';
import { createSignals } from './signals.mjs';
import { createSurroundings } from './surroundings.mjs';
import { hasRoom } from './values.mjs';

/** Most calls of the test's functions by the artifact that wait for each other. The stack ends at 450 to 1,000. */
const maxNested = 400;
/** How often a test asks for values and conversions that are computed, where nothing that is known of has changed: then each is asked for twice. */
const maxAgain = 2000;
const tooManyCalls = 'has too many calls of the artifact within one another';

/** Questions whose answers change nothing. */
const reading = new Set(
  'module get property live items has keys methods accessors inherits read convert handled'.split(' '),
);

/** A test may replace the timers. */
const { queueMicrotask, setImmediate } = globalThis;

/** What is known of a value that is no answer to a call. */
const nothing = Object.freeze({});

/**
 * @param exchange how the judge is told something and answers
 * @param end ends the run for a cause
 * @param refuse fails the running test, whatever it catches
 * @param onFault is told of errors that nobody has caught in the artifact's box
 * @param onExport is told of variables that a module exports and that have other values now, as pairs
 * @param isShared true while a hook runs that prepares several tests
 * @param places `suite` folder, `texts` of its files by name, `shapes` of the reference or null, `learn` while the reference runs,
 * `callees` that the files call, `owners` of what they read, `doubted` and `unused` calls
 * @param shown what the suite shows: see `remote.mjs`
 */
export function createLink({ exchange, end, refuse, onFault, onExport, isShared, builtins, places, shown }) {
  let test = '';
  /** How often the running test may still ask for what is computed, though nothing has changed. */
  let asksLeft = maxAgain;
  const sites = createSites(places);
  const lie = (reason) => end('protocolError', reason);

  /** True once the artifact was asked something since it had its turn. */
  let isAsked = false;
  /** Numbers of what earlier tests gave, until the artifact knows that they mean nothing any more. */
  let forgotten = [];
  /** What the test has changed in values that both boxes hold: those that it has given, and those that it was given. */
  const takeChanged = () => {
    const given = sites.giving('changed', link.outgoing.takeChanged, false);
    const lent = link.incoming.changedByTest();
    if (given.length > 0 || lent.length > 0) link.expected.noteChange();
    return {
      ...(given.length > 0 ? { given } : {}),
      ...(lent.length > 0 ? { lent } : {}),
      ...link.signals.take(link.outgoing.leave),
    };
  };
  const surroundings = createSurroundings({
    ...{ texts: [...places.texts.values()], builtins, lie, refuse },
    noteChange: () => link.expected.noteChange(),
    noteFile: sites.isLearning ? sites.noteFile : null,
  });
  const takeSurroundings = () =>
    sites.giving('surroundings', () => surroundings.take(link.outgoing.leave), false);
  const exportsOf = (module, pairs) => {
    const exported = link.incoming.arriveExports(pairs, module);
    link.remote.nameExports(exported, module);
    return exported;
  };
  /** What the artifact has changed that both boxes hold. */
  const arriveChanged = (reply) => {
    for (const each of reply.faults ?? []) onFault(`the artifact ${each}`);
    surroundings.arrive(reply, (name, told) =>
      sites.exporting('surroundings', name, () => link.incoming.arrive(told)),
    );
    link.outgoing.changeClasses(reply.given ?? []);
    link.outgoing.changeFunctions(reply.properties ?? []);
    link.incoming.updateOwned(reply.changed ?? []);
    link.live.replaceFunctions(reply.stale ?? []);
    for (const [module, key, ...told] of reply.exported ?? [])
      onExport(String(module), exportsOf(String(module), [[String(key), told[0], [], told[1]]]));
    link.signals.abort(reply.aborted ?? [], link.incoming.arrive);
    link.outgoing.noteUpdated();
  };
  /** True once the event loop has turned here since the last question: between two others, nothing that the artifact has begun goes on. */
  let turned = true;
  let isLetting = false;
  let isTurning = false;
  const letOn = () => {
    if (isLetting) return;
    isLetting = true;
    queueMicrotask(() => {
      isLetting = false;
      tick(null);
    });
  };
  /** What the artifact has begun goes on where it would in one process: where the test waits, and not between two questions. */
  const watch = () => {
    turned = false;
    letOn();
    if (isTurning) return;
    isTurning = true;
    setImmediate(() => {
      isTurning = false;
      turned = true;
    });
  };
  /** True while timers of the artifact are set. */
  let isActive = false;
  /** Calls of the test's functions that are running, one within the other. */
  let nested = 0;
  let served = 0;
  const serve = (reply) => {
    nested += 1;
    const outer = link.serving;
    served += 1;
    link.serving = served;
    try {
      if (reply.context === undefined && !isUsingContexts) return link.outgoing.serve(reply);
      return link.contexts.within(reply.context, () => link.outgoing.serve(reply));
    } catch (error) {
      // The artifact waits for an answer, and the test has failed.
      refuse(`cannot answer the artifact: ${error.message}`);
      return { throws: 'the test has failed' };
    } finally {
      nested -= 1;
      link.serving = outer;
    }
  };

  /** What the artifact has made of what it was given in a question. */
  const arriveArguments = (reply, args) => {
    for (const [index, after] of reply.args ?? []) {
      if (!(index in args)) lie('a changed argument that was not given');
      const told = link.incoming.whileUpdating(() => link.incoming.arrive(after));
      // Of an object of a class of the test, the artifact changes what that class lets it change.
      if (!link.outgoing.isOfTest(args[index])) update(args[index], told);
      link.incoming.refreshLent(args[index]);
    }
    link.outgoing.noteUpdated();
  };
  /** @param args what the question gives: the artifact may change it, also where it fails */
  const ask = (op, args = []) => {
    // One process would end it as well, at another depth: the test may expect that the artifact does.
    if (nested > maxNested || !hasRoom(nested)) throw refuse(tooManyCalls);
    const isReading = reading.has(op.do);
    if (!isReading) link.expected.noteChange();
    const more = {
      ...(turned ? { turned } : {}),
      ...(link.isInTest() ? {} : { before: true }),
      ...link.contexts.leave(),
      ...(forgotten.length > 0 ? { forgotten } : {}),
    };
    let reply = exchange({ ask: { ...op, ...more, ...takeChanged(), ...takeSurroundings() } });
    forgotten = [];
    if (op.do !== 'tick' && op.do !== 'watch') {
      isAsked = true;
      watch();
    }
    for (; 'callback' in reply; link.callbacks += 1) {
      arriveChanged(reply);
      link.expected.noteServing();
      const back = serve(reply);
      reply = exchange({ back: { ...back, ...takeChanged(), ...takeSurroundings() } });
      // What the function of the test has read may have changed since.
      if (!isReading) link.expected.noteChange();
    }
    arriveChanged(reply);
    if (reply.entered !== undefined) link.contexts.enter(reply.entered);
    isActive = 'turns' in reply;
    arriveArguments(reply, args);
    if ('raised' in reply) throw link.incoming.errorOf(reply.raised);
    if (!('value' in reply)) lie('an answer without a value');
    return reply;
  };
  const send = (op, args) => {
    link.epoch += 1;
    return ask({ ...op, args: sites.giving(null, () => args.map(link.outgoing.leave)) }, args);
  };
  /**
   * @param answering what is known of the answer: `makes` where the test itself makes it, `isShown` where more than a name says that it is an object,
   * `isPart` where an object of the artifact answers it, `isTrusted` where the suite names what makes it
   */
  const call = (op, args, answering = {}) =>
    sites.asking(`${op.do} ${op.name ?? ''}`, () => {
      const now = () => callNow(op, args, answering);
      return link.expected.commits(op, args) ? link.expected.commit(op, now) : now();
    });
  const callNow = (op, args, answering) => {
    if (op.do === 'method' || op.do === 'base') link.expected.noteUse(op.of);
    const lazy = answering.makes === true;
    const given = link.giving;
    link.giving = answering.isPart === true || answering.makes === true;
    let reply;
    try {
      reply = send(lazy ? { ...op, lazy } : op, args);
    } finally {
      link.giving = given;
    }
    const outer = link.answering;
    const decorates = args.some((arg) => typeof arg === 'function' && !handles.has(arg));
    link.answering = { ...answering, decorates };
    try {
      const found = link.incoming.arriveLent(`${op.do} ${op.of} ${op.name}`, reply);
      link.outgoing.noteUpdated();
      sites.noteAnswer();
      if (sites.isLearning) sites.noteKind(link.remote.kindOf(found));
      if (op.do !== 'new') link.expected.reads.noteAnswer();
      return found;
    } finally {
      link.answering = outer;
    }
  };

  const tick = (ms) => {
    const settled = sites.giving('ended', link.outgoing.takeEnded, false);
    const { value } = ask({ do: 'tick', wait: link.incoming.pending(), settled, ms });
    if (!Array.isArray(value)) return lie('an answer that is no list');
    if (ms !== null) isAsked = false;
    for (const [id, reply] of value) link.incoming.settle(id, reply);
  };

  /** What the parts of the connection share: each uses the others through it. */
  const link = {
    ...{ ask, send, call, lie, refuse, builtins, sites, surroundings, letOn },
    texts: [...places.texts.values()],
    isInTest: () => test !== '' && !isShared(),
    /**
     * True where what is computed is asked for again though nothing that is known of has changed. A loop of a test may wait for it, which must end:
     * beyond the most, only a test asks on in which the reference was asked as often.
     */
    asksAgain() {
      asksLeft -= 1;
      return asksLeft >= 0 || sites.allowsInTest('asks on');
    },
    /** How many calls of the test's functions run, one within the other. */
    nested: () => nested,
    /** True while what an object holds arrives that acts where the reference's did: of an object of another style it would have come with that. */
    isWithinActor: false,
    withinActor(isActor, work) {
      const outer = link.isWithinActor;
      link.isWithinActor = isActor === true;
      try {
        return work();
      } finally {
        link.isWithinActor = outer;
      }
    },
    /** Counts the calls of the artifact: between two of them, what an inert object holds does not change. */
    epoch: 0,
    /** Counts the calls of the test's functions by the artifact: what those answer changes without it. */
    callbacks: 0,
    /** Counts what getters and conversions have computed: those may have changed what any object holds. */
    computes: 0,
    /** What a call answers that arrives now: objects that the test makes, and what a decorator makes, which has properties. */
    answering: nothing,
    /**
     * The call of a function of the test that is running, 0 in the test itself: what another one reads is asked for again, as a computed value
     * depends on what its own function has read.
     */
    serving: 0,
    /** Counts what could have changed answers, what the test has changed in its own objects among it. */
    noticed() {
      if (link.outgoing.hasChanged()) link.expected.noteChange();
      return link.expected.changes();
    },
    /** True while functions are given to what is believed to be an object. */
    giving: false,
  };
  const tellAborted = () => {
    try {
      ask({ do: 'aborted' });
    } catch {
      // What cannot be told has failed the test. A listener that throws would end the process.
    }
  };
  const isUsingContexts = link.texts.some(usesContexts);
  link.contexts = createContexts(() => isUsingContexts);
  link.signals = createSignals((part) => link.outgoing.numberOf(part), tellAborted);
  link.expected = createExpecting(link);
  link.outgoing = createOutgoing(link);
  link.incoming = createIncoming(link);
  link.conversions = createConversions(link);
  link.remote = createRemote(link, shown);
  link.live = createLive(link, shown.called);

  return {
    /** Places of the suite, and what a reference did there. */
    sites,
    /** Has the artifact's box look at what the suite reads, before the artifact is loaded there: the first question. */
    watch: () => void ask({ do: 'watch' }),
    /** What a module of the artifact exports, as pairs of name and value. */
    module(name) {
      const desc = link.incoming.arrive(ask({ do: 'module', name }).value);
      if (desc?.kind !== 'module') return lie('a module that is none');
      return exportsOf(name, desc.exports);
    },
    /** Forgets what the last test gave. */
    beginTest(id) {
      test = id;
      sites.beginTest(id);
      surroundings.beginTest();
      forgotten.push(...link.outgoing.beginTest());
      link.incoming.beginTest();
      link.expected.beginTest();
      link.conversions.beginTest();
      link.remote.beginTest();
      link.contexts.forget();
      asksLeft = maxAgain;
    },
    /** Does to the artifact's timers and dates what the test does to its own. */
    relayTimers(tracker, action, args) {
      surroundings.noteTimers(tracker, action);
      send({ do: 'timers', of: tracker, name: action }, args);
    },
    /** Why the running test fails, whatever it came to: an assertion failed, and the artifact hid it, it has left files or changed its process, or a class did not make what the test made. Else null. */
    endTest() {
      const hidden = link.outgoing.hiddenAssertion();
      if (hidden !== null && !sites.allowsInTest('hidden assertion'))
        return `an assertion failed within the artifact, which hid it: ${hidden}`;
      const [changed] = surroundings
        .changedState()
        .filter(([name, value]) => !sites.allowsInTest(`changes ${name} to ${value}`));
      if (changed !== undefined)
        return `the program changed ${changed[0]}, which the test reads in its own process`;
      return surroundings.endTest() ?? link.expected.makeRest();
    },
    /** Of promises of the artifact that were rejected, and that nothing handles here, the first that nothing handles there either. */
    firstUnhandled(promises) {
      const of = (each) => handles.get(each)?.$handle;
      const numbers = promises.flatMap((each) => of(each) ?? []);
      if (numbers.length === 0) return promises[0];
      const { value } = ask({ do: 'handled', parts: numbers });
      const handled = new Set(numbers.filter((_, index) => value?.[index] === true));
      return promises.find((each) => !handled.has(of(each)));
    },
    noteFile: sites.noteFile,
    /** Notes where tests convert answers that the suite shows to be objects, and assertions that keep nothing of what they convert. */
    noteConversions: sites.noteConversions,
    /** What the reason of a test says that fails by a comparison of its own. */
    hint: () => link.remote.hint(),
    /** The places that were noted with the reference. */
    learnt: () => [...sites.learnt(), ...link.expected.learnt()],
    /** True while the artifact may go on by itself: somebody waits for it, it may call back, or its timers are set. */
    isBusy: () => isActive || link.incoming.pending().length > 0 || link.outgoing.isAwaited(),
    /** True while timers of the artifact are set. */
    isActive: () => isActive,
    /** Lets what it has begun fail while the test is there to fail with it. */
    letGo() {
      if (isAsked) tick(0);
    },
    /** Has it do what it does as its process ends, which fails the test that was the last. */
    exit: () => void ask({ do: 'exit' }),
    /** Lets it go on for some milliseconds, and ends the promises that it has ended. */
    tick,
  };
}
