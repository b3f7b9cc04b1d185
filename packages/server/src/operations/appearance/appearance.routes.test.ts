import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp({ COMPANY_NAME: 'Operadora S/A' })
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Marina Alves' }))
})

const path = '/configuracao/aparencia'
const look = { nome: 'Rede Horizonte', cor: '#7a1f5c' }

const picture = (width = 960, height = 240) =>
  sharp({ create: { width, height, channels: 4, background: '#7a1f5c80' } })
const base64 = async (image: Promise<Buffer>) => (await image).toString('base64')

const trail = () =>
  app.db
    .selectFrom('auditoria')
    .select(['objeto', 'detalhes'])
    .where('acao', '=', 'appearance.updated')
    .orderBy('idAuditoria')
    .execute()

describe('PUT /configuracao/aparencia', () => {
  test('PUT /configuracao/aparencia saves name and colour by version, and audits what has changed', async () => {
    expect((await admin.get(path)).body).toEqual({ nome: null, cor: null, logo: null, versao: 1 })
    const saved = await admin.put(path, look, { 'if-match': '"1"' })
    expect([saved.status, saved.body, saved.headers.etag]).toEqual([
      200,
      { ...look, logo: null, versao: 2 },
      '"2"',
    ])
    const reset = await admin.put(path, { nome: '', cor: null })
    expect(reset.body).toEqual({ nome: null, cor: null, logo: null, versao: 3 })
    const changes = { antes: { nome: null, cor: null }, depois: look }
    expect(await trail()).toEqual([
      { objeto: 'configuracao:aparencia', detalhes: { versao: 2, ...changes } },
      {
        objeto: 'configuracao:aparencia',
        detalhes: { versao: 3, antes: changes.depois, depois: changes.antes },
      },
    ])
  })

  test('PUT /configuracao/aparencia answers 412 with the other change when the version is older', async () => {
    await admin.put(path, look)
    const late = await admin.put(path, { nome: 'Outra', cor: null }, { 'if-match': '"1"' })
    expect([late.status, late.body.codigo]).toEqual([412, 'versao_antiga'])
    expect(late.body.detail).toMatch(/^Marina Alves alterou /)
    expect((await admin.get(path)).body).toMatchObject(look)
  })

  test('PUT /configuracao/aparencia refuses a colour without enough contrast, with its ratio and the nearest that passes', async () => {
    const { status, body } = await admin.put(path, { ...look, cor: '#ffcc00' })
    expect([status, body.codigo]).toEqual([422, 'campos_invalidos'])
    expect(body.campos).toEqual({
      cor: expect.stringMatching(/contraste de 1,5:1; o mínimo é 4,5:1\. .* que passa é #[0-9a-f]{6}\.$/),
    })
    expect((await admin.get(path)).body.versao).toBe(1)
  })

  test.each([
    ['x'.repeat(41), 'Use no máximo 40 caracteres.'],
    ['Rede\nHorizonte', 'Retire quebras de linha e caracteres de controle.'],
    ['Rede \u202eetnoziroH', 'Retire os caracteres invisíveis.'],
    ['\u3164\u115f', 'Retire os caracteres invisíveis.'],
    ['\u2800', 'Retire os caracteres invisíveis.'],
    ['Rede\ufe0f', 'Retire os caracteres invisíveis.'],
  ])('PUT /configuracao/aparencia refuses the name %j', async (nome, sentence) => {
    const { status, body } = await admin.put(path, { ...look, nome })
    expect([status, body.campos]).toEqual([422, { nome: sentence }])
  })

  test('PUT /configuracao/aparencia is for ADMINs only', async () => {
    const person = await app.as(await createUser(app))
    expect((await person.get(path)).status).toBe(403)
    expect((await person.put(path, look)).status).toBe(403)
    expect((await app.anonymous.put(path, look)).status).toBe(401)
  })
})

describe('the logo', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'the logo is drawn again from %s as PNG, without metadata',
    async (format) => {
      const upload = picture()
        .withExif({ IFD0: { Copyright: 'Fulano' } })
        [format]()
        .toBuffer()
      const { status, body } = await admin.put(path, { ...look, imagem: await base64(upload) })
      expect([status, body.logo]).toEqual([200, expect.stringMatching(/^[0-9a-f]{16}$/)])
      const { bytes, ...logo } = await app.anonymous.download(`/portal/logo/${body.logo}`)
      expect(logo.status).toBe(200)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 480, height: 120 })
      expect(bytes.includes('Fulano')).toBe(false)
    },
  )

  test('the logo may be cached for ever, because its address has its content hash', async () => {
    const { body } = await admin.put(path, { ...look, imagem: await base64(picture().png().toBuffer()) })
    const { headers } = await app.anonymous.get(`/portal/logo/${body.logo}`)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const other = picture().negate({ alpha: false }).png().toBuffer()
    const changed = await admin.put(path, { ...look, imagem: await base64(other) })
    expect(changed.body.logo).not.toBe(body.logo)
    const old = await app.anonymous.get(`/portal/logo/${body.logo}`)
    expect([old.status, old.headers['cache-control']]).toEqual([404, 'no-store'])
  })

  test('the logo stays when a save does not name it, and goes with null', async () => {
    const { body } = await admin.put(path, { ...look, imagem: await base64(picture().png().toBuffer()) })
    expect((await admin.put(path, { nome: 'Outra', cor: null })).body.logo).toBe(body.logo)
    expect((await admin.put(path, { ...look, imagem: null })).body.logo).toBe(null)
    expect((await app.anonymous.get(`/portal/logo/${body.logo}`)).status).toBe(404)
    expect((await trail()).at(-1)?.detalhes).toMatchObject({
      antes: { logo: body.logo },
      depois: { logo: null },
    })
  })

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Envie uma imagem PNG, JPEG ou WebP.'],
    ['an address', Buffer.from('http://169.254.169.254/'), 'Envie uma imagem PNG, JPEG ou WebP.'],
    ['nothing', Buffer.alloc(0), 'O arquivo está vazio.'],
  ])('the logo refuses %s', async (_, bytes, sentence) => {
    const { status, body } = await admin.put(path, { ...look, imagem: bytes.toString('base64') })
    expect([status, body.campos]).toEqual([422, { imagem: sentence }])
    expect((await admin.get(path)).body).toEqual({ nome: null, cor: null, logo: null, versao: 1 })
  })

  test.each(['..%2f..%2fetc', '0123456789ABCDEF', 'x', '0123456789abcdef'])(
    'the logo answers 404 for %s, whatever that is',
    async (marca) => {
      expect((await app.anonymous.get(`/portal/logo/${marca}`)).status).toBe(404)
    },
  )

  test('the logo counts against the limit of the address', async () => {
    const { body } = await admin.put(path, { ...look, imagem: await base64(picture().png().toBuffer()) })
    const { config } = app.services
    const limited = await app.anotherServer({ config: { ...config, callsPerMinute: 2 } })
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1)
      statuses.push((await limited.inject(`/api/portal/logo/${body.logo}`)).statusCode)
    await limited.close()
    expect(statuses).toEqual([200, 200, 429])
  })
})

test('the name replaces COMPANY_NAME in the privacy notice, in e-mails and among refused passwords', async () => {
  const person = { nomeUsuario: 'Bia Reis', emailUsuario: 'bia@clinica.com.br', tipoUsuario: 'USER' }
  const create = async (senhaUsuario: string) =>
    (await admin.post('/usuarios', { ...person, senhaUsuario })).body.campos?.senhaUsuario
  const shownName = async () => (await app.anonymous.get('/portal')).body.nomeEmpresa
  await expect.poll(shownName).toBe('Operadora S/A')
  await admin.put(path, look)
  await expect.poll(shownName).toBe('Rede Horizonte')
  expect(await create('horizonte2026')).toMatch(/não pode ser o nome/)
  await admin.post('/sistema/teste-email')
  const { outbox } = app.services.config.mail
  const [file = ''] = await readdir(outbox)
  const mail = (await readFile(join(outbox, file), 'utf8')).replaceAll('=\r\n', '')
  expect(mail).toContain('Rede Horizonte</td>')
})
