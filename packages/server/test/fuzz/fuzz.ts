import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { Permission } from '@bi-manager/contract'
import fc from 'fast-check'
import { buildApp } from '../../src/app.ts'
import { createTargets } from '../calls/call-targets.ts'
import { goodCalls } from '../calls/every-call.ts'
import { startOidcProvider } from '../stand-ins/oidc-provider.ts'
import { startProvider } from '../stand-ins/provider-stand-in.ts'
import { startTestApp } from '../test-app.ts'
import { createUser, password } from '../users.ts'
import { createChecks, createSecretSearch, type Description } from './checks.ts'
import type { Schema } from './from-schema.ts'
import { createPeople, mayCall, type Role, roleNames, roles } from './people.ts'
import { type FuzzRequest, requestsTo } from './requests.ts'
import { createSender } from './send.ts'
import type { Operation, Target } from './target.ts'

interface FuzzOptions {
  seed: number
  /** Minimum of requests in total. */
  requests: number
  /** Otherwise each operation is called as ADMIN and as one of the other roles, in turn. */
  asEveryRole: boolean
}

/** Roles with the permission call more often, because refusals vary little. */
const weightOf = (role: Role, operation: Operation): number =>
  mayCall(role, permissionOf(operation)) ? 12 : 1

const settings = {
  RATE_LIMIT_PER_MINUTE: '1000000',
  SIGN_IN_FAILURES_PER_ADDRESS: '1000000',
  APP_SECRET: 'segredo-da-instalacao-que-nao-sai-daqui-1',
  ADMIN_PASSWORD: 'senha-do-primeiro-admin-1',
  SMTP_URL: 'smtp://portal:senha-do-correio-1@127.0.0.1:9',
}

/** Sends requests of every kind to every operation, as every role, and collects faults. */
export const fuzz = async ({ seed, requests, asEveryRole }: FuzzOptions) => {
  const provider = await startProvider()
  const { origin } = provider
  const oidc = await startOidcProvider({ redirectUris: ['http://localhost:3000/entrar/oidc'] })
  const app = await startTestApp({
    ...settings,
    ...oidc.settings,
    POWERBI_AUTHORITY_URL: origin,
    POWERBI_API_URL: origin,
    POWERBI_EMBED_URL: origin,
    POWERBI_MANAGEMENT_URL: origin,
    REPORTS_URL: origin,
  })
  const log = collectLines()
  const config = { ...app.services.config, logLevel: 'debug' as const }
  const server = await buildApp({ ...app.services, config }, { logTo: log.stream })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const sender = createSender((server.server.address() as AddressInfo).port)

  const known = new Map([
    [password, 'the password of all test users'],
    ['segredo-da-conexao', 'the secret of a connection'],
    ['senha-do-correio-1', 'the password of the mail server'],
    [oidc.settings.OIDC_CLIENT_SECRET, 'the secret at the identity provider'],
    [settings.APP_SECRET, 'APP_SECRET'],
    [settings.ADMIN_PASSWORD, 'the password of the first ADMIN'],
  ])
  const secrets = createSecretSearch(known)
  const people = createPeople(app, (secret, name) => known.set(secret, name))
  const description: Description = (await app.anonymous.get('/openapi.json')).body
  const check = createChecks(description)
  const resolve = (ref: string) => description.components.schemas[ref.split('/').at(-1) ?? ''] as Schema
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  /** Requests with a live session that has the permission of their operation. */
  let permitted = 0

  /** Log lines since the last call: a request's line is written after its answer. */
  const logAtFault = (): string[] =>
    log.lines
      .splice(0)
      .flatMap((line) => [
        ...secrets.in(line, true).map((name) => `${name} in the log: ${line}`),
        ...(/^\{"level":[456]0/.test(line) ? [`logged as a fault: ${line}`] : []),
      ])

  const evaluate = async (target: Target, role: Role, request: FuzzRequest): Promise<void> => {
    const { token } = await people.of(role)
    const isSelf = !('authorization' in request.headers)
    const headers = { ...(token && isSelf ? { authorization: `Bearer ${token}` } : {}), ...request.headers }
    const answer = await sender.send({ ...request, headers })
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    // With an altered segment, the address may belong to another operation.
    const served = servedBy(description, target.method, request.path)
    const body = answer.body.toString()
    const isLive = token !== undefined && isSelf && answer.status !== 401 && roles[role]?.situacao === 'ATIVO'
    if (isLive && served && mayCall(role, permissionOf(served.operation))) permitted += 1
    if (answer.status === 401 && roles[role]?.situacao === 'ATIVO') people.lose(role)
    const wrong = [
      ...logAtFault(),
      ...check(target.method, served?.path ?? '', answer),
      ...secrets.in(body + JSON.stringify(answer.headers)).map((name) => `${name} in the answer`),
      ...(answer.status < 400 && served && !mayCall(role, permissionOf(served.operation))
        ? [`${role} got access`]
        : []),
    ]
    if (wrong.length > 0) {
      throw new Error(
        `${wrong.join('\n')}\n  as ${role}: ${repeatable(request)}\n  → ${answer.status} ${body.slice(0, 500)}`,
      )
    }
  }

  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => ({ method: verb.toUpperCase(), path, operation })),
  )
  const cells = operations.flatMap((said, n) =>
    roleNames
      .filter((role) => asEveryRole || role === 'ADMIN' || role === roleNames[n % roleNames.length])
      .map((role) => ({ ...said, role, weight: weightOf(role, said.operation) })),
  )
  const allWeights = cells.reduce((sum, { weight }) => sum + weight, 0)

  try {
    for (const [n, { method, path, operation, role, weight }] of cells.entries()) {
      // Restores the rule that the roles assume, whatever the last calls changed.
      await app.db.updateTable('configuracao').set({ segundoFator: 'administradores' }).execute()
      const goodCall = goodCalls[`${method} ${path.replace('/api', '').replace(/\{(\w+)\}/g, ':$1')}`]
      const { user } = await people.thereAs(role)
      if (!roles[role]?.segundoFator) {
        await app.db.deleteFrom('segundoFator').where('idUsuario', '=', user.idUsuario).execute()
      }
      const good = (await goodCall?.(await createTargets(app, user))) ?? []
      const target: Target = { method, path, operation, good, resolve }
      const property = fc.asyncProperty(requestsTo(target), (request) => evaluate(target, role, request))
      const numRuns = Math.ceil((requests * weight) / allWeights)
      const result = await fc.check(property, { seed: seed + n, numRuns, interruptAfterTimeLimit: 120_000 })
      if (result.failed) faults.push(`${method} ${path}\n${messageOf(result)}`)
    }
    // Throws if the server no longer accepts sign-ins.
    await app.as(await createUser(app))
    faults.push(...logAtFault())
    return { faults, statuses, permitted, sent: Object.values(statuses).reduce((sum, n) => sum + n, 0) }
  } finally {
    sender.close()
    await server.close()
    await app.close()
    await oidc.close()
    await provider.close()
  }
}

const permissionOf = ({ description = '' }: Operation) => /`([^`]+)`/.exec(description)?.[1] as Permission

/** Returns the operation that the address leads to: the one with the fewest parameters. */
const servedBy = ({ paths }: Description, method: string, address: string) => {
  const segments = address.split('?')[0]?.split('/') ?? []
  const [found] = Object.keys(paths)
    .map((path) => ({ path, words: path.split('/'), operation: paths[path]?.[method.toLowerCase()] }))
    .filter(({ words }) => words.length === segments.length)
    .filter(({ words }) =>
      words.every((word, i) => word === segments[i] || (word.startsWith('{') && segments[i] !== '')),
    )
    .sort((a, b) => parametersOf(a.path) - parametersOf(b.path))
    .flatMap(({ path, operation }) => (operation ? [{ path, operation }] : []))
  return found
}

/** Counts the segments that are parameters. */
const parametersOf = (path: string): number => path.split('{').length

/** Returns everything needed to repeat the request; the body in base64, as it may be binary. */
const repeatable = ({ method, path, headers, body }: FuzzRequest): string =>
  JSON.stringify({ method, path, headers, ...(body ? { body: Buffer.from(body).toString('base64') } : {}) })

const messageOf = ({ errorInstance }: { errorInstance: unknown }): string =>
  errorInstance instanceof Error ? errorInstance.message : String(errorInstance)

const collectLines = () => {
  const lines: string[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(...chunk.toString().split('\n').filter(Boolean))
      done()
    },
  })
  return { lines, stream }
}
