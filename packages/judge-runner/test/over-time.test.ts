import { overTimeCases } from './corpus/over-time.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('what changes between two looks of a test', useJudge(), overTimeCases);
