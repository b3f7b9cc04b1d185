import { spawnSync } from 'node:child_process'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createPasswordThreads } from './password-threads.ts'

const hashOf = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })

/** Forty verifications in one lane on a single thread, and the order of all answers. */
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

test('the pool of threads tells right passwords from wrong ones, and rejects an invalid hash without affecting others', async () => {
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

test('the pool of threads serves the lanes in turn, so that a burst in one does not delay another', async () => {
  const { order, ask, burst } = await burstOfForty()
  await Promise.all([...burst, ask('other')])
  // In the first batches of the thread.
  expect(order.indexOf('other')).toBeLessThan(8)
  expect(order).toHaveLength(41)
})

test('the pool of threads takes at most eight passwords at a time, so that later ones do not wait for a whole burst', async () => {
  const { order, ask, burst } = await burstOfForty()
  await burst[0]
  await Promise.all([...burst, ask('other')])
  expect(order.indexOf('other')).toBeLessThan(24)
})

test('the pool of threads replaces a thread that ends, and only its current batch fails', async () => {
  const program = `
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (batch) => {
      if (batch[0].password === 'morre') throw new Error('fim')
      parentPort.postMessage(batch.map(() => true))
    })`
  const verify = createPasswordThreads(1, new URL(`data:text/javascript,${encodeURIComponent(program)}`))
  expect(await verify('a', { encoded: '', password: 'vive' })).toBe(true)
  const dying = verify('a', { encoded: '', password: 'morre' })
  // After the batch was sent.
  await new Promise((resolve) => setImmediate(resolve))
  const after = verify('a', { encoded: '', password: 'vive' })
  await expect(dying).rejects.toThrow('fim')
  expect(await after).toBe(true)
})

test('the process exits once the answer has arrived', () => {
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
