import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import {
  currentSession,
  endSession,
  expiryOf,
  OF_SESSION,
  sessionEnd,
  startSession,
  subscribeToSession,
} from './session.ts'

afterEach(() => {
  vi.useRealTimers()
})

test("currentSession ends exactly at the token's exp", () => {
  vi.useFakeTimers({ now: 1_000_000 })
  startSession(signedInUntil(1_060_000))
  vi.setSystemTime(1_059_999)
  expect(currentSession()?.nome).toBe('Ana Souza')
  vi.setSystemTime(1_060_000)
  expect(currentSession()).toBeUndefined()
})

test("the session stores only the token and the person's basic data", () => {
  const signedIn = signedInUntil(Date.now() + 60_000)
  startSession({ ...signedIn, password: 'segredo' } as typeof signedIn)
  expect(Object.keys(JSON.parse(localStorage.getItem('bi-manager.sessao') ?? '{}')).sort()).toEqual([
    'access_token',
    'client_id',
    'nome',
    'pendencia',
    'tipo',
    'usuario_id',
  ])
})

test('the end of a session removes what belongs to it, and keeps what belongs to the browser', () => {
  localStorage.clear()
  const kept = ['usuario-lembrado', 'tema', 'aparelho', 'linhas-por-pagina', 'relogio', 'telao']
  for (const key of kept) localStorage.setItem(`bi-manager.${key}`, 'x')
  localStorage.setItem(`${OF_SESSION}menu-fechado`, 'sim')
  startSession(signedInUntil(Date.now() + 60_000))
  endSession('saiu')
  const left = Object.keys(localStorage).map((key) => key.replace('bi-manager.', ''))
  expect(left.toSorted()).toEqual([...kept, 'fim-da-sessao'].toSorted())
})

test('the session notifies subscribers of a sign-out here and in another tab', () => {
  const heard = vi.fn()
  const unsubscribe = subscribeToSession(heard)
  startSession(signedInUntil(Date.now() + 60_000))
  endSession('saiu')
  window.dispatchEvent(new StorageEvent('storage', { key: 'bi-manager.sessao' }))
  unsubscribe()
  endSession('saiu')
  expect(heard).toHaveBeenCalledTimes(3)
  expect(currentSession()).toBeUndefined()
})

test('the session knows why another tab ended the session, until the next sign-in', () => {
  const unsubscribe = subscribeToSession(() => {})
  const fromAnotherTab = (change: () => void) => {
    change()
    window.dispatchEvent(new StorageEvent('storage', { key: 'bi-manager.sessao' }))
  }
  startSession(signedInUntil(Date.now() + 60_000))
  const session = localStorage.getItem('bi-manager.sessao') ?? ''
  fromAnotherTab(() => {
    localStorage.setItem('bi-manager.fim-da-sessao', 'terminou')
    localStorage.removeItem('bi-manager.sessao')
  })
  expect([currentSession(), sessionEnd()]).toEqual([undefined, 'terminou'])
  fromAnotherTab(() => {
    localStorage.removeItem('bi-manager.fim-da-sessao')
    localStorage.setItem('bi-manager.sessao', session)
  })
  expect([currentSession()?.nome, sessionEnd()]).toEqual(['Ana Souza', undefined])
  endSession('saiu')
  expect(localStorage.getItem('bi-manager.fim-da-sessao')).toBe('saiu')
  startSession(signedInUntil(Date.now() + 60_000))
  expect(localStorage.getItem('bi-manager.fim-da-sessao')).toBeNull()
  unsubscribe()
})

test.each(['', 'x', 'a.b.c', `e30.${btoa('{}')}.x`, `e30.${btoa('{"exp":"9999999999"}')}.x`])(
  'expiryOf is 0 for the unreadable token %j',
  (token) => {
    expect(expiryOf(token)).toBe(0)
  },
)

test('currentSession ignores an invalid stored value', () => {
  for (const stored of ['', '{', 'null', '[]', '{"access_token":7}']) {
    localStorage.setItem('bi-manager.sessao', stored)
    expect(currentSession()).toBeUndefined()
  }
})

test("user activity is stored by the server's clock", async () => {
  localStorage.setItem('bi-manager.relogio', String(-7_200_000))
  vi.resetModules()
  const { lastUserActivity, writeUserActivity } = await import('./session.ts')
  writeUserActivity()
  expect(Math.abs(lastUserActivity() - (Date.now() - 7_200_000))).toBeLessThan(60_000)
  localStorage.removeItem('bi-manager.relogio')
})
