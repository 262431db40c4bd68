import { objectsOfNode } from './corpus/objects-of-node.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts("objects of Node's classes", useJudge(), objectsOfNode);
