import { attacksByComparisons } from './attacks-by-comparisons.ts';
import { attacksByErrors } from './attacks-by-errors.ts';
import { attacksByOwnObjects } from './attacks-by-own-objects.ts';
import { attacksByRoom } from './attacks-by-room.ts';
import { attacksOnPrograms } from './attacks-on-programs.ts';
import { attacksOnTesters } from './attacks-on-testers.ts';

/** Wrong programs by the part of the judge that they are aimed at: none gains a success, and none makes the judge throw. */
export const attacksOfRooms = [
  ...attacksByRoom,
  ...attacksOnPrograms,
  ...attacksOnTesters,
  ...attacksByOwnObjects,
  ...attacksByErrors,
  ...attacksByComparisons,
];
