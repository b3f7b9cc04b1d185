import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { usersApi } from '@bi-manager/contract'
import { describe, expect, inject, test } from 'vitest'
import { signInForm } from '../../browser/sign-in.ts'
import { expectReadable, looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')

describe('the sign-in page', () => {
  test.each(looks)("the sign-in page has the specification's texts, on the $size", async (look) => {
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.goto('/')
    await page.getByRole('heading', { name: 'BI Manager' }).first().waitFor()
    expect(await page.title()).toContain('BI Manager')
    await signInForm(page).username.waitFor()
    await page.getByLabel('Lembrar Usuário').waitFor()
    expect(await page.getByRole('link', { name: 'Recuperar senha' }).getAttribute('href')).toBe(
      '/recovery-password',
    )
    expect(await page.getByRole('link', { name: 'Fazer meu cadastro' }).getAttribute('href')).toBe(
      '/cadastro',
    )
    await expectReadable(page, `sign-in on the ${look.size}`)

    await signInForm(page).submit.click()
    await page.getByText('Usuário é obrigatório').waitFor()
    await page.getByText('Senha obrigatório').waitFor()
    await expectReadable(page, `sign-in with messages on the ${look.size}`)
    await visitor.close()
  })
})

describe('signing in', () => {
  test('the first page is fetched while the form is shown, and runs only once it is sent', async () => {
    const visitor = await visit()
    const { page } = visitor
    const fetched: string[] = []
    page.on('requestfinished', (request) => fetched.push(request.url()))
    await visitor.goto('/')
    const preloaded = page.locator('link[rel="modulepreload"]')
    await page.locator('link[href^="/assets/home-route-"]').first().waitFor({ state: 'attached' })
    const files = await preloaded.evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href))
    await expect.poll(() => files.filter((file) => !fetched.includes(file))).toEqual([])
    const routerRuns = () => page.evaluate(() => '__reactRouterVersion' in window)
    expect(await routerRuns()).toBe(false)
    const before = fetched.length
    await signInForm(page).send(people.ana)
    await page.waitForURL('**/saidibi')
    expect(await routerRuns()).toBe(true)
    const later = fetched.slice(before).filter((file) => files.includes(file))
    expect(later).toEqual([])
    await visitor.close()
  })

  test('the sign-in page shows and hides the password, and says when it is wrong', async () => {
    const visitor = await visit()
    const { page } = visitor
    visitor.expectComplaint(/401 \(Unauthorized\)/)
    await visitor.goto('/')
    const { username, password, submit } = signInForm(page)
    await username.fill('ninguem@demo.local')
    await password.fill('errada')
    expect(await password.getAttribute('type')).toBe('password')
    await press(page, /mostrar senha/i)
    expect(await password.getAttribute('type')).toBe('text')
    await submit.click()
    await page.getByText('Atenção! Usuário ou senha, incorretos, tente novamente.').waitFor()
    await settled(visitor, 'sign-in refused')
    await visitor.close()
  })

  test('the sign-in page shows a different message when the server fails, and the spinner stops', async () => {
    const visitor = await visit()
    const { page } = visitor
    visitor.expectComplaint(/500|Failed to load resource/)
    await page.route('**/api/usuarios/authorizer', (route) => route.fulfill({ status: 500, body: 'oops' }))
    await visitor.goto('/')
    await signInForm(page).send(people.ana)
    await page
      .getByText(
        'Erro! Tente novamente caso este problema persista, entre em contato com o suporte do sistema.',
      )
      .waitFor()
    expect(await signInForm(page).submit.isEnabled()).toBe(true)
    await visitor.close()
  })

  test('the sign-in page works by keyboard only, lands on /saidibi and stores no password in the browser', async () => {
    const visitor = await visit()
    const { page } = visitor
    const { username, password } = signInForm(page)
    await visitor.goto('/')
    await username.fill(people.ana.email)
    await page.getByLabel('Lembrar Usuário').check()
    await password.fill(people.ana.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/saidibi')
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(stored).not.toContain(people.ana.password)
    expect(stored).toContain('access_token')
    expect(await page.context().cookies()).toEqual([])

    // 'Lembrar Usuário' stores only the user name, on this device.
    await visitor.forgetSession()
    await visitor.goto('/')
    expect(await username.inputValue()).toBe(people.ana.email)
    expect(await password.inputValue()).toBe('')
    await visitor.close()
  })

  test('the sign-in page returns to the page first requested, but only within the portal', async () => {
    const visitor = await visit()
    const { page } = visitor
    await visitor.goto('/telemedicina')
    await page.waitForURL((url) => url.pathname === '/')
    await visitor.signIn(people.ana)
    await page.waitForURL('**/telemedicina')
    await page.getByText('Informações do BI').waitFor()
    await visitor.close()

    const stranger = await visit()
    for (const trap of ['//evil.example/x', '/%5Cevil.example', '/\\evil.example']) {
      await stranger.page.goto(portal + trap)
      await signInForm(stranger.page).submit.waitFor()
      await stranger.signIn(people.ana)
      expect(new URL(stranger.page.url()).origin).toBe(portal)
      await stranger.forgetSession()
    }
    await stranger.close()
  })

  test('the sign-in page guesses from elsewhere do not lock the owner out of a known browser', async () => {
    const { call } = await signedInClient(portal, people.admin)
    const owner = {
      name: 'Dona da Conta',
      email: `dona-${Date.now()}@exemplo.com.br`,
      password: 'Uma frase bem comprida 42',
    }
    await call(usersApi.create, {
      body: { nomeUsuario: owner.name, emailUsuario: owner.email, senhaUsuario: owner.password },
    })
    const visitor = await visit()
    await visitor.goto('/')
    await visitor.signIn(owner)
    await visitor.forgetSession()

    const statuses: number[] = []
    for (let attempt = 0; attempt <= 15; attempt += 1) {
      const { status } = await fetch(`${portal}/api/usuarios/authorizer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: owner.email, password: `palpite ${attempt}` }),
      })
      statuses.push(status)
    }
    expect(statuses.at(-1)).toBe(429)
    await visitor.goto('/')
    await visitor.signIn(owner)
    await visitor.close()
  })

  test('the sign-in page redirects an unknown path, a missing and an expired token to the root', async () => {
    const visitor = await visit()
    const { page } = visitor
    visitor.expectComplaint(/401 \(Unauthorized\)/)
    await visitor.goto('/nao/existe')
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByText('O endereço que você abriu não existe.').waitFor()
    await visitor.goto('/usuario')
    await page.waitForURL((url) => url.pathname === '/')
    const payload = Buffer.from(
      JSON.stringify({ sub: '1', exp: Math.floor(Date.now() / 1000) - 1 }),
    ).toString('base64url')
    await page.evaluate((token) => {
      const session = { access_token: token, usuario_id: 1, client_id: 1, tipo: 'ADMIN', nome: 'X' }
      localStorage.setItem('bi-manager.sessao', JSON.stringify(session))
    }, `e30.${payload}.x`)
    await visitor.goto('/saidibi')
    await page.waitForURL((url) => url.pathname === '/')
    await signInForm(page).submit.waitFor()
    await visitor.close()
  })

  test('the sign-in page leads a signed-in person from an unknown path to the home page, which says so', async () => {
    const visitor = await visit()
    await visitor.enter(people.ana, '/nao/existe')
    await visitor.main.getByText('O endereço /nao/existe não existe no portal.').waitFor()
    expect(new URL(visitor.page.url()).pathname).toBe('/saidibi')
    await settled(visitor, 'unknown address')
    await visitor.close()
  })
})

describe('the files of the sign-in page', () => {
  const dist = join(import.meta.dirname, '../../../../web/dist')
  const assets = join(dist, 'assets')
  const scripts = new Map(
    readdirSync(assets)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
  )
  /** Returns static imports only, not `import('./x.js')`. */
  const importsOf = (name: string): string[] =>
    [...(scripts.get(name) ?? '').matchAll(/(?:from|import)["'`]\.\/([^"'`]+\.js)["'`]/g)].map(
      ([, file = '']) => file,
    )
  const page = readFileSync(join(dist, 'index.html'), 'utf8').replace(/<template.*<\/template>/s, '')
  const entrance = new Set([...page.matchAll(/assets\/([^"]+\.(?:js|css))/g)].map(([, file = '']) => file))
  // A Set grows during iteration, so this visits all transitive imports.
  for (const name of entrance) for (const imported of importsOf(name)) entrance.add(imported)

  test('the files of the sign-in page have at most 110 KB of JS and CSS with gzip', () => {
    expect([...entrance]).toContainEqual(expect.stringMatching(/\.css$/))
    expect([...entrance]).toContainEqual(expect.stringMatching(/\.js$/))
    const sizes = [...entrance].map((name) => gzipSync(readFileSync(join(assets, name)), { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110_000)
  })

  test('the files of the sign-in page do not include powerbi-client, which is a separate file', () => {
    const [client = '', ...more] = [...scripts.keys()].filter((name) =>
      scripts.get(name)?.includes('WindowPostMessageProxy'),
    )
    expect(more).toEqual([])
    expect(client).not.toBe('')
    expect([...entrance]).not.toContain(client)

    // The module that imports it statically is itself loaded dynamically.
    const owners = [...scripts.keys()].filter((name) => importsOf(name).includes(client))
    expect(owners).toEqual([expect.stringMatching(/^report-frame-/)])
    expect([...scripts.keys()].flatMap(importsOf)).not.toContain(owners[0])
  })
})
