import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listOf, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { ImportWorkspaces } from './import-workspaces.tsx'

const names = ['A', 'B', 'C', 'D', 'E']

/** Groups whose reports are being read, now and at most. */
let reading: { now: number; most: number }
let reads: string[]
let registered: Set<string>
let isRefused: boolean
let isEmpty: boolean

const answerTime = () => new Promise((resolve) => setTimeout(resolve, 5))

const answer = async (url: string, method: string): Promise<Response> => {
  const [, idGrupo = ''] = /grupos\/(\w)\/relatorios/.exec(url) ?? []
  if (idGrupo) {
    reads.push(idGrupo)
    reading.now += 1
    reading.most = Math.max(reading.most, reading.now)
    await answerTime()
    reading.now -= 1
    const reportId = `report ${idGrupo}`
    const jaCadastrado = registered.has(reportId)
    return Response.json([{ reportId, nome: `Relatório ${idGrupo}`, jaCadastrado, impedimento: null }])
  }
  if (url.endsWith('/operadoras')) return Response.json([])
  if (url.endsWith('/powerbi/4')) return Response.json({ idPowerBI: 4, provedor: 'local' })
  if (isEmpty && url.endsWith('/grupos')) return Response.json([])
  if (url.endsWith('/grupos'))
    return Response.json(names.map((name) => ({ idGrupo: name, nomeGrupo: name, idGrupoRelatorio: 1 })))
  if (method !== 'POST') return listOf([{ idPowerBI: 4, nome: 'Matriz', username: 'app' }])
  await answerTime()
  if (isRefused) return problem(409, 'Já está cadastrado.')
  registered.add('report A')
  return Response.json([{ idRelatorio: 1, reportId: 'report A', nomeRelatorio: 'Relatório A' }])
}

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  reading = { now: 0, most: 0 }
  reads = []
  registered = new Set()
  isRefused = false
  isEmpty = false
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit) => answer(url, method))
})
afterEach(() => vi.unstubAllGlobals())

const focused = () => document.activeElement?.textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

const openGroups = async () => {
  const router = createMemoryRouter([
    { path: '/', element: <ImportWorkspaces isOpen onClose={() => undefined} /> },
  ])
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.click(await screen.findByRole('combobox', { name: 'Power Bi' }))
  await userEvent.click(await screen.findByRole('option', { name: /Matriz/ }))
}

const openReports = async () => {
  await openGroups()
  await screen.findByRole('checkbox', { name: 'A' })
  expect(focused()).not.toBe('1. Escolha os grupos')
  for (const name of names) await userEvent.click(screen.getByRole('checkbox', { name }))
  await press('Ver relatórios')
  await waitFor(() => expect(reads).toEqual(names))
}

test('each step focuses its heading, and a step back too', async () => {
  await openReports()
  expect(focused()).toBe('2. Escolha os relatórios')
  await press('Voltar')
  expect(focused()).toBe('1. Escolha os grupos')
})

test('the page reads three groups at a time, also again after an import', async () => {
  await openReports()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Relatório A' }))
  await userEvent.type(screen.getByRole('combobox', { name: 'Operadora para todos' }), 'CNU')
  isRefused = true
  await press('Importar')
  await waitFor(() => expect(focused()).toBe('Nenhum relatório importado. 1 workspace falhou.'))
  expect([reads.length, reading.most]).toEqual([5, 3])
  // Another administrator has registered it.
  registered.add('report A')
  await press('Voltar e corrigir')
  expect(focused()).toBe('2. Escolha os relatórios')
  await waitFor(() => expect(reads).toEqual([...names, ...names]))
  const again = await screen.findByRole('checkbox', { name: 'Relatório A' })
  await waitFor(() => expect(again.hasAttribute('disabled')).toBe(true))
  expect(reading.most).toBe(3)
})

test('an empty local service leads to the publication', async () => {
  isEmpty = true
  await openGroups()
  const publish = await screen.findByRole('link', { name: 'Publicar relatório' })
  expect(publish.getAttribute('href')).toBe('/publicar')
})
