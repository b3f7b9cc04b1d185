import type { ProblemCode } from '@bi-manager/contract'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { address, minute, settle, setUpOpening } from '../../../../test/report-opening.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { answerReauthentication, useRequestedReauthentication } from '../../../lib/api/reauthentication.ts'
import { endSession, startSession } from '../../../lib/session/session.ts'

/* 'Ver como': an ADMIN opens a report with the identity of another person. */

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController()
    setTimeout(() => limit.abort(new DOMException('', 'TimeoutError')), ms)
    return limit.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('the viewer requests the token of the person, and sends neither a view nor its use', async () => {
  startSession(signedInUntil(Date.now() + 60 * minute))
  const { page, calls, opening } = setUpOpening({ how: { viewAs: 12 } })
  await settle()
  page().onLoaded()
  page().onRendered()
  page().onPageChanged('perfil', 'Perfil')
  await vi.advanceTimersByTimeAsync(30_000)
  opening.close()
  await settle()
  expect(calls('/usuarios/12/ver-como').map(({ body }) => body)).toEqual([address])
  expect([calls('/embed'), calls('/visualizacao'), calls('/uso')]).toEqual([[], [], []])
  endSession('terminou')
})

test('the viewer leaves the ADMIN more than a minute to confirm who they are', async () => {
  const dialog = renderHook(useRequestedReauthentication)
  let refusal: ProblemCode | undefined = 'reautenticacao_necessaria'
  const { frame, shown, opening } = setUpOpening({ how: { viewAs: 12 }, refusal: () => refusal })
  await advance(2 * minute)
  expect(dialog.result.current).toEqual(['senha'])
  refusal = undefined
  act(() => answerReauthentication(true))
  await advance(0)
  expect(shown().phase).toBe('carregando')
  expect(frame.open).toHaveBeenCalledTimes(1)
  opening.close()
})

test('the viewer stays on the screen when its renewal requires re-authentication, and goes on after it', async () => {
  const dialog = renderHook(useRequestedReauthentication)
  let refusal: ProblemCode | undefined
  const { frame, page, report, shown, opening } = setUpOpening({
    how: { viewAs: 12 },
    refusal: () => refusal,
  })
  await settle()
  page().onLoaded()
  refusal = 'reautenticacao_necessaria'
  await advance(50 * minute)
  expect(shown()).toMatchObject({
    phase: 'carregado',
    needsReauthentication: true,
    renewalFails: 'Confirme que é você para continuar vendo este relatório.',
  })
  expect(dialog.result.current).toBeUndefined()
  opening.renew()
  await advance(0)
  expect(dialog.result.current).toEqual(['senha'])
  refusal = undefined
  act(() => answerReauthentication(true))
  await advance(0)
  expect(report.setAccessToken.mock.calls).toEqual([['token']])
  expect(shown()).toMatchObject({
    phase: 'carregado',
    needsReauthentication: undefined,
    renewalFails: undefined,
  })
  expect(frame.open).toHaveBeenCalledTimes(1)
  opening.close()
})
