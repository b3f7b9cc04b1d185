import { type ProblemCode, problems } from '@bi-manager/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Answer } from './send.ts'
import type { Operation } from './target.ts'

export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

/**
 * Problems of 500 and more that a caller may cause: the BI provider does not know the invented
 * report, group or credential.
 */
const byDesign = new Set<ProblemCode>([
  'bi_credencial_recusada',
  'bi_sem_acesso',
  'bi_relatorio_inexistente',
  'bi_identidade_necessaria',
])

/** Returns a function that lists an answer's faults, evaluated by the OpenAPI description alone. */
export const createChecks = (description: Description) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema(description, 'api')
  const pointer = (...parts: string[]) =>
    parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const validate = (value: unknown, ...place: string[]): string[] => {
    const key = `api#/${pointer(...place)}`
    const check = ajv.getSchema(key) ?? ajv.compile({ $ref: key })
    return check(value) ? [] : [`breaks its schema: ${ajv.errorsText(check.errors)}`]
  }

  return (method: string, path: string, answer: Answer): string[] => {
    const { status, headers } = answer
    const body = answer.body.toString()
    const type = String(headers['content-type'] ?? '').split(';')[0]
    const isKept = status === 200 && path === '/api/portal/logo/{marca}'
    const faults = headersAtFault(headers, isKept ? FOR_EVER : 'no-store')
    const declared = description.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    const success = declared[String(status)]
    if (success) {
      const [expected] = Object.keys(success.content ?? {})
      if (!expected) return body === '' ? faults : [...faults, 'a body where none was declared']
      // Bytes of any type: the contract cannot know what was uploaded.
      if (expected === 'application/octet-stream') return faults
      if (type !== expected) return [...faults, `content type ${type}, declared ${expected}`]
      if (expected === 'application/json') {
        const place = [
          'paths',
          path,
          method.toLowerCase(),
          'responses',
          String(status),
          'content',
          expected,
          'schema',
        ]
        faults.push(...validate(parsed(body), ...place))
      }
      return faults
    }
    if (status < 400) return [...faults, `status ${status} is not declared`]
    if (type !== 'application/problem+json') return [...faults, `a refusal of type ${type}`]
    const problem = parsed(body) as { codigo?: string; status?: number } | undefined
    if (declared.default && !declared.default.content?.[type]) faults.push('declared as another type')
    faults.push(...validate(problem, 'components', 'schemas', 'Problem'))
    const code = problem?.codigo as ProblemCode | undefined
    const entry = code && Object.hasOwn(problems, code) ? problems[code] : undefined
    if (!entry) faults.push(`the code ${code} is in no table`)
    else if (entry.status !== status || problem?.status !== status)
      faults.push(`${code} with status ${status}`)
    if (status >= 500 && !(code && byDesign.has(code))) faults.push(`status ${status} (${code})`)
    return faults
  }
}

/** Only the company's logo, whose address has the digest of its content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

const headersAtFault = (headers: Answer['headers'], caching: string): string[] => [
  ...(headers['cache-control'] === caching ? [] : [`cache-control ${headers['cache-control']}`]),
  ...(headers['x-content-type-options'] === 'nosniff' ? [] : ['no nosniff']),
  ...(headers['set-cookie'] ? ['a cookie'] : []),
  ...(headers['access-control-allow-origin'] ? ['opened to other origins'] : []),
]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Patterns that no answer or log line may contain, in addition to known secrets. */
const shapes: Record<string, RegExp> = {
  'a password hash': /\$argon2/,
  'an encrypted secret': /\bv1\.[\w-]{8}\.[\w-]{16}\./,
}
const inAnswersOnly: Record<string, RegExp> = {
  'a stack trace': /\n\s+at .+:\d+:\d+/,
  'a path of the server': /node_modules|\/packages\/server\//,
  'a statement': /\b(select|insert into|update|delete from) .{0,80}\b(from|where|values|set)\b/i,
}

export const createSecretSearch = (known: Map<string, string>) => ({
  in: (text: string, isLog = false): string[] => [
    ...[...known].filter(([secret]) => text.includes(secret)).map(([, name]) => name),
    ...Object.entries(isLog ? shapes : { ...shapes, ...inAnswersOnly })
      .filter(([, shape]) => shape.test(text))
      .map(([name]) => name),
  ],
})
