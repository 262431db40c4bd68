/*
 * Stand-ins for the artifact's classes, functions and objects in a tester, and which of them are believed. Every object that nothing vouches for is
 * inert: what it holds can be read, and all else fails the test.
 */
import { createBelievedMethods } from './believed-methods.mjs';
import { createClassStandIns } from './class-stand-ins.mjs';
import { createForwardedProperties } from './forwarded-properties.mjs';
import { createFunctionStandIns } from './function-stand-ins.mjs';
import { createHeldProperties } from './held-properties.mjs';
import { createNamedExports } from './named-exports.mjs';
import { createObjectStandIns } from './object-stand-ins.mjs';
import { createPromiseStandIns } from './promise-stand-ins.mjs';
import { createTrustedClasses } from './trusted-classes.mjs';

/**
 * @param link the connection, as `proxy.mjs` makes it
 * @param shown what the suite shows: `objects` that it trusts, `classNames`, `makers` of objects, functions whose results
 * are `changed`, names that it has `taken` out of answers, exports that are `passed` as values
 */
export function createRemote(link, shown) {
  const classes = createTrustedClasses(link, shown);
  const exports = createNamedExports(link, shown, classes);
  const methods = createBelievedMethods(link, shown, { classes, exports });
  const held = createHeldProperties(link);
  const { traps, listing, noteActing } = createForwardedProperties(link, { exports, methods, held });
  const objects = createObjectStandIns(link, { classes, methods, held, traps });
  const functions = createFunctionStandIns(link, { classes, exports, methods, traps, listing });
  const promises = createPromiseStandIns(link, { classes, methods, traps });
  const kinds = createClassStandIns(link, { classes, objects, functions, promises, traps, listing });

  return {
    equip: kinds.equip,
    promiseOf: promises.promiseOf,
    endFor: promises.endFor,
    classOf: kinds.classOf,
    baseOf: kinds.baseOf,
    isBaseOf: kinds.isBaseOf,
    isMethodOfBase: kinds.isMethodOfBase,
    noteActing,
    isClass: classes.isClass,
    isClassNumber: classes.isClassNumber,
    isActing: classes.isActing,
    isTrusted: classes.isTrusted,
    isTrustedClass: classes.isTrustedClass,
    trust: classes.trust,
    reach: exports.reach,
    noteAnswered: exports.noteAnswered,
    nameExports: exports.note,
    refusing: methods.refusing,
    hint: methods.hint,
    beginTest: methods.beginTest,
    originOf: methods.originOf,
    unlikeReference: methods.unlikeReference,
    isBelieved: methods.isBelieved,
    proxyOf: objects.proxyOf,
    objectOf: objects.objectOf,
    twinOf: objects.twinOf,
    isObject: objects.isObject,
    isInert: objects.isInert,
    mayAct: objects.mayAct,
    isUnexpected: objects.isUnexpected,
    noteNew: objects.noteNew,
    kindOf: objects.kindOf,
    functionOf: functions.functionOf,
    methodOf: functions.methodOf,
    callMethod: functions.callMethod,
    iteratorOf: functions.iteratorOf,
    noteIterating: functions.noteIterating,
  };
}
