import { surroundingsCases } from './corpus/surroundings.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('what a test and a program change around them', useJudge(), surroundingsCases);
