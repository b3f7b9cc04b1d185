import { timingSafeEqual } from 'node:crypto'
import type { LostAccessQuestion } from '@bi-manager/contract'
import type { Secrets } from '../config/secrets.ts'

const validMs = 60_000

/** Signs an operator's command for the running portal: both have the installation's keys. */
export const signCommandCall = (secrets: Secrets, relatorios: string[], now: Date): LostAccessQuestion => {
  const question = { relatorios, instante: now.getTime() }
  return { ...question, assinatura: markOf(secrets, question) }
}

export const isSignedCommandCall = (secrets: Secrets, question: LostAccessQuestion, now: Date): boolean => {
  const expected = Buffer.from(markOf(secrets, question))
  const given = Buffer.from(question.assinatura)
  const isFresh = Math.abs(now.getTime() - question.instante) <= validMs
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected)
}

const markOf = (secrets: Secrets, { relatorios, instante }: Omit<LostAccessQuestion, 'assinatura'>): string =>
  secrets.markCommand(JSON.stringify(['sem-papeis', instante, relatorios]))
