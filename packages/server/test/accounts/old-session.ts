import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'

/** Makes every open session older than a recent proof may be. */
export const ageSessions = ({ clock }: Pick<TestApp, 'clock'>): void => {
  clock.offsetMs = 11 * 60_000
}

interface Answer {
  status: number
  body: { codigo?: string }
}

export const expectReauthenticationDemanded = (answer: Answer, message?: string): void => {
  expect([answer.status, answer.body.codigo], message).toEqual([403, 'reautenticacao_necessaria'])
}
