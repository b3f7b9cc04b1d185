import { Writable } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { Problem } from '../../lib/problem.ts'
import { errorHandler } from './error-handler.ts'

/** The log lines of one call whose handler throws `error`. */
const linesOf = async (error: Error): Promise<Record<string, unknown>[]> => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = fastify({ logger: { level: 'warn', stream } })
  await app.register(errorHandler, {})
  app.get('/', async () => {
    throw error
  })
  await app.inject('/')
  await app.close()
  return lines
}

test('errorHandler logs a problem without a cause as a warning without a stack', async () => {
  const problem = new Problem('bi_identidade_necessaria')
  const [line, ...more] = await linesOf(problem)
  expect(line).toMatchObject({ level: 40, codigo: 'bi_identidade_necessaria', detail: problem.message })
  expect(JSON.stringify([line, more])).not.toContain('stack')
  expect(more).toEqual([])
})

test.each([
  ['an unexpected error', new TypeError('the real reason')],
  ['a problem with a cause', new Problem('bi_resposta_invalida', { cause: new Error('the real reason') })],
])('errorHandler logs %s as an error with its stack', async (_, error) => {
  const [line, ...more] = await linesOf(error)
  expect(line).toMatchObject({ level: 50, err: { stack: expect.stringContaining('the real reason') } })
  expect(more).toEqual([])
})
