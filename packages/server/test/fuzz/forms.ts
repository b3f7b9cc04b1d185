import fc from 'fast-check'
import { fromSchema, type Schema } from './from-schema.ts'
import { hostileContentType, hostileValue } from './hostile-values.ts'
import type { Target } from './target.ts'

interface Part {
  name: string
  text?: string
  file?: { name: string; type: string; bytes: Uint8Array }
}

const boundary = '----fuzz7MA4YWxkTrZu0gW'
const type = `multipart/form-data; boundary=${boundary}`

/** Generates multipart bodies: good ones, some with extra, missing or odd parts, invalid ones. */
export const formOf = (target: Target, schema: Schema) => {
  const [field = 'arquivo'] = Object.entries(schema.properties ?? {})
    .filter(([, { format }]) => format === 'binary')
    .map(([name]) => name)
  const goodFields = target.good.flatMap(({ body }) => (body ? [fc.constant(body)] : []))
  const fields = fc
    .oneof(...goodFields, ...goodFields, fromSchema(schema, target.resolve))
    .map((value) => partsOf(value, field))
  const files = target.good.flatMap(({ file }) => (file ? [fc.constant(file)] : []))
  const bytes = fc.oneof(
    ...files,
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...beginnings).map((text) => Buffer.from(text, 'latin1')),
    ...files.map((good) =>
      fc.tuple(good, fc.nat()).map(([whole, at]) => whole.subarray(0, at % whole.length)),
    ),
  )
  const file = fc
    .record({ name: fileName, type: fileType, bytes })
    .map((one): Part => ({ name: field, file: one }))
  const odd = fc.oneof(
    file,
    file.map((part) => ({ ...part, name: 'titulo_anexo' })),
    fc.record({ name: fieldName, text: hostileValue.map(String) }),
  )
  const written = fc
    .tuple(fields, fc.option(file), fc.array(odd, { maxLength: 2 }), fc.boolean())
    .map(([good, upload, more, isPlain]) =>
      write([...good, ...(upload ? [upload] : []), ...(isPlain ? [] : more)]),
    )
  const broken = fc
    .tuple(written, fc.nat(), fc.constantFrom('cut', 'no end', 'prefix', 'suffix'))
    .map(breakUp)
  return fc.oneof(
    { weight: 8, arbitrary: written.map((form) => ({ bytes: form, type })) },
    { weight: 3, arbitrary: broken.map((form) => ({ bytes: form, type })) },
    {
      weight: 1,
      arbitrary: fc.tuple(written, hostileContentType).map(([form, other]) => ({ bytes: form, type: other })),
    },
    { weight: 1, arbitrary: written.map((form) => ({ bytes: form, type: 'multipart/form-data' })) },
    {
      weight: 1,
      arbitrary: fc.constant({ bytes: Buffer.from('{}') as Uint8Array, type: 'application/json' }),
    },
    { weight: 1, arbitrary: fc.constant({ bytes: undefined, type: undefined }) },
  )
}

const beginnings = [
  '%PDF-1.7\n%%EOF',
  '%PDF-1.7\n1 0 obj <<',
  '\x89PNG\r\n\x1a\n',
  '\xff\xd8\xff\xe0',
  '<svg onload=alert(1)>',
  '',
]

const fileName = fc.constantFrom(
  'laudo.pdf',
  '../../etc/passwd',
  'a\0b.png',
  `${'n'.repeat(300)}.png`,
  'gnp.\u202eexe',
  '',
  'a"b\r\nx-y: z',
  'C:\\windows\\x.svg',
)
const fileType = fc.constantFrom('image/png', 'application/pdf', 'text/html', 'application/json', '', 'x')
const fieldName = fc.constantFrom(
  '__proto__',
  'constructor',
  'tipo_usuario',
  '',
  'n'.repeat(500),
  'arquivo',
  'titulo_anexo',
)

const partsOf = (value: unknown, file: string): Part[] =>
  Object.entries((value ?? {}) as object)
    .filter(([name, text]) => name !== file && text !== undefined && text !== null)
    .map(([name, text]) => ({ name, text: String(text) }))

const write = (parts: Part[]): Uint8Array =>
  Buffer.concat([
    ...parts.map(({ name, text = '', file }) => {
      const head = file
        ? `name="${name}"; filename="${file.name}"\r\ncontent-type: ${file.type}`
        : `name="${name}"`
      return Buffer.concat([
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
        file ? Buffer.from(file.bytes) : Buffer.from(text),
        Buffer.from('\r\n'),
      ])
    }),
    Buffer.from(`--${boundary}--\r\n`),
  ])

const breakUp = ([form, at, how]: [Uint8Array, number, string]): Uint8Array => {
  if (how === 'cut') return form.subarray(0, at % form.length)
  if (how === 'no end') return form.subarray(0, form.length - 4)
  const noise = Buffer.alloc(1 + (at % 5_000), 'x')
  return Buffer.concat(how === 'prefix' ? [noise, form] : [form, noise])
}
