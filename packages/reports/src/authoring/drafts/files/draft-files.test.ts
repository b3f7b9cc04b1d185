import { randomUUID } from 'node:crypto'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { beginDrafts as begin } from '../../../../test/draft-calls.ts'
import { serviceWith, UNKNOWN } from '../../../../test/fixture.ts'
import { buildApp } from '../../../app.ts'
import { DRAFT_BYTES, FAIR_SHARE, MAX_DRAFTS, MAX_OF_ALL, MAX_OF_MANY } from './draft-files.ts'

test('the service refuses a call without the token of an application, a known draft and a known workspace', async () => {
  const service = await serviceWith()
  const { token, send, post, call, draft } = await begin(service)
  expect((await send('a\n1\n', 'x.csv', 'Bearer x')).statusCode).toBe(403)
  const body = { workspace: { id: UNKNOWN, name: 'x' }, report: '{}' }
  for (const path of [`${UNKNOWN}/read`, '..%2f..%2fplain/read', `${await draft('a\n1\n')}/publish`]) {
    const { statusCode } = await post(path, { ...body, reportName: 'x' })
    expect([path, statusCode]).toEqual([path, 404])
  }
  expect((await send('a\n1\n', 'planilha.docx')).statusCode).toBe(415)
  for (const payload of [{ a: 1 }, undefined]) {
    const headers = { authorization: `Bearer ${token}` }
    const call = { method: 'POST' as const, url: '/v1.0/myorg/drafts?name=x.csv', headers }
    expect((await service.app.inject({ ...call, ...(payload && { payload }) })).statusCode).toBe(400)
  }
  expect(await call(`${await draft('a\n1\n')}/read`, { reportName: '' })).toMatchObject({
    error: { code: 'InvalidRequest' },
  })
})

test('the service deletes a draft when its sender discards it', async () => {
  const service = await serviceWith()
  const { post, draft } = await begin(service)
  const id = await draft('a\n1\n')
  expect((await post(`${id}/discard`, {})).json()).toEqual({ id })
  expect(await readdir(join(service.dataDir, '.publicacao/rascunhos'))).toEqual([])
  expect((await post(`${id}/discard`, {})).statusCode).toBe(404)
})

test('the service limits the size of a draft, and deletes it after a day', async () => {
  const service = await serviceWith()
  const { send, draft } = await begin(service)
  expect((await send(Buffer.alloc(DRAFT_BYTES + 1))).statusCode).toBe(413)
  const folder = join(service.dataDir, '.publicacao/rascunhos')
  expect(await readdir(folder)).toEqual([])
  await draft('a\n1\n')
  const old = new Date(service.clock.now - 25 * 3_600_000)
  for (const name of await readdir(folder)) await utimes(join(folder, name), old, old)
  await draft('a\n1\n')
  expect(await readdir(folder)).toHaveLength(1)
})

// A reloaded page sends its file again: a limit that refuses would block it for a day.
test('the service replaces the oldest draft of a person beyond the limit, and names it', async () => {
  const service = await serviceWith()
  const { send, post } = await begin(service)
  const other = await begin(service, 'outra pessoa')
  const theirs = await other.draft('a\n1\n', 'delas.csv')
  const folder = join(service.dataDir, '.publicacao/rascunhos')
  const at = (seconds: number) => new Date(service.clock.now - seconds * 1_000)
  await utimes(join(folder, theirs), at(9_000), at(9_000))
  const ids: string[] = []
  for (let count = 0; count < MAX_DRAFTS; count++) {
    const { id, discarded } = (await send('a\n1\n', `${count}.csv`)).json()
    expect(discarded).toEqual([])
    await utimes(join(folder, id), at(1_000 - count), at(1_000 - count))
    ids.push(id)
  }
  const asFolder = await post('folders', { name: 'pasta' })
  expect([asFolder.statusCode, asFolder.json().discarded]).toEqual([201, ['0.csv']])
  // Two tabs at the same moment.
  const both = await Promise.all([send('a\n1\n'), send('a\n1\n')])
  expect(both.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  const more = (await send('a\n1\n')).json()
  expect([...both.flatMap((one) => one.json().discarded), ...more.discarded].sort()).toEqual([
    '1.csv',
    '2.csv',
    '3.csv',
  ])
  const left = await readdir(folder)
  expect(left).toHaveLength(MAX_DRAFTS + 1)
  expect(left).toEqual(expect.arrayContaining([theirs, ...ids.slice(4), asFolder.json().id, more.id]))
  expect((await other.post(`${theirs}/read`, { reportName: 'x' })).json().faults).toEqual([])
})

test('the service limits the drafts of all people together, and refuses a person without any', async () => {
  const service = await serviceWith()
  const folder = join(service.dataDir, '.publicacao/rascunhos')
  const { send } = await begin(service)
  const mine = join(folder, (await send('a\n1\n', 'minha.csv')).json().id)
  for (let count = 1; count < MAX_OF_ALL; count++) await draftOf(folder, `p${count}`)
  const other = await begin(service, 'outra pessoa')
  expect((await other.send('a\n1\n')).statusCode).toBe(429)
  // The person may be sending several files for one report.
  expect((await send('a\n1\n')).statusCode).toBe(429)
  const unused = new Date(service.clock.now - 31 * 60_000)
  await utimes(mine, unused, unused)
  expect((await send('a\n1\n')).json().discarded).toEqual(['minha.csv'])
  expect(await readdir(folder)).toHaveLength(MAX_OF_ALL)
})

test('the service leaves room for the drafts of others when a few people have many', async () => {
  const service = await serviceWith()
  const folder = join(service.dataDir, '.publicacao/rascunhos')
  await mkdir(folder, { recursive: true })
  const many = Array.from({ length: MAX_OF_MANY }, (_, count) => `p${count % 4}`)
  const [first] = await Promise.all(many.map((owner) => draftOf(folder, owner)))
  // The four get no more while they use what they have, and then in exchange for it.
  const busy = await begin(service, 'p0')
  expect((await busy.send('a\n1\n')).statusCode).toBe(429)
  const unused = new Date(service.clock.now - 31 * 60_000)
  await utimes(join(folder, first ?? ''), unused, unused)
  expect((await busy.send('a\n1\n')).json().discarded).toEqual(['x.csv'])
  const { send } = await begin(service, 'outra pessoa')
  for (let count = 0; count < FAIR_SHARE; count++)
    expect((await send('a\n1\n', `${count}.csv`)).json().discarded).toEqual([])
  expect((await send('a\n1\n')).statusCode).toBe(429)
  const another = await begin(service, 'mais uma')
  expect((await another.send('a\n1\n')).statusCode).toBe(201)
  expect(await readdir(folder)).toHaveLength(MAX_OF_MANY + FAIR_SHARE + 1)
})

/** Writes a draft of a person. @returns its id */
const draftOf = async (folder: string, owner: string): Promise<string> => {
  const id = randomUUID()
  await mkdir(join(folder, id))
  await writeFile(join(folder, id, 'origem.json'), JSON.stringify({ id, name: 'x.csv', owner }))
  return id
}

test('a service deletes old drafts when it starts', async () => {
  const first = await serviceWith()
  const { draft } = await begin(first)
  const folder = join(first.dataDir, '.publicacao/rascunhos')
  const old = join(folder, await draft('a\n1\n'))
  const kept = await draft('a\n1\n')
  const day = new Date(first.clock.now - 25 * 3_600_000)
  await utimes(old, day, day)
  const { app } = await buildApp(first.config, { now: () => first.clock.now })
  onTestFinished(() => app.close())
  await app.ready()
  expect(await readdir(folder)).toEqual([kept])
})
