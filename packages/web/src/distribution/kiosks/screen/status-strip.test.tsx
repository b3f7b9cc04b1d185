import { ApiProblem } from '@bi-manager/contract'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayerStatus } from './rotation-player.ts'
import { StatusStrip } from './status-strip.tsx'

const at = Date.parse('2026-03-10T17:32:00.000Z')
const page = {
  idTelaoPagina: 1,
  idRelatorio: 1,
  nomeRelatorio: 'Custos',
  pagina: 'p1',
  tituloPagina: 'Resumo',
  segundos: 30,
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.setSystemTime(at)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const show = (status: Partial<PlayerStatus>, silentSince?: number, dataTime?: string) =>
  render(
    <StatusStrip
      status={{
        shown: { page, index: 0, stage: 0, drawnAt: at, turn: 1 },
        isPaused: false,
        error: undefined,
        ...status,
      }}
      silentSince={silentSince}
      dataTime={dataTime}
    />,
  )
const said = () => screen.getByRole('status').textContent

test('the status strip says which report is shown, and the time of its data', () => {
  show({})
  expect(screen.getByText('Custos · Resumo')).toBeTruthy()
  expect(said()).toBe('Dados lidos às 14:32')
})

test('the status strip says how old the data is when that is known', () => {
  const refreshed = '2026-03-10T06:10:00.000Z'
  show({}, undefined, refreshed)
  expect(said()).toBe('Dados de 10/03 03:10')
  cleanup()
  show({ isPaused: true }, undefined, refreshed)
  expect(said()).toBe('Em pausa · dados de 10/03 03:10')
  cleanup()
  show({}, at, refreshed)
  expect(said()).toBe('Sem conexão desde 14:32 · dados de 10/03 03:10')
})

test('the status strip says that the rotation is paused', () => {
  show({ isPaused: true })
  expect(said()).toBe('Em pausa · dados lidos às 14:32')
})

test('the status strip names the day after a night without a network', () => {
  vi.setSystemTime(at + 16 * 3_600_000)
  show({}, at + 60_000)
  expect(said()).toBe('Sem conexão desde 10/03/2026 14:33 · dados lidos em 10/03/2026 14:32')
})

test('the status strip says that the data is outdated, and why, when no page can be drawn', () => {
  const problem = new ApiProblem(503, { codigo: 'bi_pausado', detail: 'O serviço de BI está pausado.' })
  show({ error: problem })
  expect(said()).toBe('Dados lidos às 14:32')
  vi.setSystemTime(at + 100_000)
  cleanup()
  show({ error: problem })
  expect(said()).toBe('Dados lidos às 14:32, sem atualização. O serviço de BI está pausado.')
})

test.each([
  ['an exception', new TypeError("Cannot read properties of undefined (reading 'x')\n at draw (a.js:1:2)")],
  [
    'an error of the provider',
    { message: 'ExplorationContainer_42', detailedMessage: 'at Ana Lima, line 3' },
  ],
])('the status strip shows no text of %s', (_, error) => {
  vi.setSystemTime(at + 100_000)
  show({ error })
  expect(said()).toMatch(/^Dados lidos às 14:32, sem atualização\. [A-ZÀ-Ú]/)
  expect(said()).not.toMatch(/undefined|a\.js|Exploration|Ana Lima/)
})
