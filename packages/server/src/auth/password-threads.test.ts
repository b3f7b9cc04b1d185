import { spawnSync } from 'node:child_process'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createPasswordThreads } from './password-threads.ts'

const hashOf = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** Forty in one lane before a single thread, and the order in which they, and whoever asks beside them, are answered. */
const burstOfForty = async () => {
  const verify = createPasswordThreads(1)
  const encoded = await hashOf('certa')
  const order: string[] = []
  const ask = async (lane: string) => {
    await verify(lane, { encoded, password: 'certa' })
    order.push(lane)
  }
  return { order, ask, burst: Array.from({ length: 40 }, () => ask('burst')) }
}

test('tells the password from others; what is no hash is an error of its own alone', async () => {
  const verify = createPasswordThreads(2)
  const encoded = await hashOf('certa')
  const answers = await Promise.allSettled([
    verify('a', { encoded, password: 'certa' }),
    verify('a', { encoded, password: 'errada' }),
    verify('b', { encoded: 'não é hash', password: 'certa' }),
    verify('a', { encoded, password: 'certa' }),
  ])
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.status))).toEqual([
    true,
    false,
    'rejected',
    true,
  ])
  expect(await verify('a', { encoded, password: 'certa' })).toBe(true)
})

test('lanes take turns: a burst in one does not hold up another', async () => {
  const { order, ask, burst } = await burstOfForty()
  await Promise.all([...burst, ask('other')])
  // Within the first that the thread takes.
  expect(order.indexOf('other')).toBeLessThan(8)
  expect(order).toHaveLength(41)
})

test('no more than eight at a time: who comes meanwhile waits for no whole burst', async () => {
  const { order, ask, burst } = await burstOfForty()
  await burst[0]
  await Promise.all([...burst, ask('other')])
  expect(order.indexOf('other')).toBeLessThan(24)
})

test('a thread that ends takes along no more than what it was at; another goes on', async () => {
  const program = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (batch) => {
      if (batch[0].password === 'morre') throw new Error('fim')
      parentPort.postMessage(batch.map(() => true))
    })`
  const verify = createPasswordThreads(1, new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  expect(await verify('a', { encoded: '', password: 'vive' })).toBe(true)
  const dying = verify('a', { encoded: '', password: 'morre' })
  // Once that one is on its way.
  await new Promise((resolve) => setImmediate(resolve))
  const after = verify('a', { encoded: '', password: 'vive' })
  await expect(dying).rejects.toThrow('fim')
  expect(await after).toBe(true)
})

test('the process waits for an answer, and for no more', () => {
  const script = `
    import(${JSON.stringify(new URL('./password-threads.ts', import.meta.url).href)})
      .then(({ createPasswordThreads }) => createPasswordThreads(2))
      .then((verify) => verify('a', { encoded: ${JSON.stringify('$argon2id$v=19$m=8,t=1,p=1$c2FsZXNhbGU$AAAAAAAAAAAAAAAAAAAAAA')}, password: 'x' }))
      .then((matches) => console.log('answered', matches), (error) => console.log(error.message))`
  const { status, stdout, signal } = spawnSync(process.execPath, ['-e', script], {
    timeout: 20_000,
    encoding: 'utf8',
  })
  expect([status, signal, stdout.trim()]).toEqual([0, null, 'answered false'])
})
