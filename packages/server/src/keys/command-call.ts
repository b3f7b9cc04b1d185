import { timingSafeEqual } from 'node:crypto'
import type { LostAccessQuestion } from '@bi-manager/contract'
import type { Secrets } from '../secrets.ts'

const validMs = 60_000

/**
 * Signs a call of an operator's command to the running portal, as proof that both have the keys of
 * one installation.
 */
export const signQuestion = (secrets: Secrets, relatorios: string[], now: Date): LostAccessQuestion => {
  const question = { relatorios, instante: now.getTime() }
  return { ...question, assinatura: markOf(secrets, question) }
}

export const isSignedQuestion = (secrets: Secrets, question: LostAccessQuestion, now: Date): boolean => {
  const expected = Buffer.from(markOf(secrets, question))
  const given = Buffer.from(question.assinatura)
  const isFresh = Math.abs(now.getTime() - question.instante) <= validMs
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected)
}

const markOf = (secrets: Secrets, { relatorios, instante }: Omit<LostAccessQuestion, 'assinatura'>): string =>
  secrets.markCommand(JSON.stringify(['sem-papeis', instante, relatorios]))
