import fc from 'fast-check'
import { formOf } from './forms.ts'
import { fromSchema } from './from-schema.ts'
import { hostileContentType, hostileValue } from './hostile-values.ts'
import type { Target } from './target.ts'

interface Body {
  bytes: Uint8Array | undefined
  type: string | undefined
}

const json = 'application/json'

/** Generates a good body, an altered one, or bytes that are not valid. */
export const bodyOf = (target: Target): fc.Arbitrary<Body> => {
  const schema = target.operation.requestBody?.content[json]?.schema
  const form = target.operation.requestBody?.content['multipart/form-data']?.schema
  if (form) return formOf(target, form)
  const none: Body = { bytes: undefined, type: undefined }
  if (!schema) {
    const stray = fc.constantFrom<Body>(
      { bytes: bytesOf('{}'), type: json },
      { bytes: bytesOf(''), type: json },
      { bytes: bytesOf('lixo'), type: 'text/plain' },
    )
    return fc.oneof({ weight: 9, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: stray })
  }
  const good = target.good.flatMap(({ body }) => (body === undefined ? [] : [fc.constant<unknown>(body)]))
  const fine = fc.oneof(...good, fromSchema(schema, target.resolve))
  const altered = fc
    .tuple(fine, fc.array(alteration, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(alter, value))
  const asJson = (value: unknown): Body => ({ bytes: bytesOf(textOf(value)), type: json })
  return fc.oneof(
    { weight: 4, arbitrary: fine.map(asJson) },
    { weight: 8, arbitrary: altered.map(asJson) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fine, pollution)
        .map(([value, pollute]) => ({ bytes: bytesOf(pollute(textOf(value))), type: json })),
    },
    { weight: 2, arbitrary: hostileValue.map(asJson) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fine, encoding)
        .map(([value, encode]) => ({ bytes: encode(textOf(value)), type: json })),
    },
    { weight: 1, arbitrary: brokenJson.map((text) => ({ bytes: bytesOf(text), type: json })) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ bytes, type: json })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fine, hostileContentType)
        .map(([value, type]) => ({ bytes: bytesOf(textOf(value)), type })),
    },
    { weight: 1, arbitrary: fc.constantFrom<Body>(none, { bytes: bytesOf(''), type: json }) },
  )
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const textOf = (value: unknown): string => JSON.stringify(value) ?? 'null'

/** A change at one place of a value; `at` selects the place, modulo their number. */
const alteration = fc.record({
  at: fc.nat(200),
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'wrap', 'add'),
  key: fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    'tipoUsuario',
    'situacao',
    'versao',
    'id',
    '',
    'a\0b',
  ),
  value: hostileValue,
})
type Alteration = typeof alteration extends fc.Arbitrary<infer A> ? A : never

const alter = (value: unknown, change: Alteration): unknown => {
  const copy: unknown = structuredClone(value)
  const places = placesIn(copy)
  const place = places[change.at % Math.max(1, places.length)]
  if (!place) return change.value
  const { holder, key } = place
  if (change.how === 'drop') delete holder[key]
  else if (change.how === 'wrap') holder[key] = [holder[key]]
  else if (change.how === 'add')
    Object.defineProperty(holder, change.key, {
      value: change.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else holder[key] = change.value
  return copy
}

interface Place {
  holder: Record<string, unknown>
  key: string
}

const placesIn = (value: unknown): Place[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        { holder: value as Record<string, unknown>, key },
        ...placesIn(inner),
      ])
    : []

const pollution = fc
  .constantFrom(
    '"__proto__":{"tipoUsuario":"ADMIN","permission":"public"},',
    '"constructor":{"prototype":{"tipoUsuario":"ADMIN"}},',
    '"\\u005f_proto__":{"x":1},',
    '"toString":1,"hasOwnProperty":1,"valueOf":null,',
    '"tipoUsuario":"ADMIN","situacao":"ATIVO","idUsuario":1,"versao":0,',
    '"":0,"\\u0000":0,',
  )
  .map((extra) => (text: string) => text.replaceAll(/\{(?=")/g, `{${extra}`))

const encoding = fc.constantFrom<(text: string) => Uint8Array>(
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(text.replace(/":"/, '":"\xe9\xff'), 'latin1'),
  (text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -1)),
      Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]),
      Buffer.from('}'),
    ]),
  (text) => Buffer.from(text.replace(/":"/, '":"\\ud800')),
  (text) => Buffer.from(text.slice(0, Math.floor(text.length / 2))),
  (text) => Buffer.from(`${text}${text}`),
  (text) => Buffer.from(`${text}\0`),
  (text) => Buffer.from(`// x\n${text}`),
  (text) => Buffer.from(text.replaceAll('"', "'")),
  (text) => Buffer.from(`${text.slice(0, -1)}${' '.repeat(300_000)}}`),
)

const brokenJson = fc.constantFrom(
  '{',
  '[',
  '"',
  '{"a":}',
  'NaN',
  'Infinity',
  'undefined',
  '{"a":NaN}',
  '{"a":1e999}',
  '{"a":-0}',
  `{"a":${'9'.repeat(5_000)}}`,
  '['.repeat(100_000),
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '{"a":1,"a":2}',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '[{}]',
  '{}',
  ' ',
  '\0',
)
