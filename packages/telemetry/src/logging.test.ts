import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createLogger, textOf } from './logging.ts'

/* The kind: the sentence of a failure that wraps another is logged, and its reason is lost. */
describe('an error with causes', () => {
  const chain = () => {
    const reason = Object.assign(new Error('value of somebody'), { code: '22P02', table: 'usuario' })
    const refused = new Error('the statement failed', { cause: reason })
    return new Error('Migration 0002 failed.', { cause: refused })
  }
  const logged = (err: Error = chain()) => {
    let line = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        line += chunk
        done()
      },
    })
    createLogger({ service: 'portal', level: 'info', format: 'json', stream }).error({ err }, 'failed')
    return line
  }

  test('an error with causes is logged as JSON with each cause', () => {
    expect(JSON.parse(logged()).err).toMatchObject({
      message: 'Migration 0002 failed.',
      cause: {
        message: 'the statement failed',
        cause: { message: '[removido]', code: '22P02', table: 'usuario' },
      },
    })
  })

  test('an error with causes is logged as text with the stack of each cause, without the values of the database', () => {
    const text = textOf(logged())
    expect(text.split('\n').filter((line) => !/^ +at /.test(line))).toEqual([
      expect.stringMatching(/ERRO \[portal\] failed$/),
      'Error: Migration 0002 failed.',
      'causa: Error: the statement failed',
      'causa: Error: [removido]',
    ])
    expect(text.match(/^ +at .*logging\.test\.ts/gm)?.length).toBeGreaterThanOrEqual(3)
    expect(text).not.toContain('somebody')
  })

  test('an error with a message of megabytes is logged with its beginning, and where it was thrown', () => {
    const { err } = JSON.parse(logged(new Error('wrapped', { cause: new Error('x'.repeat(2_000_000)) })))
    expect(err.cause.message).toBe(`${'x'.repeat(10_000)}…`)
    expect(err.cause.stack.length).toBeLessThan(20_000)
    expect(err.cause.stack).toMatch(/^Error: x+…\n +at .*logging\.test\.ts/)
  })

  test('a cause that is not an error is logged with its type', () => {
    const line = JSON.stringify({
      level: 'error',
      time: '2026-01-02T03:04:05Z',
      service: 'portal',
      msg: 'failed',
      err: {
        type: 'Error',
        message: 'a',
        stack: 'Error: a',
        cause: { type: 'string', message: '', stack: '' },
      },
    })
    expect(textOf(line)).toMatch(/\nError: a\ncausa: string$/)
  })
})
