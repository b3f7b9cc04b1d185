import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import { claimsReport, REPORT, type Service, serviceWith, visual } from '../../../test/fixture.ts'

/*
 * The kind of fault: what a call holds (memory, a version of the data) was released when its client
 * had read the answer, and a client may never do that.
 */

/** 20 MB, of which the operating system takes some for a client that does not read. */
const large = "SELECT id, rpad('', 2000, 'x') AS t FROM Claims, range(2000)"
const files = {
  'workspaces/one/claims.json': {
    ...claimsReport,
    pages: [
      ...claimsReport.pages,
      { name: 'Large', displayName: 'Grande', visuals: [visual('large', large)] },
    ],
  },
}

test('unread answers have limits of 30 s without progress, 5 min in total, and four of a reader', async () => {
  const { app } = await serviceWith({ files })
  expect(app.answerLimits).toMatchObject({ idleMs: 30_000, totalMs: 300_000, perOwner: 4, waitMs: 20_000 })
})

const listening = async () => {
  const service = await serviceWith({ files, env: { LOG_LEVEL: 'silent' } })
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  return service
}

/** Sends calls on one connection that is not read until `resume`. */
const ask = async (
  service: Service,
  token: string,
  page = 'Large',
  times = 1,
  report = REPORT,
): Promise<Socket> => {
  const socket = connect((service.app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(requestOf(token, page, report).repeat(times))
  return socket
}

const requestOf = (token: string, page: string, report = REPORT) => {
  const body = JSON.stringify({ page, filters: [] })
  const head = [
    `POST /embed-api/reports/${report}/data HTTP/1.1`,
    'host: x',
    `authorization: EmbedToken ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Sockets of the server whose answers wait for their clients, and the bytes that wait. */
const watchUnread = ({ app }: Service) => {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    open: () => sockets.size,
    unread: () => [...sockets].filter(({ writableLength }) => writableLength > 1_000_000).length,
  }
}

const long = { timeout: 15_000 }

describe('an answer that its client does not read', () => {
  test('an answer that its client does not read keeps no version of the data open', async () => {
    const service = await listening()
    const watched = watchUnread(service)
    await ask(service, await service.embedToken(['todos']))
    await expect.poll(watched.unread, long).toBe(1)
    const path = join(service.dataDir, 'datasets/claims/claims.csv')
    await writeFile(`${path}.new`, 'id,operadora,sexo,valor,dia,pago,hora\n7,CNU,x,1,,,\n')
    await rename(`${path}.new`, path)
    await service.versions.refresh()
    expect(service.versions.openDatabases()).toBe(2)
    expect(watched.unread()).toBe(1)
  })

  test('an answer that its client does not read ends after a time without progress', async () => {
    const service = await listening()
    service.app.answerLimits.idleMs = 200
    const watched = watchUnread(service)
    await ask(service, await service.embedToken(['todos']))
    await expect.poll(watched.unread, long).toBe(1)
    await expect.poll(watched.open, long).toBe(0)
  })

  test.each([
    ['further calls', (token: string) => requestOf(token, 'Main')],
    [
      'a call whose head never ends',
      (_token: string, index: number) => (index === 0 ? 'GET / HTTP/1.1\r\nhost: x\r\n' : 'x-more: y\r\n'),
    ],
  ])(
    'an answer that its client does not read ends although its client sends %s',
    async (_name, sent) => {
      const service = await listening()
      service.app.answerLimits.idleMs = 200
      service.app.server.headersTimeout = 1
      const watched = watchUnread(service)
      const token = await service.embedToken(['todos'])
      const socket = await ask(service, token)
      await expect.poll(watched.unread, long).toBe(1)
      let count = 0
      const sending = setInterval(() => socket.write(sent(token, count++)), 50)
      onTestFinished(() => clearInterval(sending))
      await expect.poll(watched.open, long).toBe(0)
    },
    30_000,
  )

  test('an answer that its client does not read is read to its end by a slow client', async () => {
    const service = await listening()
    service.app.answerLimits.idleMs = 1000
    const socket = await ask(service, await service.embedToken(['todos']))
    let begun = Number.NaN
    let bytes = 0
    let isComplete = false
    socket.on('data', (chunk: Buffer) => {
      // Not from the question on: the query itself takes a while.
      if (bytes === 0) begun = Date.now()
      bytes += chunk.length
      isComplete ||= chunk.includes('"dataTime"')
      // Slower than the limit as a whole, with progress within each part of it.
      if (bytes > (Date.now() - begun) * 2000) {
        socket.pause()
        setTimeout(() => socket.resume(), 10)
      }
    })
    socket.resume()
    await expect.poll(() => isComplete, { timeout: 20_000 }).toBe(true)
    expect(Date.now() - begun).toBeGreaterThan(2000)
  }, 30_000)

  test('an answer that its client does not read ends after its time in total, although its client makes progress', async () => {
    const service = await listening()
    service.app.answerLimits.totalMs = 1500
    const socket = await ask(service, await service.embedToken(['todos']))
    let bytes = 0
    let last = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      last = Date.now()
      socket.pause()
      setTimeout(() => socket.resume(), 20)
    })
    socket.resume()
    await once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
    expect(last).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(20_000_000)
  }, 30_000)
})

describe('the answers of one owner', () => {
  test('the answers of one owner are four at a time; the fifth is computed when one of them was read', async () => {
    const service = await listening()
    const watched = watchUnread(service)
    const token = await service.embedToken(['todos'])
    const sockets = await Promise.all(Array.from({ length: 20 }, () => ask(service, token)))
    await expect.poll(watched.unread, long).toBe(4)
    // An answer that is not delayed shows that the others had their time.
    const other = await service.embedToken(['todos'], {}, { '@biManager.reader': 'other' })
    const socket = await ask(service, other, 'Main')
    socket.resume()
    await once(socket, 'data')
    expect(watched.unread()).toBe(4)
    for (const socket of sockets) socket.resume()
    const beginnings = sockets.map(async (socket) => String((await once(socket, 'data'))[0]))
    for (const beginning of await Promise.all(beginnings)) expect(beginning).toMatch(/^HTTP\/1.1 200/)
  }, 60_000)

  // The kind: a limit per token does not limit a client that can get more tokens.
  test('the answers of one owner are four at a time over all previews of a person', async () => {
    const service = await listening()
    const watched = watchUnread(service)
    const previewOf = async (person: string) => {
      const { draft, call } = await beginDrafts(service, person)
      const id = await draft('a;b\n1;2\n', 'linhas.csv')
      const { report } = await call(`${id}/read`, { reportName: 'Linhas' })
      const rows = "SELECT rpad('', 2000, 'x') AS t FROM linhas, range(10000)"
      const pages = [
        { name: 'Large', displayName: 'Grande', visuals: [visual('large', rows)] },
        { name: 'Main', displayName: 'P', visuals: [visual('n', 'SELECT count(*) AS n FROM linhas')] },
      ]
      const body = { workspace: { name: 'Área' }, report: JSON.stringify({ ...report, pages }) }
      return () => call(`${id}/preview`, body) as Promise<{ token: string; reportId: string }>
    }
    const shows = [await previewOf('ana'), await previewOf('ana')]
    for (const show of [...shows, ...shows]) {
      const { token, reportId } = await show()
      await Promise.all(Array.from({ length: 4 }, () => ask(service, token, 'Large', 1, reportId)))
    }
    await expect.poll(watched.unread, long).toBe(4)
    const { token, reportId } = await (await previewOf('bia'))()
    const socket = await ask(service, token, 'Main', 1, reportId)
    socket.resume()
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
    expect(watched.unread()).toBe(4)
  }, 60_000)

  test('the answers of one owner are refused with Retry-After when none is read in time', async () => {
    const service = await listening()
    service.app.answerLimits.waitMs = 100
    const watched = watchUnread(service)
    const token = await service.embedToken(['todos'])
    for (let count = 1; count <= 4; count++) {
      await ask(service, token)
      await expect.poll(watched.unread, long).toBe(count)
    }
    const url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
    const call = () =>
      fetch(`${url}/embed-api/reports/${REPORT}/data`, {
        method: 'POST',
        headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ page: 'Main', filters: [] }),
      })
    const refused = await call()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30'])
    expect(await refused.json()).toMatchObject({ error: { code: 'TooManyUnreadAnswers' } })
    // The unread answers end, and their owner is served again.
    service.app.answerLimits.idleMs = 100
    expect(await service.ids(token)).toEqual([1, 2, 3, 4, 5])
  }, 60_000)

  test('the answers of one owner are never refused to a page with many calls at once', async () => {
    const service = await listening()
    const token = await service.embedToken(['todos'])
    const sockets = await Promise.all(Array.from({ length: 60 }, () => ask(service, token, 'Main')))
    for (const socket of sockets) socket.resume()
    const answers = sockets.map(async (socket) => String((await once(socket, 'data'))[0]))
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1.1 200/)
  }, 60_000)

  test('the answers of one owner leave no slot behind when clients disconnect', async () => {
    const service = await listening()
    service.app.answerLimits.waitMs = 60_000
    const watched = watchUnread(service)
    const token = await service.embedToken(['todos'])
    for (let round = 0; round < 3; round++) {
      const sockets = await Promise.all(Array.from({ length: 8 }, () => ask(service, token)))
      await expect.poll(watched.unread, long).toBe(4)
      for (const socket of sockets.reverse()) socket.destroy()
      await expect.poll(watched.open, long).toBe(0)
    }
    const socket = await ask(service, token, 'Main')
    socket.resume()
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
  }, 60_000)

  // The answers of pipelined calls wait for their turn without a socket.
  test('the answers of one owner leave no slot behind when a client pipelines its calls and disconnects', async () => {
    const service = await listening()
    service.app.answerLimits.waitMs = 60_000
    const watched = watchUnread(service)
    const token = await service.embedToken(['todos'])
    const socket = await ask(service, token, 'Large', 8)
    await expect.poll(watched.unread, long).toBe(1)
    socket.destroy()
    await expect.poll(watched.open, long).toBe(0)
    const other = await ask(service, token, 'Main')
    other.resume()
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1.1 200/)
  }, 60_000)
})

test('a page of more than 64 MB says so in the visuals that do not fit', async () => {
  const wide = "SELECT rpad('', 2000, 'x') AS t FROM Claims, range(2000) r(n)"
  const pages = [
    {
      name: 'Main',
      displayName: 'P',
      visuals: [1, 2, 3, 4]
        .map((n) => visual(`v${n}`, `${wide} WHERE n >= -${n}`))
        .concat(visual('ids', 'SELECT id FROM Claims')),
    },
  ]
  const service = await serviceWith({ files: { 'workspaces/one/claims.json': { ...claimsReport, pages } } })
  const token = await service.embedToken(['todos'])
  const { visuals, failures } = (await service.data(token)).json()
  expect(Object.keys(visuals)).toHaveLength(4)
  expect(visuals.ids.rows).toHaveLength(5)
  const [failed = ''] = Object.keys(failures)
  expect(failures).toEqual({
    [failed]: {
      code: 'QueryFailed',
      message:
        'Os visuais desta página têm juntos mais de 64 MB. Use filtros que reduzam os dados, ou tente de novo para carregar só este visual.',
    },
  })
  const alone = await service.embed(token, 'POST', `/reports/${REPORT}/data`, {
    page: 'Main',
    filters: [],
    visuals: [failed],
  })
  expect(alone.json().visuals[failed].rows).toHaveLength(10_000)
}, 60_000)
