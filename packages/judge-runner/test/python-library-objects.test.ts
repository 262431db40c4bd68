import { pythonLibraryObjects } from './corpus/python-library-objects.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts("objects of Python's library", useJudge(), pythonLibraryObjects);
