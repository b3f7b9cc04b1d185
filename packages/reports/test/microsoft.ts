import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'

const path = join(process.env.SHARED_FOLDER ?? '', 'powerbi/microsoft-rest-api.swagger.json')

type Operation = {
  parameters?: { in: string; schema?: object }[]
  responses: Record<string, { schema?: object }>
}
type Swagger = { paths: Record<string, Record<string, Operation>>; definitions: object }

/** Microsoft's description of its REST API; undefined on a machine without it. */
export const microsoft = existsSync(path) ? describeCalls(JSON.parse(readFileSync(path, 'utf8'))) : undefined
if (!microsoft) {
  console.warn(`PULADO: a validação contra a descrição da Microsoft não rodou, porque ${path} não existe.`)
}

const WITHOUT_GROUP = /^(\/v1\.0\/myorg)(\/(?:reports|datasets)\b)/i

function describeCalls({ paths, definitions }: Swagger) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'microsoft', definitions })

  const faults = (schema: object | undefined, value: unknown): string[] => {
    if (!schema) return []
    // References in the description are relative to itself.
    const text = JSON.stringify(schema).replaceAll('"#/definitions/', '"microsoft#/definitions/')
    const validate = ajv.compile(JSON.parse(text))
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  const find = (method: string, url: string) => {
    // The excerpt has the calls within a group only; those without one answer the same.
    const plain = (url.split('?')[0] ?? '').replace(/\/$/, '').replace(WITHOUT_GROUP, '$1/groups/x$2')
    for (const [template, operations] of Object.entries(paths)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`, 'i')
      if (pattern.test(plain) && operations[method.toLowerCase()]) return operations[method.toLowerCase()]
    }
    return undefined
  }

  return {
    /** Returns all deviations of a successful call from the description. */
    faultsOf(call: {
      method: string
      url: string
      sent?: object
      status: number
      received: unknown
    }): string[] {
      const operation = find(call.method, call.url)
      if (!operation) return [`${call.method} ${call.url} is not described`]
      const response = operation.responses[String(call.status)]
      if (!response) return [`${call.method} ${call.url} does not answer ${call.status}`]
      const body = operation.parameters?.find((parameter) => parameter.in === 'body')
      return [
        ...(body ? faults(body.schema, call.sent ?? {}) : []).map((fault) => `sent ${fault}`),
        ...faults(response.schema, call.received).map((fault) => `received ${fault}`),
      ]
    },
  }
}
