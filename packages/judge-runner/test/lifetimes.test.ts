import { lifetimeCases } from './corpus/lifetimes.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('lifetimes of what both boxes know', useJudge(), lifetimeCases);
