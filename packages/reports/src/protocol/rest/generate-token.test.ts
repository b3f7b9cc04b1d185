import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CLAIMS,
  GROUP,
  OTHER_GROUP,
  openRoles,
  PLAIN,
  PLAIN_REPORT,
  REPORT,
  type Service,
  serviceWith,
  startService,
  UNKNOWN,
} from '../../../test/fixture.ts'

let service: Service
let token: string
const START = Date.parse('2026-03-01T12:00:00Z')

beforeAll(async () => {
  service = await startService({ env: { REPORTS_URL: 'https://bi.example.org' } })
  await service.loaded
})
beforeEach(async () => {
  service.clock.now = START
  token = await service.entraToken()
})
afterAll(() => service.stop())

const post = (path: string, body: object = {}) => service.rest(token, 'POST', path, body)
const code = (answer: { json(): { error: { code: string } } }) => answer.json().error.code

const V1 = `/groups/${GROUP}/reports/${REPORT}/GenerateToken`
const PLAIN_V1 = `/groups/${OTHER_GROUP}/reports/${PLAIN_REPORT}/GenerateToken`
const ana = { username: 'ana@x.br', roles: ['cnu'], datasets: [CLAIMS] }

describe('GenerateToken', () => {
  const minutes = (answer: { json(): { expiration: string } }) =>
    (Date.parse(answer.json().expiration) - service.clock.now) / 60_000

  test('GenerateToken issues a token that expires with the Entra token at the latest', async () => {
    const answer = await post(PLAIN_V1, { accessLevel: 'View' })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json().expiration).toBe('2026-03-01T12:59:59.000Z')
    service.clock.now += 3000_000
    expect(minutes(await post(PLAIN_V1))).toBeCloseTo(599 / 60)
  })

  test.each([
    [5, 5],
    [0, 3599 / 60],
    [null, 3599 / 60],
    [600, 3599 / 60],
  ])('lifetimeInMinutes %s only shortens the lifetime', async (lifetimeInMinutes, expected) => {
    // Microsoft's documentation allows null, its schema does not.
    const body = lifetimeInMinutes === null ? {} : { lifetimeInMinutes }
    expect(minutes(await post(PLAIN_V1, body))).toBeCloseTo(expected)
    expect(minutes(await post('/GenerateToken', { ...body, reports: [{ id: PLAIN_REPORT }] }))).toBeCloseTo(
      expected,
    )
  })

  test('GenerateToken issues a token for several items (v2)', async () => {
    const answer = await post('/GenerateToken', {
      reports: [{ id: REPORT, allowEdit: false }, { id: PLAIN_REPORT.toUpperCase() }],
      datasets: [{ id: CLAIMS, xmlaPermissions: 'Off' }],
      targetWorkspaces: [{ id: GROUP }],
      identities: [{ ...ana, customData: 'CNU' }],
      lifetimeInMinutes: 10,
    })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(minutes(answer)).toBe(10)
  })

  test('GenerateToken issues a token without readable personal data', async () => {
    const { token: embedToken } = (await post(V1, { identities: [ana] })).json()
    const [, payload = ''] = embedToken.split('.')
    const text = Buffer.from(payload, 'base64url').toString()
    expect(text).toContain(REPORT)
    expect(text).not.toMatch(/ana@x|"cnu"/)
  })

  test.each<[string, string, object, number, string]>([
    ['Edit', PLAIN_V1, { accessLevel: 'Edit' }, 400, 'InvalidRequest'],
    ['Create', PLAIN_V1, { accessLevel: 'Create' }, 400, 'InvalidRequest'],
    ['saving', PLAIN_V1, { allowSaveAs: true }, 400, 'InvalidRequest'],
    ['a negative lifetime', PLAIN_V1, { lifetimeInMinutes: -1 }, 400, 'InvalidRequest'],
    [
      'an unknown report',
      `/groups/${GROUP}/reports/${UNKNOWN}/GenerateToken`,
      {},
      404,
      'PowerBIEntityNotFound',
    ],
    [
      'a report of another group',
      `/groups/${OTHER_GROUP}/reports/${REPORT}/GenerateToken`,
      {},
      404,
      'PowerBIEntityNotFound',
    ],
    ['v2 without items', '/GenerateToken', {}, 400, 'InvalidRequest'],
    [
      'v2 with an unknown report',
      '/GenerateToken',
      { reports: [{ id: UNKNOWN }] },
      404,
      'PowerBIEntityNotFound',
    ],
    [
      'v2 with an unknown dataset',
      '/GenerateToken',
      { datasets: [{ id: UNKNOWN }] },
      404,
      'PowerBIEntityNotFound',
    ],
    [
      'v2 with an unknown workspace',
      '/GenerateToken',
      { reports: [{ id: PLAIN_REPORT }], targetWorkspaces: [{ id: UNKNOWN }] },
      404,
      'PowerBIEntityNotFound',
    ],
    [
      'v2 for editing',
      '/GenerateToken',
      { reports: [{ id: PLAIN_REPORT, allowEdit: true }] },
      400,
      'InvalidRequest',
    ],
    [
      'v2 with 51 reports',
      '/GenerateToken',
      { reports: Array(51).fill({ id: PLAIN_REPORT }) },
      400,
      'InvalidRequest',
    ],
    [
      'v2 with 51 datasets',
      '/GenerateToken',
      { datasets: Array(51).fill({ id: PLAIN }) },
      400,
      'InvalidRequest',
    ],
    [
      'v2 with 51 workspaces',
      '/GenerateToken',
      { reports: [{ id: PLAIN_REPORT }], targetWorkspaces: Array(51).fill({ id: GROUP }) },
      400,
      'InvalidRequest',
    ],
  ])('GenerateToken refuses %s', async (_name, path, body, status, expected) => {
    const answer = await post(path, body)
    expect([answer.statusCode, code(answer)]).toEqual([status, expected])
  })

  test('GenerateToken refuses a token without identity for a dataset with roles that does not set requiresIdentity', async () => {
    const silent = await serviceWith({ files: openRoles({}) })
    const entra = await silent.entraToken()
    for (const [path, body] of [
      [V1, {}],
      ['/GenerateToken', { reports: [{ id: REPORT }] }],
    ] as const) {
      const answer = await silent.rest(entra, 'POST', path, body)
      expect([answer.statusCode, answer.body]).toEqual([
        400,
        expect.stringContaining('requires effective identity'),
      ])
    }
    const dataset = await silent.rest(entra, 'GET', `/groups/${GROUP}/datasets/${CLAIMS}`)
    expect(dataset.json()).toMatchObject({ isEffectiveIdentityRequired: true })
    expect((await silent.loaded).warnings).toEqual([])
  })

  test('GenerateToken issues a token without identity if the author allows it, with a warning', async () => {
    const open = await serviceWith({ files: openRoles({ requiresIdentity: false }) })
    const answer = await open.rest(await open.entraToken(), 'POST', V1, {})
    expect(answer.statusCode).toBe(200)
    expect(await open.ids(answer.json().token)).toEqual([1, 2, 3, 4, 5])
    expect((await open.loaded).warnings).toEqual([
      expect.stringMatching(/^datasets\/claims\/dataset\.json: requiresIdentity: com false, .*linha 1/),
    ])
  })

  test.each<[string, object[], RegExp]>([
    ['a missing identity that is required', [], /requires effective identity/],
    ['an identity for no dataset', [{ ...ana, datasets: [] }], /at least one dataset/],
    ['an identity without roles', [{ ...ana, roles: [] }], /requires roles/],
    ['an unknown role', [{ ...ana, roles: ['cnu', 'chefe'] }], /no role 'chefe'/],
    ['an unknown dataset', [{ ...ana, datasets: [CLAIMS, UNKNOWN] }], /does not open/],
    ['two identities for one dataset', [ana, { ...ana, roles: ['todos'] }], /more than one/],
    ['an identity without user name', [{ roles: ['cnu'], datasets: [CLAIMS] }], /username/],
    ['too many roles', [{ ...ana, roles: Array(51).fill('cnu') }], /roles/],
    ['a user name that is too long', [{ ...ana, username: 'a'.repeat(257) }], /username/],
  ])('GenerateToken refuses %s', async (_name, identities, message) => {
    for (const [path, more] of [
      [V1, {}],
      ['/GenerateToken', { reports: [{ id: REPORT }] }],
    ] as const) {
      const answer = await post(path, { ...more, identities })
      expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
      expect(answer.json().error.message).toMatch(message)
    }
  })

  test('GenerateToken refuses an identity for a dataset without roles', async () => {
    const answer = await post(PLAIN_V1, { identities: [{ ...ana, datasets: [PLAIN] }] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.message).toMatch(/shouldn't have effective identity/)
  })

  test('GenerateToken checks the caller before the body', async () => {
    const headers = { 'content-type': 'application/json' }
    const url = `/v1.0/myorg${V1}`
    expect((await service.app.inject({ method: 'POST', url, headers, payload: '{' })).statusCode).toBe(401)
    const authorized = { ...headers, authorization: `Bearer ${token}` }
    const answer = await service.app.inject({ method: 'POST', url, headers: authorized, payload: '{' })
    expect([answer.statusCode, code(answer)]).toEqual([400, 'InvalidRequest'])
  })

  test("GenerateToken accepts the report's own dataset (v1) and read-only XMLA (v2)", async () => {
    expect((await post(PLAIN_V1, { datasetId: PLAIN.toUpperCase(), accessLevel: 'View' })).statusCode).toBe(
      200,
    )
    const foreign = await post(PLAIN_V1, { datasetId: CLAIMS })
    expect([foreign.statusCode, foreign.json().error.message]).toEqual([
      400,
      expect.stringContaining('own dataset'),
    ])
    const both = await post('/GenerateToken', {
      reports: [{ id: PLAIN_REPORT }],
      datasets: [
        { id: PLAIN, xmlaPermissions: 'ReadOnly' },
        { id: CLAIMS, xmlaPermissions: 'ReadOnly' },
      ],
      identities: [ana],
    })
    expect(both.statusCode, both.body).toBe(200)
    // The dataset alone opens none of its reports.
    expect((await service.data(both.json().token)).statusCode).toBe(403)
    const open = { reports: [{ id: PLAIN_REPORT }], datasets: [{ id: CLAIMS, xmlaPermissions: 'ReadOnly' }] }
    expect((await post('/GenerateToken', open)).statusCode).toBe(400)
  })

  test('GenerateToken names a report once in the token, however often it is listed', async () => {
    const reports = [{ id: PLAIN_REPORT }, { id: PLAIN_REPORT.toUpperCase() }]
    const { token: embedToken } = (await post('/GenerateToken', { reports })).json()
    const payload = Buffer.from(embedToken.split('.')[1] ?? '', 'base64url').toString()
    expect(JSON.parse(payload).reports).toEqual([PLAIN_REPORT])
  })
})
