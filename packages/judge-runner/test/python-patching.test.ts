import { patchingCases } from './corpus/python-patching.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('attributes that a test of Python replaces', useJudge(), patchingCases);
