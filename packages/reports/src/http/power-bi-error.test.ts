import fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from './power-bi-error.ts'

test('the error names a full disk, and nothing else of what the system says', async () => {
  const app = fastify()
  app.setErrorHandler(answerError)
  app.get('/', async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write /dados/x'), { code: 'ENOSPC' })
  })
  const { statusCode, body } = await app.inject('/')
  await app.close()
  expect([statusCode, JSON.parse(body)]).toEqual([
    507,
    { error: { code: 'InsufficientStorage', message: 'The disk of the service is full' } },
  ])
})
