import type { FolderResult } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FolderSection } from './folder-section.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Stands in for the viewer, which needs a browser. */
const Preview = ({ previa, nomeRelatorio }: { previa: { reportId: string }; nomeRelatorio: string }) => (
  <p>{`${nomeRelatorio}: ${previa.reportId}`}</p>
)

const report = {
  reportId: 'r',
  nome: 'Vendas',
  idGrupo: 'g',
  nomeGrupo: 'Área',
  substitui: false,
  papeis: [],
}
const show = async (result: Partial<FolderResult>) => {
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    if (!url.endsWith('/previa'))
      return Response.json({ erros: [], avisos: [], idPowerBI: 1, relatorios: [], ...result })
    const { reportId } = JSON.parse(String(body))
    const previa = {
      reportId,
      embedUrl: 'https://bi.test/x',
      embedToken: 't',
      expiration: '2030-01-01T00:00:00Z',
    }
    return Response.json({ erros: [], previa })
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <FolderSection rascunho="0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11" Preview={Preview} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Publicar' })
  return { isEnabled: async () => vi.waitFor(() => expect(button.disabled).toBe(false)), button }
}

test('the section lists the reports of a folder, and which of them are replaced', async () => {
  const { isEnabled } = await show({
    relatorios: [report, { ...report, reportId: 's', nome: 'Custos', substitui: true }],
  })
  await isEnabled()
  const [kept, replaced] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(kept).toBe('Vendas, no workspace Área')
  expect(replaced).toBe('Custos, no workspace Área · substitui o que está publicado')
})

test('the section publishes nothing with errors, which have file, line and position', async () => {
  const fault = 'v/dataset.json: name: falta este campo (linha 1, coluna 1)'
  const { button } = await show({ erros: [fault] })
  await screen.findByText(fault)
  expect(button.disabled).toBe(true)
  // The files are on the person's disk: no editor shows the line.
  expect(screen.queryByRole('button', { name: 'Ir para a linha' })).toBeNull()
})

test('the section lists warnings apart from what must be corrected', async () => {
  await show({ erros: ['a.json: falta este campo'], avisos: ['a.csv: a coluna CEP fica como texto'] })
  const errors = await screen.findByRole('alert', { name: 'Corrija antes de publicar' })
  expect(errors.textContent).not.toContain('CEP')
  expect(screen.getByRole('alert', { name: 'Avisos' }).textContent).toContain('CEP')
})

test('the section says that a folder has data only', async () => {
  const { isEnabled } = await show({})
  await isEnabled()
  screen.getByText(/só os dados serão publicados/)
})

test('the section shows the report of the folder that the person chooses', async () => {
  await show({ relatorios: [report, { ...report, reportId: 's', nome: 'Custos' }] })
  await screen.findByText('Vendas: r')
  fireEvent.change(screen.getByLabelText('Relatório da prévia'), { target: { value: 's' } })
  await screen.findByText('Custos: s')
})

test('the section asks for the roles of reports with row-level security, and shows no preview of them', async () => {
  const secured = { ...report, papeis: ['Unidade', 'Diretoria'] }
  const { isEnabled } = await show({
    relatorios: [secured, { ...report, reportId: 's', nome: 'Custos' }],
  })
  await isEnabled()
  screen.getByText(/^Sem prévia: os dados têm segurança em nível de linha/)
  expect(screen.queryByText('Vendas: r')).toBeNull()
  screen.getByText('Sem um papel no cadastro, ninguém abre “Vendas”, nem administradores.')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Unidade' }))
  expect(screen.queryByText(/ninguém abre/)).toBeNull()
})
