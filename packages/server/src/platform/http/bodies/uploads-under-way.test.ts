import { expect, test } from 'vitest'
import { createUploadLimiter } from './uploads-under-way.ts'

const busy = { codigo: 'servico_indisponivel', status: 503, retryAfter: 10 }

test('the count of uploads allows two uploads per user and eight in total, and frees each slot once', () => {
  const take = createUploadLimiter()
  const first = take(1)
  take(1)
  expect(() => take(1)).toThrow(expect.objectContaining({ codigo: 'muitas_tentativas', retryAfter: 10 }))
  for (const person of [2, 2, 3, 3, 4, 4]) take(person)
  expect(() => take(5)).toThrow(expect.objectContaining(busy))
  first()
  first()
  take(5)
  expect(() => take(5)).toThrow(expect.objectContaining(busy))
})
