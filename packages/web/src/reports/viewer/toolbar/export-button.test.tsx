import { MantineProvider } from '@mantine/core'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ComponentProps, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ExportButton } from './export-button.tsx'

const id = '11111111-aaaa-4111-8111-111111111111'
const filtros = { operadora: 'CNU', sexo: '', titularidade: '' }
type Props = ComponentProps<typeof ExportButton>
const report = {
  capture: async () => ({ pagina: 'geral', marcador: 'eyJ9', isTooLong: false, filtros }),
}
const saved: string[] = []
const bodies: unknown[] = []
let answers: Record<string, () => Response | Promise<Response>>

beforeEach(() => {
  saved.length = 0
  bodies.length = 0
  const job = { idExportacao: id, estado: 'PRONTA', percentual: 100, motivo: null, esperaSegundos: null }
  answers = {
    start: () => Response.json({ ...job, estado: 'NA_FILA', percentual: 0 }, { status: 201 }),
    look: () => Response.json(job),
    file: () => new Response('PK', { headers: { 'content-type': 'application/octet-stream' } }),
  }
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (body) bodies.push(JSON.parse(String(body)))
    if (url.endsWith('/arquivo')) return answers.file?.()
    return method === 'POST' ? answers.start?.() : answers.look?.()
  })
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: vi.fn() }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

let change: (props: Partial<Props>) => void
const Toolbar = (first: Partial<Props>) => {
  const [props, setProps] = useState(first)
  const [note, setNote] = useState('')
  const [progress, setProgress] = useState('')
  change = (next) => act(() => setProps((before) => ({ ...before, ...next })))
  return (
    <MantineProvider env="test">
      <p data-testid="note">{note}</p>
      <p data-testid="progress">{progress}</p>
      <ExportButton
        report={report}
        idRelatorio={7}
        nomeRelatorio="Custos"
        isLoaded
        onNote={setNote}
        onProgress={setProgress}
        {...props}
      />
    </MantineProvider>
  )
}
const note = () => screen.getByTestId('note').textContent
const progress = () => screen.getByTestId('progress').textContent
const visualToExport = { pagina: 'geral', visual: 'por_uf', titulo: 'Custo por estado' }

test('the export button exports the data of a visual as it is on the screen, and says so next to the toolbar', async () => {
  render(<Toolbar />)
  change({ visualToExport })
  expect(progress()).toBe('Gerando a planilha de “Custo por estado”…')
  await waitFor(() => expect(note()).toBe('Planilha salva nos seus downloads.'), { timeout: 5_000 })
  expect(progress()).toBe('')
  expect(bodies).toEqual([
    { formato: 'XLSX', pagina: 'geral', visual: 'por_uf', filtros, marcador: 'eyJ9', parametros: [] },
  ])
  expect(saved).toEqual(['Custos - Custo por estado.xlsx'])
  // The same visual again is another request.
  change({ visualToExport: { ...visualToExport } })
  await waitFor(() => expect(saved).toHaveLength(2), { timeout: 5_000 })
})

test('the export button keeps a running export, and says that the reader must wait', async () => {
  answers.look = () => new Promise(() => undefined)
  render(<Toolbar />)
  change({ visualToExport })
  await waitFor(() => expect(bodies).toHaveLength(1))
  change({ visualToExport: { ...visualToExport, visual: 'outro' } })
  expect(note()).toBe('Aguarde: outra exportação está em andamento.')
  expect(progress()).toBe('Gerando a planilha de “Custo por estado”…')
  expect(bodies).toHaveLength(1)
})

test('the export button says nothing more of an export that the reader has cancelled', async () => {
  answers.look = () => new Promise(() => undefined)
  render(<Toolbar />)
  change({ visualToExport })
  await userEvent.click(screen.getByRole('button', { name: 'Exportar' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancelar' }))
  await waitFor(() => expect(progress()).toBe(''))
  expect(note()).toBe('')
})

test('the export button says why the data of a visual could not be exported', async () => {
  const problem = { type: 'x', title: 'x', status: 429, codigo: 'muitas_exportacoes', idRequisicao: '1' }
  answers.start = () => Response.json({ ...problem, detail: 'Aguarde uma terminar.' }, { status: 429 })
  render(<Toolbar />)
  change({ visualToExport })
  await waitFor(() => expect(note()).toBe('Aguarde uma terminar.'))
})

test("the export button exports the page's data", async () => {
  render(<Toolbar />)
  await userEvent.click(screen.getByRole('button', { name: 'Exportar' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Dados da página (XLSX)' }))
  await waitFor(() => expect(saved).toEqual(['Custos.xlsx']), { timeout: 5_000 })
  expect(bodies).toEqual([
    { formato: 'XLSX', pagina: 'geral', visual: null, filtros, marcador: 'eyJ9', parametros: [] },
  ])
  expect(note()).toBe('')
})

test('the export button offers no spreadsheet of a report that Microsoft shows, and names the menu of the visual', async () => {
  render(<Toolbar isLocal={false} />)
  await userEvent.click(screen.getByRole('button', { name: 'Exportar' }))
  const choices = await screen.findAllByRole('listitem')
  expect(choices.map(({ textContent }) => textContent)).toEqual([
    'PDF desta página',
    'PDF do relatório inteiro',
    'Imagem (PNG) desta página',
  ])
  await screen.findByText(/use o menu do próprio visual/)
})
