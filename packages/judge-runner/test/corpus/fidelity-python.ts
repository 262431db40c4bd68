import { fidelityApplications } from './fidelity-applications.ts';
import type { FidelityCase } from './fidelity-case.ts';
import { fidelityContainers } from './fidelity-containers.ts';
import { fidelityControlFlow } from './fidelity-control-flow.ts';
import { fidelityDomains } from './fidelity-domains.ts';
import { fidelityDoubles } from './fidelity-doubles.ts';
import { fidelityErrors } from './fidelity-errors.ts';
import { fidelityEventLoops } from './fidelity-event-loops.ts';
import { fidelityExtendedClasses } from './fidelity-extended-classes.ts';
import { fidelityFields } from './fidelity-fields.ts';
import { fidelityFunctions } from './fidelity-functions.ts';
import { fidelityGivenClasses } from './fidelity-given-classes.ts';
import { fidelityLibraries } from './fidelity-libraries.ts';
import { fidelityAlgorithms } from './fidelity-packages-of-algorithms.ts';
import { fidelityFrameworks } from './fidelity-packages-of-frameworks.ts';
import { fidelityServices } from './fidelity-packages-of-services.ts';
import { fidelityPlugins } from './fidelity-plugins.ts';
import { fidelityProjects } from './fidelity-projects.ts';
import { fidelityStructures } from './fidelity-structures.ts';
import { fidelityToolkits } from './fidelity-toolkits.ts';
import { fidelityTwoBoxes } from './fidelity-two-boxes.ts';
import { fidelityValues } from './fidelity-values.ts';

/** Correct programs with ordinary tests, in the styles of well-known projects, as pytest runs them in one process. */
export const fidelityPython: readonly FidelityCase[] = [
  ...fidelityValues,
  ...fidelityFunctions,
  ...fidelityStructures,
  ...fidelityApplications,
  ...fidelityPlugins,
  ...fidelityTwoBoxes,
  ...fidelityControlFlow,
  ...fidelityContainers,
  ...fidelityDoubles,
  ...fidelityProjects,
  ...fidelityLibraries,
  ...fidelityDomains,
  ...fidelityToolkits,
  ...fidelityFields,
  ...fidelityErrors,
  ...fidelityGivenClasses,
  ...fidelityEventLoops,
  ...fidelityExtendedClasses,
  ...fidelityFrameworks,
  ...fidelityAlgorithms,
  ...fidelityServices,
];
