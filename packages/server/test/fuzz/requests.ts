import fc from 'fast-check'
import { bodyOf } from './bodies.ts'
import { fromSchema } from './from-schema.ts'
import { hostileHeader, hostileQueryPart, hostileSegment } from './hostile-values.ts'
import type { Parameter, Target } from './target.ts'

/** A request without its credentials. */
export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array | undefined
}

/** Generates good requests, and requests with one or several faulty parts. */
export const requestsTo = (target: Target): fc.Arbitrary<FuzzRequest> =>
  fc
    .record({
      path: pathOf(target),
      query: queryOf(target),
      headers: fc.oneof(
        { weight: 3, arbitrary: fc.constant<[string, string][]>([]) },
        { weight: 2, arbitrary: fc.array(hostileHeader, { minLength: 1, maxLength: 3 }) },
      ),
      body: bodyOf(target),
    })
    .map(({ path, query, headers, body }) => ({
      method: target.method,
      path: `${path}${query && `?${query}`}`,
      headers: {
        ...(body.type === undefined ? {} : { 'content-type': body.type }),
        ...Object.fromEntries(headers),
      },
      body: body.bytes,
    }))

const parametersIn = ({ operation }: Target, place: Parameter['in']): Parameter[] =>
  operation.parameters?.filter((parameter) => parameter.in === place) ?? []

const pathOf = (target: Target): fc.Arbitrary<string> => {
  const names = parametersIn(target, 'path')
  const good = target.good.flatMap(({ params }) => (params ? [params] : []))
  const values = fc.tuple(
    ...names.map(({ name, schema }) =>
      fc.oneof(
        ...good.map((params) => ({
          weight: 6,
          arbitrary: fc.constant(encodeURIComponent(String(params[name] ?? 1))),
        })),
        {
          weight: 2,
          arbitrary: fromSchema(schema, target.resolve).map((value) => encodeURIComponent(String(value))),
        },
        { weight: 2, arbitrary: hostileSegment },
      ),
    ),
  )
  return values.map((segments) =>
    names.reduce((path, { name }, i) => path.replace(`{${name}}`, () => segments[i] ?? ''), target.path),
  )
}

const queryOf = (target: Target): fc.Arbitrary<string> => {
  const parameters = parametersIn(target, 'query')
  const valid = fc
    .tuple(
      ...parameters.map(({ name, schema }) =>
        fc.option(
          fromSchema(schema, target.resolve).map(
            (value) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`,
          ),
          { nil: '' },
        ),
      ),
    )
    .map((parts) => parts.filter(Boolean).join('&'))
  const hostile = fc
    .constantFrom(...parameters.map(({ name }) => name), 'pagina', 'token')
    .chain((name) => fc.tuple(valid, hostileQueryPart(name)))
    .map((parts) => parts.filter(Boolean).join('&'))
  const good = target.good.map(({ query = '' }) => ({ weight: 3, arbitrary: fc.constant(query) }))
  return parameters.length === 0
    ? fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: hostile })
    : fc.oneof(...good, { weight: 3, arbitrary: valid }, { weight: 3, arbitrary: hostile })
}
