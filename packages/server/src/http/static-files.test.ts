import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answeredRequests } from '@bi-manager/telemetry/events'
import { requestLog } from '@bi-manager/telemetry/request-log'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { plainBrand } from '../brand/brand.ts'
import { errorHandler } from './error-handler.ts'
import { portalPages } from './portal-pages.ts'

const serveFiles = async () => {
  const root = await mkdtemp(join(tmpdir(), 'bi-manager-static-'))
  await mkdir(join(root, 'assets'))
  await writeFile(join(root, 'index.html'), '')
  await writeFile(join(root, 'favicon.svg'), '<svg/>')
  await writeFile(join(root, 'assets', 'app-1.js'), 'x')
  const server = Fastify()
  await server.register(requestLog)
  await server.register(errorHandler)
  await server.register(portalPages, { root, readBrand: async () => plainBrand, frameOrigins: [] })
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
])('answers 400 to a static file under %s that it cannot meet', async (name, value) => {
  const server = await serveFiles()
  const { statusCode } = await server.inject({ url: '/assets/app-1.js', headers: { [name]: value } })
  expect(statusCode).toBe(400)
})
