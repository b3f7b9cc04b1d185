import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answeredRequests } from '@bi-manager/telemetry/events'
import { requestLog } from '@bi-manager/telemetry/request-log'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { plainBrand } from '../../brand/brand.ts'
import { errorHandler } from '../errors/error-handler.ts'
import { addBuildHeader } from './page-build.ts'
import { portalPages } from './portal-pages.ts'

const serveFiles = async (brand = plainBrand) => {
  const root = await mkdtemp(join(tmpdir(), 'bi-manager-static-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '<html lang="pt-BR"></html>')
  await writeFile(join(root, 'sw.js'), 'x')
  for (const file of ['sem-conexao.html', 'manifest.webmanifest'])
    await copyFile(new URL(`../../../../../web/public/${file}`, import.meta.url), join(root, file))
  await writeFile(join(root, 'favicon.svg'), '<svg/>')
  await writeFile(join(root, 'assets', 'app-1.js'), 'x')
  const server = Fastify()
  await server.register(requestLog)
  await server.register(errorHandler)
  server.get('/api/x', { config: { permission: 'public' } }, async () => 'x')
  await addBuildHeader(server, root)
  await server.register(portalPages, { root, readBrand: async () => brand, frameOrigins: [] })
  onTestFinished(async () => {
    await server.close()
    await rm(root, { recursive: true })
  })
  return server
}

test('static files are one route in metrics, whatever their names', async () => {
  const server = await serveFiles()
  const routes: (string | null)[] = []
  onTestFinished(answeredRequests.subscribe(({ route }) => routes.push(route)))
  for (const path of ['/assets/app-1.js', '/favicon.svg', '/usuario']) await server.inject(path)
  expect(routes).toEqual(['/assets/*', '/assets/*', '/*'])
})

test.each([
  ['if-match', '"x"'],
  ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['range', 'bytes=99999-'],
])('the portal answers 400 to a static file under %s that it cannot meet', async (name, value) => {
  const server = await serveFiles()
  const { statusCode } = await server.inject({ url: '/assets/app-1.js', headers: { [name]: value } })
  expect(statusCode).toBe(400)
})

test('an answer of the API and the page name the same build', async () => {
  const server = await serveFiles()
  const { headers } = await server.inject('/api/x')
  expect(headers['x-portal-build']).toMatch(/^\d{13}-[0-9a-f]{12}$/)
  const { body } = await server.inject('/usuario')
  expect(body).toContain(`<html data-build="${headers['x-portal-build']}" lang="pt-BR">`)
})

test('the service worker is asked for again, and may only send requests to its own origin', async () => {
  const { headers } = await (await serveFiles()).inject('/sw.js')
  expect(headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  })
})

test('the page without a network has the name and colour of the company, and needs no other file', async () => {
  const server = await serveFiles({ ...plainBrand, nome: 'Vida & <Cia>', cor: '#7a1f5c' })
  const { statusCode, headers, body } = await server.inject('/sem-conexao.html')
  expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(headers['content-security-policy']).toMatch(/default-src 'none'.*worker-src 'self'/)
  expect(body).toContain('<title>Sem conexão · Vida &amp; &lt;Cia&gt;</title>')
  expect(body).toContain('background: #7a1f5c')
  expect(body).not.toMatch(/__|\s(src|href)=|<Cia>/)
  const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1]
  expect(body.match(/<(style|script) nonce="[^"]*">/g)).toEqual([
    `<style nonce="${nonce}">`,
    `<script nonce="${nonce}">`,
  ])
  const usual = await (await serveFiles()).inject('/sem-conexao.html')
  expect(usual.body).toContain('<title>Sem conexão · BI Manager</title>')
})

test('the web manifest has the name of the company', async () => {
  const server = await serveFiles({ ...plainBrand, nome: 'Vida & Cia' })
  const { statusCode, headers, body } = await server.inject('/manifest.webmanifest')
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/manifest+json; charset=utf-8'])
  expect(headers['cache-control']).toBe('no-cache')
  expect(JSON.parse(body)).toMatchObject({ name: 'Vida & Cia', theme_color: '#0b5c58' })
})
