import sharp from 'sharp'
import { expect, test } from 'vitest'
import { exportSuite } from '../../../test/stand-ins/report-exports.ts'
import { createUser } from '../../../test/users.ts'

const { suite, start } = exportSuite()

const choose = async (look: object) => {
  const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
  expect((await admin.put('/configuracao/aparencia', look)).status).toBe(200)
}

const orders = () =>
  suite.provider.seen
    .filter(({ path }) => path.endsWith('/ExportTo'))
    .map(({ body }) => JSON.parse(body) as object)

const plain = { format: 'PDF', powerBIReportConfiguration: { settings: { locale: 'pt-BR' } } }

test("an export sends the company's name, colour and logo to the local service and not to Microsoft", async () => {
  const upload = await sharp({ create: { width: 960, height: 240, channels: 4, background: '#7a1f5c80' } })
    .png()
    .toBuffer()
  await choose({ nome: 'Rede Horizonte', cor: '#7a1f5c', imagem: upload.toString('base64') })
  const [local, microsoft] = [await start({}, {}, 'local'), await start()]
  await local.begun()
  await microsoft.begun()
  const brand = { name: 'Rede Horizonte', color: '#7a1f5c', logo: expect.any(String) }
  expect(orders()).toEqual([{ ...plain, '@biManager.brand': brand }, plain])
  const [sent] = orders() as [{ '@biManager.brand': { logo: string } }]
  const logo = Buffer.from(sent['@biManager.brand'].logo, 'base64')
  expect(await sharp(logo).metadata()).toMatchObject({ format: 'png', width: 480, height: 120 })
})

test('an export sends only what is set, as it is at each export', async () => {
  const { begun } = await start({}, {}, 'local')
  await begun()
  await choose({ nome: null, cor: '#0b5c58' })
  await begun()
  const brand = { name: null, color: '#0b5c58', logo: null }
  expect(orders()).toEqual([plain, { ...plain, '@biManager.brand': brand }])
})
