import { changesBesideErrors } from './corpus/changes-beside-errors.ts';
import { errorsAndFakes } from './corpus/errors-and-fakes.ts';
import { useJudge } from './use-judge.ts';
import { proveWrongParts } from './wrong-parts.ts';

proveWrongParts('errors between a test and a program, and what goes with them', useJudge(), [
  ...changesBesideErrors,
  ...errorsAndFakes,
]);
