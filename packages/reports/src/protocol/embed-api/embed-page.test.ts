import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serviceWith, writeFiles } from '../../../test/fixture.ts'

const built = async (files: Record<string, string>) => {
  const embedDir = await mkdtemp(join(tmpdir(), 'embed-'))
  onTestFinished(() => rm(embedDir, { recursive: true }))
  await writeFiles(embedDir, files)
  return embedDir
}

test("the embed page serves the page to the portal's frame only, with the allowed parents", async () => {
  const embedDir = await built({
    'index.html': '<meta name="allowed-parents" content="__ALLOWED_PARENTS__">',
    'assets/main-1a2B.js': 'export {}',
  })
  const { app } = await serviceWith({ options: { embedDir }, env: { PUBLIC_URL: 'http://localhost:4100' } })
  const page = await app.inject('/reportEmbed?reportId=x&groupId=y')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.body).toBe(
    '<meta name="allowed-parents" content="http://localhost:4100 http://127.0.0.1:4100 http://[::1]:4100">',
  )
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors http://localhost:4100 http://127.0.0.1:4100",
  )
  expect(page.headers['x-content-type-options']).toBe('nosniff')

  const script = await app.inject('/embed-assets/main-1a2B.js')
  expect(script.statusCode).toBe(200)
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(script.headers['x-content-type-options']).toBe('nosniff')
  for (const path of [
    '/embed-assets/../index.html',
    '/embed-assets/%2e%2e/index.html',
    '/embed-assets/nada.js',
    '/embed-assets/main-1A2B.js',
  ]) {
    expect((await app.inject(path)).statusCode).toBe(404)
  }
})

test('the embed page serves the page where clients embed what it refuses, so that they get an answer', async () => {
  const { app } = await serviceWith({
    options: { embedDir: await built({ 'index.html': '<title>x</title>' }) },
  })
  for (const path of ['/dashboardEmbed', '/tileEmbed', '/embed', '/qnaEmbed', '/quickCreate', '/rdlEmbed']) {
    const { statusCode, body, headers } = await app.inject(`${path}?uid=1`)
    expect([path, statusCode, body]).toEqual([path, 200, '<title>x</title>'])
    expect(headers['content-security-policy']).toContain('frame-ancestors')
  }
})

test('the embed page says what to do when the page has not been built', async () => {
  const { app } = await serviceWith({ options: { embedDir: await built({}) } })
  const page = await app.inject('/reportEmbed')
  expect(page.statusCode).toBe(503)
  expect(page.body).toBe(
    'A página de relatórios ainda não foi construída. Execute npm run build e tente novamente.',
  )
})

test('the embed page answers an unsatisfiable range with 416, and hidden files with an error', async () => {
  const embedDir = await built({ 'index.html': '', 'assets/main-1a2b.js': 'export {}', 'assets/.env': 'x' })
  const { app } = await serviceWith({ options: { embedDir } })
  const url = '/embed-assets/main-1a2b.js'
  const part = await app.inject({ url, headers: { range: 'bytes=0-5' } })
  expect([part.statusCode, part.body]).toEqual([206, 'export'])
  const beyond = await app.inject({ url, headers: { range: 'bytes=900-' } })
  expect([beyond.statusCode, beyond.json().error.code]).toEqual([416, 'InvalidRequest'])
  for (const [path, status] of [
    ['/embed-assets/', 404],
    ['/embed-assets/..%2findex.html', 404],
    ['/embed-assets/%00', 403],
  ] as const) {
    const answer = await app.inject(path)
    expect([path, answer.statusCode, answer.json().error.code]).toEqual([path, status, expect.any(String)])
  }
})
