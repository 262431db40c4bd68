import { containerCases } from './corpus/python-containers.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('containers of Python that can change', useJudge(), containerCases);
