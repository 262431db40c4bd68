import { answersOfFactories } from './corpus/answers-of-factories.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('answers that are compared with objects of factories', useJudge(), answersOfFactories);
