import { mockCases } from './corpus/python-mocks.ts';
import { patchingCases } from './corpus/python-patching.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

const judge = useJudge();

proveWrongParts('attributes that a test of Python replaces', judge, patchingCases);
proveWrongParts('mocks and functions that a test of Python gives', judge, mockCases);
