import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schema as graphqlSchema } from '@octokit/graphql-schema';
import { Ajv, type ValidateFunction } from 'ajv';
import { buildSchema, type GraphQLSchema, graphql } from 'graphql';

interface Description {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly schemas: Readonly<Record<string, object>>;
}
interface Operation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly body: { readonly properties?: object } | null;
  readonly answers: Readonly<Record<string, { readonly schema: object | null; readonly example: unknown }>>;
}

const file = join(import.meta.dirname, '../../../fixtures/github-api/description.json');
/** Adds null to the enumerations of what may be null, which the description leaves out. */
const withNull = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'nullable' in value && 'enum' in value
    ? { ...value, enum: [...(value.enum as unknown[]), null] }
    : value;
const description: Description = JSON.parse(readFileSync(file, 'utf8'), withNull);
/** Answers of GitHub that differ from its description: the repository of a deleted fork is null. */
const deviation = /\/head\/repo must be object$/u;
/** A user, as GitHub's examples show one. */
export const exampleUser: unknown = Object.entries(
  description.operations['GET /repos/{owner}/{repo}/pulls/{pull_number}']?.answers['200']?.example ?? {},
).find(([name]) => name === 'user')?.[1];

// Formats are GitHub's affair; types, enumerations and required members are checked.
const ajv = new Ajv({ strict: false, validateFormats: false, coerceTypes: false, allErrors: true });
ajv.addSchema({ $id: 'github', schemas: description.schemas });
const compiled = new Map<object, ValidateFunction>();

/** Returns what is wrong with a value under a schema of the description. */
function violations(schema: object, value: unknown): readonly string[] {
  const resolved = JSON.stringify(schema).replaceAll('"#/schemas/', '"github#/schemas/');
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(resolved));
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    .filter((text) => !deviation.test(text));
}

/** A request that GitHub's description of its API knows. */
export interface DescribedRequest {
  readonly name: string;
  /** Faults of the request. */
  readonly faults: readonly string[];
  /** Returns the faults of an answer. */
  check(status: number, data: unknown): readonly string[];
  /** Returns GitHub's own example of an answer. */
  example(status: number): unknown;
}

/** Finds the operation of a request and checks the request; null for a route that GitHub does not have. */
export function describeRequest(
  method: string,
  path: string,
  query: URLSearchParams,
  body: Readonly<Record<string, unknown>> | null,
): DescribedRequest | null {
  for (const [name, operation] of Object.entries(description.operations)) {
    const [verb, template = ''] = name.split(' ');
    // A path of a file may have slashes, encoded or not; a ref too.
    const pattern = template.replaceAll(/\{(\w+)\}/gu, (_, key) =>
      key === 'path' || (key === 'ref' && template.endsWith('{ref}')) ? `(?<${key}>.+)` : `(?<${key}>[^/]+)`,
    );
    const match = verb === method ? new RegExp(`^${pattern}$`, 'u').exec(decodeURIComponent(path)) : null;
    if (match === null) continue;
    const { parameters, answers } = operation;
    const faults: string[] = [];
    const given = { path: match.groups ?? {}, query: Object.fromEntries(query) };
    for (const { name: key, in: place, required, schema } of parameters) {
      const text = given[place]?.[key];
      if (text === undefined) {
        if (required) faults.push(`${place} ${key} is missing`);
        continue;
      }
      const isNumber = 'type' in schema && schema.type === 'integer';
      faults.push(...violations(schema, isNumber ? Number(text) : text).map((each) => `${key}: ${each}`));
    }
    const known = new Set(parameters.filter((each) => each.in === 'query').map((each) => each.name));
    for (const key of query.keys()) if (!known.has(key)) faults.push(`unknown query ${key}`);
    const members = new Set(Object.keys(operation.body?.properties ?? {}));
    for (const key of Object.keys(body ?? {})) if (!members.has(key)) faults.push(`unknown member ${key}`);
    if (operation.body !== null) faults.push(...violations(operation.body, body ?? {}));
    return {
      name,
      faults,
      check(status, data) {
        const answer = answers[String(status)];
        // Every route answers 401, 403 and 404 for a token without permission, whether it is described or not.
        if (answer === undefined)
          return status === 401 || status === 403 || status === 404 ? [] : [`no answer ${status}`];
        return answer.schema === null ? [] : violations(answer.schema, data);
      },
      example: (status) => structuredClone(answers[String(status)]?.example ?? null),
    };
  }
  return null;
}

let schema: GraphQLSchema | undefined;

/** Carries out a GraphQL request under GitHub's published schema, with resolvers for mutations. */
export async function answerGraphql(
  request: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
  mutations: Readonly<
    Record<string, (args: { readonly input: Readonly<Record<string, string>> }) => unknown>
  >,
) {
  // The published text defines two fields twice.
  schema ??= buildSchema(graphqlSchema.idl, { assumeValid: true, assumeValidSDL: true });
  const { query: source, variables: variableValues } = request;
  return graphql({ schema, source, variableValues, rootValue: mutations });
}
