import { beneficiariesApi, dataProtectionApi, menusApi } from '@bi-manager/contract'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { call, callInBackground, callList } from '../api/api.ts'
import { choosePurpose, currentPurpose, usePurpose } from './purpose.ts'
import { endSession, startSession } from './session.ts'

const signIn = (jti: string) => startSession(signedInUntil(Date.now() + 60_000, {}, jti))
let purposesSent: (string | null)[]

beforeEach(() => {
  purposesSent = []
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    purposesSent.push(new Headers(headers).get('x-finalidade'))
    return Response.json([])
  })
  signIn('um')
})
afterEach(() => {
  endSession('saiu')
  vi.unstubAllGlobals()
})

test('the purpose sends the purpose, percent-encoded, with calls on medical records only', async () => {
  await call(beneficiariesApi.list)
  choosePurpose('regulacao')
  await call(beneficiariesApi.list)
  await callInBackground(beneficiariesApi.list)
  await callList(dataProtectionApi.listIncidents)
  await call(menusApi.list)
  const encoded = 'Regula%C3%A7%C3%A3o'
  expect(purposesSent).toEqual([null, encoded, encoded, encoded, null])
})

test('the purpose sends the text of Outro, with a lone surrogate replaced', async () => {
  choosePurpose('outro', '  pedido da ouvidoria\ud800 ')
  await call(beneficiariesApi.list)
  expect(decodeURIComponent(purposesSent[0] ?? '')).toBe('Outro: pedido da ouvidoria\ufffd')
})

test('the purpose keeps the headers of the call itself', async () => {
  choosePurpose('auditoria')
  let reason: string | null = null
  vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
    reason = new Headers(headers).get('x-motivo')
    purposesSent.push(new Headers(headers).get('x-finalidade'))
    return Response.json([])
  })
  await call(beneficiariesApi.list, { query: {} }, { headers: { 'x-motivo': 'engano' } })
  expect([reason, purposesSent]).toEqual(['engano', ['Auditoria']])
})

test('the purpose stores a listed code and the session in the browser, never a typed text', () => {
  choosePurpose('atendimento', 'Maria das Dores')
  expect(localStorage.getItem('bi-manager.finalidade')).toBe('{"session":"um","code":"atendimento"}')
  expect(currentPurpose()).toEqual({ code: 'atendimento', text: '' })
  choosePurpose('outro', 'Maria das Dores')
  expect(currentPurpose()).toEqual({ code: 'outro', text: 'Maria das Dores' })
  expect(localStorage.getItem('bi-manager.finalidade')).toBeNull()
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Maria')
})

test('the purpose finds the purpose after a reload of the same session, not in another session', async () => {
  const reload = async () => {
    vi.resetModules()
    return (await import('./purpose.ts')).currentPurpose()
  }
  choosePurpose('auditoria')
  expect(await reload()).toEqual({ code: 'auditoria', text: '' })
  signIn('dois')
  expect(await reload()).toBeUndefined()
})

test('the purpose forgets the purpose at sign-out and asks again in a new session', () => {
  choosePurpose('outro', 'pedido')
  endSession('saiu')
  expect(currentPurpose()).toBeUndefined()
  signIn('dois')
  expect(currentPurpose()).toBeUndefined()
  choosePurpose('auditoria')
  endSession('terminou')
  expect(localStorage.getItem('bi-manager.finalidade')).toBeNull()
  // A value of an older session, left by a closed window, does not count either.
  localStorage.setItem('bi-manager.finalidade', '{"session":"um","code":"auditoria"}')
  signIn('dois')
  expect(currentPurpose()).toBeUndefined()
})

test('usePurpose adopts a choice of another window only if this one has none', () => {
  const { result } = renderHook(() => usePurpose())
  const inAnotherWindow = (code: string) => {
    localStorage.setItem('bi-manager.finalidade', JSON.stringify({ session: 'um', code }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'bi-manager.finalidade' }))
  }
  expect(result.current).toBeUndefined()
  act(() => inAnotherWindow('auditoria'))
  expect(result.current).toEqual({ code: 'auditoria', text: '' })
  act(() => inAnotherWindow('regulacao'))
  expect(result.current).toEqual({ code: 'auditoria', text: '' })
  act(() => choosePurpose('atendimento'))
  expect(result.current).toEqual({ code: 'atendimento', text: '' })
})

test.each(['', '{', '[]', 'null', '{"session":"um","code":"outro"}', '{"session":"um","code":"toString"}'])(
  'the purpose ignores the invalid stored value %j',
  (stored) => {
    localStorage.setItem('bi-manager.finalidade', stored)
    expect(currentPurpose()).toBeUndefined()
  },
)
