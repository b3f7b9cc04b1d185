import { beforeAll, describe, expect, test } from 'vitest'
import { mailsOf } from '../../../../test/mails.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* The classes of mistakes of bug-classes.test.ts that concern addresses. */

const publicUrl = 'https://bi.exemplo.com.br'
let stranger: Awaited<ReturnType<typeof createUser>>
let own: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_URL: publicUrl }, { resets: false })
beforeAll(async () => {
  stranger = await createUser(app)
  own = await app.as(await createUser(app))
})

describe('open redirect (Directus CVE-2026-22032)', () => {
  test.each([
    '//atacante.exemplo',
    '/\\atacante.exemplo',
    '/%2f%2fatacante.exemplo',
    '/%5catacante.exemplo',
    '//atacante.exemplo/..',
    '/api//atacante.exemplo',
    '/api/docs//atacante.exemplo/..',
    '/assets//atacante.exemplo/',
    '/?destino=https://atacante.exemplo',
    '/entrar/oidc?returnTo=//atacante.exemplo',
  ])('%s redirects to no other site', async (url) => {
    const { status, headers } = await app.anonymous.get(`!${url}`)
    if (status >= 300 && status < 400) expect(String(headers.location)).toMatch(/^(\.\/|\/(?![/\\]))/)
    expect(String(headers.location ?? '')).not.toContain('atacante')
  })

  test('links in e-mails use the configured address, whatever host headers the request has', async () => {
    const before = (await mailsOf(app)).length
    await app.anonymous.post(
      '/login/recuperar-senha',
      { email: stranger.emailUsuario },
      {
        host: 'atacante.exemplo',
        'x-forwarded-host': 'atacante.exemplo',
        origin: 'https://atacante.exemplo',
      },
    )
    await expect.poll(async () => (await mailsOf(app)).length).toBeGreaterThan(before)
    const mails = JSON.stringify((await mailsOf(app)).slice(before))
    expect(mails).toContain(`${publicUrl}/recovery-password?token=`)
    expect(mails).not.toContain('atacante')
  })
})

// path-variants.test.ts tries all spellings and roles; these are the likeliest attempts.
describe('other spellings of an address', () => {
  test.each([
    '//api/usuarios',
    '/api//usuarios',
    '/API/usuarios',
    '/Api/Usuarios',
    '/api/usuarios/',
    '/api/usuarios?',
    '/api/./usuarios',
    '/api/portal/../usuarios',
    '/api/usuarios%20',
    '/api/usuarios%00',
    '/api/usuarios.json',
    '/api/usuarios;a=b',
    '/%61pi/usuarios',
    '/api/%75suarios',
  ])('%s shows a USER nothing of the list of users', async (url) => {
    const { status, body } = await own.get(`!${url}`)
    expect([400, 403, 404]).toContain(status)
    expect(JSON.stringify(body)).not.toContain(stranger.emailUsuario)
  })
})
