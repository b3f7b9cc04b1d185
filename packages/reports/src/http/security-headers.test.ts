import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { REPORT, serviceWith } from '../../test/fixture.ts'

const POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const HSTS = 'max-age=31536000'

const served = async (REPORTS_URL: string) => {
  const embedDir = await mkdtemp(join(tmpdir(), 'embed-'))
  onTestFinished(() => rm(embedDir, { recursive: true }))
  await mkdir(join(embedDir, 'assets'))
  await writeFile(join(embedDir, 'index.html'), '<html></html>')
  await writeFile(join(embedDir, 'assets', 'main-1.js'), '1')
  return serviceWith({ env: { REPORTS_URL }, options: { embedDir } })
}

test('every answer has the security headers, with HSTS on https', async () => {
  const service = await served('https://bi.example.org')
  const { app, rest, oauth, clientForm } = service
  const token = await service.embedToken(['todos'])
  const answers = {
    rest: await rest(await service.entraToken(), 'GET', '/groups'),
    refused: await rest(undefined, 'GET', '/groups'),
    oauth: await oauth(clientForm),
    guess: await oauth({ ...clientForm, client_secret: 'x' }),
    data: await service.data(token),
    invalid: await service.embed(token, 'POST', `/reports/${REPORT}/data`, {}),
    unknown: await app.inject('/nada'),
    malformed: await app.inject('/%ff'),
    broken: await app.inject({
      method: 'POST',
      url: '/v1.0/myorg/GenerateToken',
      headers: { 'content-type': 'application/json' },
      payload: '{',
    }),
    health: await app.inject('/healthz'),
    asset: await app.inject('/embed-assets/main-1.js'),
    missing: await app.inject('/embed-assets/nada.js'),
  }
  for (const [name, { headers }] of Object.entries(answers)) {
    expect(headers, name).toMatchObject({
      'content-security-policy': POLICY,
      'strict-transport-security': HSTS,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  }
  const page = await app.inject('/reportEmbed')
  expect(page.headers).toMatchObject({
    'strict-transport-security': HSTS,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin',
  })
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
})

test('the answer to bytes that are not HTTP has the security headers', async () => {
  const { app } = await served('https://bi.example.org')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('ISTO NAO E HTTP\r\n\r\n')
  const said = await text(socket)
  expect(said).toContain(`content-security-policy: ${POLICY}\r\n`)
  expect(said).toContain(`strict-transport-security: ${HSTS}\r\n`)
})

test('securityHeaders answers on http have no HSTS', async () => {
  const { app } = await served('http://localhost:3001')
  const { headers } = await app.inject('/nada')
  expect(headers['content-security-policy']).toBe(POLICY)
  expect(headers['strict-transport-security']).toBeUndefined()
})
