import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Service, startService, UNKNOWN } from '../../test/fixture.ts'

/*
 * Each route of the service, with what a caller needs. A route that is missing here fails the first
 * test; the others call every route without it.
 */

const places = ['', '/groups/:groupId']
const inPlaces = (...paths: string[]) => places.flatMap((place) => paths.map((path) => `${place}${path}`))

const NEEDS = {
  /** An Entra token of a known application. */
  entra: [
    '/groups',
    '/groups/:groupId',
    '/capacities',
    '/generatetoken',
    '/drafts',
    '/drafts/:id/read',
    '/drafts/:id/check',
    '/drafts/:id/publish',
    '/drafts/:id/preview',
    '/drafts/:id/discard',
    '/drafts/folders/:id/preview',
    ...['', '/:id/files', '/:id/check', '/:id/publish'].map((path) => `/drafts/folders${path}`),
    '/publications',
    ...['/data', '/data/check', '/tables', '/versions', '/versions/:number/restore'].map(
      (path) => `/publications/:id${path}`,
    ),
    ...inPlaces(
      '/reports',
      '/reports/:reportId',
      '/reports/:reportId/pages',
      '/reports/:reportId/beneficiaries',
      '/reports/:reportId/generatetoken',
      '/reports/:reportId/exportformats',
      '/reports/:reportId/exportto',
      '/reports/:reportId/exports/:exportId',
      '/reports/:reportId/exports/:exportId/file',
      '/datasets',
      '/datasets/:datasetId',
      '/datasets/:datasetId/refreshes',
      '/datasets/:datasetId/refreshschedule',
    ),
  ].map((path) => `/v1.0/myorg${path}`),
  /** A token for the archive, which the portal's application gets. */
  archive: ['/v1.0/myorg/archive'],
  /** An embed token for the report. */
  embed: ['', '/data', '/empty', '/values'].map((path) => `/embed-api/reports/:id${path}`),
  /** Nothing, or credentials in the form: counted by address. */
  counted: [
    ...['report', 'dashboard', 'tile', '', 'qna', 'rdl'].map((what) => `/${what}embed`),
    '/quickcreate',
    '/common/discovery/instance',
    '/common/userrealm/:user',
    ...['', '/v2.0'].map((part) => `/:tenant${part}/.well-known/openid-configuration`),
    ...['', '/v2.0'].map((part) => `/:tenant/discovery${part}/keys`),
    ...['', '/v2.0'].map((part) => `/:tenant/oauth2${part}/token`),
  ],
  /** Nothing: the files of the embed page, and whether the service is up. */
  open: ['/embed*', '/healthz', '/readyz'],
}

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.loaded
})
afterAll(() => service.stop())

type Route = { path: string; methods: ('GET' | 'POST')[] }

/** Reads the routes from Fastify's drawing of them, in which each level is indented by four. */
const routesOf = ({ app }: Service): Route[] => {
  const parents: string[] = []
  const drawn = app.printRoutes({ commonPrefix: false }).trimEnd().split('\n')
  return drawn.map((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│\s]*)[├└]── (\S+) \((.+)\)$/.exec(line) ?? []
    const depth = indent.length / 4
    parents.splice(depth, parents.length, part)
    const known = methods.split(', ').filter((method) => method === 'GET' || method === 'POST')
    return { path: parents.join(''), methods: known }
  })
}

const addressOf = (path: string) =>
  path.replace(':tenant', 'organizations').replace(/:\w+/g, UNKNOWN).replace('*', '-assets/x')

test('each route is listed', () => {
  const listed = Object.values(NEEDS).flat().sort()
  expect(
    routesOf(service)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(listed)
})

/** Spellings that the router accepts as the same address. */
const spellings: [string, (address: string) => string][] = [
  ['as documented', (address) => address],
  ['in capitals', (address) => address.toUpperCase()],
  ['with a slash at the end', (address) => `${address}/`],
  ['with encoded letters', (address) => address.replace('r', '%72').replace('E', '%45')],
]

describe.each(spellings)('addresses %s', (_name, spell) => {
  const answersTo = async (paths: string[], authorization?: string) => {
    const routes = routesOf(service).filter(({ path }) => paths.includes(path))
    const calls = routes.flatMap(({ path, methods }) => methods.map((method) => ({ method, path })))
    expect(calls.length).toBeGreaterThanOrEqual(paths.length)
    return Promise.all(
      calls.map(async ({ method, path }) => {
        const url = spell(addressOf(path))
        const headers = authorization ? { authorization } : {}
        const { statusCode } = await service.app.inject({ method, url, headers })
        return { call: `${method} ${url}`, statusCode }
      }),
    )
  }
  const refused = (answers: { call: string; statusCode: number }[], status: number) =>
    expect(answers.filter(({ statusCode }) => statusCode !== status)).toEqual([])

  test('REST calls need an Entra token', async () => {
    refused(await answersTo(NEEDS.entra), 401)
    refused(await answersTo(NEEDS.entra, `Bearer ${await service.embedToken(['todos'])}`), 403)
  })

  test('the archive needs a token of its own', async () => {
    refused(await answersTo(NEEDS.archive), 401)
    refused(await answersTo(NEEDS.archive, `Bearer ${await service.entraToken()}`), 403)
    refused(await answersTo(NEEDS.archive, `Bearer ${await service.embedToken(['todos'])}`), 403)
  })

  test('calls of the embed page need an embed token', async () => {
    refused(await answersTo(NEEDS.embed), 403)
    refused(await answersTo(NEEDS.embed, `EmbedToken ${await service.entraToken()}`), 403)
  })
})

test('the limit counts the calls of the routes that need no token', async () => {
  const limited = await startService({ env: { REPORTS_RATE_LIMIT_PER_MINUTE: '1' } })
  try {
    const calls = routesOf(limited).filter(({ path }) => NEEDS.counted.includes(path))
    const answers = await Promise.all(
      calls.flatMap(({ path, methods }, index) =>
        methods.map(async (method) => {
          const call = { method, url: addressOf(path), remoteAddress: `10.0.0.${index}` }
          await limited.app.inject(call)
          return [path, (await limited.app.inject(call)).statusCode]
        }),
      ),
    )
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(NEEDS.counted.map((path) => [path, 429])))
  } finally {
    await limited.stop()
  }
})
