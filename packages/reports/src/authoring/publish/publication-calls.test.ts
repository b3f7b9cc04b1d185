import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readableSentences } from './publication-calls.ts'

test('answers end too many faults with an order, and too many remarks with their number', async () => {
  const many = (what: string) => Array.from({ length: 1_250 }, (_, index) => `${what} ${index}`)
  const answer = { faults: many('erro'), remarks: many('aviso'), others: many('nome') }
  const kept = await (readableSentences as (...all: unknown[]) => Promise<typeof answer>).call(
    undefined,
    {} as FastifyRequest,
    {} as FastifyReply,
    answer,
  )
  expect([kept.faults.length, kept.remarks.length, kept.others.length]).toEqual([101, 101, 1_250])
  expect(kept.faults.at(-1)).toBe('E mais 1.150: corrija estes e confira de novo.')
  expect(kept.remarks.at(-1)).toBe('E mais 1.150 avisos.')
})
