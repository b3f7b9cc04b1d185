// @vitest-environment happy-dom
import { beneficiariesApi, dataProtectionApi, menusApi } from '@bi-manager/contract'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../test/token.ts'
import { call, callInBackground, callList } from './api.ts'
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

test('it goes with every call on medical records, percent-encoded, and with no other', async () => {
  await call(beneficiariesApi.list)
  choosePurpose('regulacao')
  await call(beneficiariesApi.list)
  await callInBackground(beneficiariesApi.list)
  await callList(dataProtectionApi.listIncidents)
  await call(menusApi.list)
  const encoded = 'Regula%C3%A7%C3%A3o'
  expect(purposesSent).toEqual([null, encoded, encoded, encoded, null])
})

test('of Outro the text goes along; half a character does not stop the call', async () => {
  choosePurpose('outro', '  pedido da ouvidoria\ud800 ')
  await call(beneficiariesApi.list)
  expect(decodeURIComponent(purposesSent[0] ?? '')).toBe('Outro: pedido da ouvidoria\ufffd')
})

test('headers of a call itself stay beside it', async () => {
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

test('the browser keeps a code of the closed list and the session, never what was typed', () => {
  choosePurpose('atendimento', 'Maria das Dores')
  expect(localStorage.getItem('bi-manager.finalidade')).toBe('{"session":"um","code":"atendimento"}')
  expect(currentPurpose()).toEqual({ code: 'atendimento', text: '' })
  choosePurpose('outro', 'Maria das Dores')
  expect(currentPurpose()).toEqual({ code: 'outro', text: 'Maria das Dores' })
  expect(localStorage.getItem('bi-manager.finalidade')).toBeNull()
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Maria')
})

test('a reload and a new window of the same session find it, another session does not', async () => {
  const anew = async () => {
    vi.resetModules()
    return (await import('./purpose.ts')).currentPurpose()
  }
  choosePurpose('auditoria')
  expect(await anew()).toEqual({ code: 'auditoria', text: '' })
  signIn('dois')
  expect(await anew()).toBeUndefined()
})

test('it is forgotten at sign-out, and a new session is asked anew', () => {
  choosePurpose('outro', 'pedido')
  endSession('saiu')
  expect(currentPurpose()).toBeUndefined()
  signIn('dois')
  expect(currentPurpose()).toBeUndefined()
  choosePurpose('auditoria')
  endSession('terminou')
  expect(localStorage.getItem('bi-manager.finalidade')).toBeNull()
  // Nor does an older session's answer count that a closed window left behind.
  localStorage.setItem('bi-manager.finalidade', '{"session":"um","code":"auditoria"}')
  signIn('dois')
  expect(currentPurpose()).toBeUndefined()
})

test('a screen hears the answer given here or in another window, and keeps its own', () => {
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
  'what is no answer in the store (%j) is none',
  (stored) => {
    localStorage.setItem('bi-manager.finalidade', stored)
    expect(currentPurpose()).toBeUndefined()
  },
)
