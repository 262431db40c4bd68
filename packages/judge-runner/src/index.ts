/**
 * Runs untrusted code against tests that it never sees, in a sandbox, and returns a verdict.
 * @packageDocumentation
 */
export { isBonafideError } from '@bonafide/internal';
export type { SandboxOptions } from './bubblewrap/probe.ts';
export { type DetectedSandbox, detectSandbox, probeSandbox } from './bubblewrap/sandbox.ts';
export {
  causeOf,
  checkCommitment,
  classify,
  commitOracle,
  compareAnswer,
  compositePassRate,
  decodeValue,
  describeValue,
  encodeValue,
  matchesOutput,
  mergeLimits,
  openLeaf,
  passRateOf,
  performanceTier,
  rateQuality,
  staticViolations,
  summarizeLayers,
  verifyLeaf,
} from './checked.ts';
export type { RunRecord } from './classify.ts';
export type {
  CommittedPart,
  LeafOpening,
  OracleCommitment,
  PublicCommitment,
} from './commitment.ts';
export type { CompareRule } from './compare.ts';
export type { EngineName } from './container/engine.ts';
export type { ContainerOptions } from './container/probe.ts';
export {
  type ContainerSandbox,
  createContainerSandbox,
  probeContainerSandbox,
} from './container/sandbox.ts';
export { buildEnvironment, type EnvironmentOptions } from './environment/build.ts';
export type { BuiltPackage, EnvironmentIdentity } from './environment/store.ts';
export { JudgeError, type JudgeErrorCode } from './errors.ts';
export type { FreshRequest, Oracle, OracleQuestion } from './fresh/fresh-cases.ts';
export type { Backend, SandboxCheck, SandboxReport } from './isolation/report.ts';
export { createJudge, type Judge, type JudgeOptions, type JudgeRequest } from './judge.ts';
export { defaultLimits, type Limits } from './limits.ts';
export type { Mutant } from './mutants.ts';
export { probeToolchains, type Toolchain } from './program/toolchains.ts';
export type { ToolResults } from './quality.ts';
export type { Box, BoxReport, BoxSpec, Sandbox } from './sandbox.ts';
export { parseSuite } from './schemas.ts';
export { type StaticRule, staticRules } from './static-rules.ts';
export {
  type Artifact,
  type CaseGenerator,
  type CodeArtifact,
  type Conversion,
  type ExpectedTest,
  type Language,
  type Layer,
  type LengthRange,
  layers,
  type Match,
  type NodePackages,
  type NodeTestSuite,
  type OutputMatch,
  type Profile,
  type ProgramCase,
  type ProgramSuite,
  type PytestSuite,
  type PythonPackages,
  type StaticThresholds,
  type Suite,
  type Tolerance,
  type ValueSpec,
  type VectorCase,
  type VectorSuite,
  type Whole,
  type WholeRange,
} from './suite.ts';
export type { CheckOptions, CheckProgress, FailingTest, SuiteCheck } from './suite-check.ts';
export type { SuiteFile, SuiteFiles } from './suite-files.ts';
export type { UnsupportedConstruct } from './unsupported.ts';
export {
  type Compound,
  maxValueDepth,
  type SequenceType,
  type TaggedJson,
  type Value,
  ValueFormatError,
} from './value.ts';
export type {
  ErrorKind,
  LayerResult,
  LimitKind,
  Metrics,
  Outcome,
  ProtectionLayer,
  ProtectionName,
  Quality,
  StaticFinding,
  SuiteWarning,
  TestResult,
  TestStatus,
  TranscriptEntry,
  Verdict,
  Violation,
} from './verdict.ts';
