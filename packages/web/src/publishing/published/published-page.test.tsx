import type { PublishedReport, ReportVersion } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PublishedPage } from './published-page.tsx'

const reportId = '5b218778-e7a5-4d73-8187-f10824047715'
const version = (numero: number, more: Partial<ReportVersion> = {}): ReportVersion => ({
  numero,
  em: '2026-03-05T12:00:00.000Z',
  autor: 'Ana Souza',
  origem: 'PORTAL',
  dados: 'GUARDADOS',
  mudancas: ['Definição alterada: 2 visuais novos'],
  ...more,
})
const report: PublishedReport = {
  reportId,
  nome: 'Custos',
  workspace: { idGrupo: 'g', nome: 'Saúde' },
  idRelatorio: 7,
  versoes: 3,
  ultima: { ...version(3), mudancas: ['Dados substituídos (5.000 linhas)'] },
}

let sent: [string, unknown][]
let outcome: { erros: string[]; avisos: string[] }
beforeEach(() => {
  sent = []
  outcome = { erros: [], avisos: [] }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (method === 'POST') {
      sent.push([url, JSON.parse(String(body))])
      return Response.json(outcome)
    }
    if (url.endsWith('/tabelas')) return Response.json([])
    if (url.endsWith('/agenda')) return Response.json({ temPasta: false, agenda: null })
    if (url.endsWith('/versoes'))
      return Response.json([
        version(3, { dados: 'ATUAIS', mudancas: ['Dados substituídos (5.000 linhas)'] }),
        version(2),
        version(1, { dados: 'AUSENTES', autor: null, origem: 'PASTA' }),
      ])
    return Response.json([report, { ...report, reportId: 'x', nome: 'Água', ultima: null, versoes: 0 }])
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (path: string) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path="/publicados/:reportId?" element={<PublishedPage />} />
          </Routes>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('the page lists the published reports with their last version, and finds them by name', async () => {
  show('/publicados')
  const link = await screen.findByRole('link', { name: 'Custos' })
  expect(link.getAttribute('href')).toBe(`/publicados/${reportId}`)
  expect(screen.getByText('Dados substituídos (5.000 linhas)')).toBeTruthy()
  expect(screen.getByText('Versão 3, 05/03/2026 09:00, por Ana Souza, pelo portal')).toBeTruthy()
  expect(screen.getByText('A primeira versão é guardada na próxima publicação.')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox'), 'agua')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Custos' })).toBeNull())
  expect(screen.getByRole('link', { name: 'Água' })).toBeTruthy()
})

test('the page restores a version after a confirmation, with its data', async () => {
  show(`/publicados/${reportId}`)
  await screen.findByRole('heading', { name: 'Versão 3 atual' })
  expect(screen.queryByRole('button', { name: 'Restaurar a versão 3' })).toBeNull()
  await press('Restaurar a versão 2')
  await press('Não, cancelar')
  expect(sent).toEqual([])
  await press('Restaurar a versão 2')
  await press('Sim, restaurar')
  await screen.findByText('A versão 2 foi restaurada como uma versão nova.')
  expect(sent).toEqual([
    [
      expect.stringContaining(`/publicacoes/relatorios/${reportId}/versoes/2/restauracao`),
      { comDados: true },
    ],
  ])
})

test('the page keeps the data of today when asked to, or when those of the version are gone', async () => {
  show(`/publicados/${reportId}`)
  await press('Restaurar a versão 2')
  await userEvent.click(screen.getByLabelText('Restaurar também os dados desta versão'))
  await press('Sim, restaurar')
  await waitFor(() => expect(sent).toHaveLength(1))
  await screen.findByText('A versão 2 foi restaurada como uma versão nova.')
  await press('Restaurar a versão 1')
  await screen.findByText(/Só a definição pode voltar/)
  expect(screen.queryByLabelText('Restaurar também os dados desta versão')).toBeNull()
  await press('Sim, restaurar')
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent.map(([, body]) => body)).toEqual([{ comDados: false }, { comDados: false }])
})

test('the page says why a version does not fit the data of today, and stays open', async () => {
  outcome = { erros: ['Relatório: pages[0]: a coluna y não existe'], avisos: [] }
  show(`/publicados/${reportId}`)
  await press('Restaurar a versão 2')
  await press('Sim, restaurar')
  await screen.findByText('Nada foi restaurado')
  expect(screen.getByText('Relatório: pages[0]: a coluna y não existe')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sim, restaurar' })).toBeTruthy()
})

test('the page says when a report is no longer published', async () => {
  show('/publicados/outro')
  await screen.findByText('Este relatório não está mais no serviço local.')
})
