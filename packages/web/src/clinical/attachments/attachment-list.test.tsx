import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Attachment, Beneficiary } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import * as files from '../../lib/browser/save-file.ts'
import { startSession } from '../../lib/session/session.ts'
import { AttachmentList } from './attachment-list.tsx'

const attachment = (id: number, changes: Partial<Attachment> = {}): Attachment => ({
  id,
  titulo_anexo: `Título ${id}`,
  descricao_anexo: `Descrição ${id}`,
  data_anexo: '10/03/2026',
  tipo_anexo: 'IMG',
  tipo_usuario: 'USER',
  imagem_anexo: `/api/anexos/${id}/arquivo`,
  nome_beneficiario: 'Pessoa Fictícia',
  id_beneficiario: '0099',
  beneficiario: 7,
  enviado_por: 'Helena Duarte',
  idAutor: 9,
  registroAutor: 'COREN 123456/SP',
  formato: 'image/png',
  tamanho_bytes: 3_482,
  ...changes,
})

let server: Server
let rows: Attachment[]
let total: number
let fails: boolean
let asked: { line: string; reason: unknown }[]

beforeEach(async () => {
  ;[rows, total, fails, asked] = [[attachment(1), attachment(2)], 2, false, []]
  server = createServer((request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, reason: request.headers['x-motivo'] })
    if (fails) {
      const body = {
        type: 'about:blank',
        title: 'x',
        status: 503,
        detail: 'A frase do servidor.',
        codigo: 'x',
        idRequisicao: '1',
      }
      return response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.method === 'DELETE') return response.writeHead(204).end()
    if (request.url?.includes('/arquivo'))
      return response.writeHead(200, { 'content-type': 'image/png' }).end('bytes')
    response.writeHead(200, { 'content-type': 'application/json', 'x-total-count': String(total) })
    response.end(JSON.stringify(rows))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  window.location.href = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  startSession(signedInUntil(Date.now() + 600_000))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const show = (whose: Beneficiary | null = null) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <AttachmentList beneficiary={whose} />
      </QueryClientProvider>
    </MantineProvider>,
  )
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('the attachment list shows name, description, type, date and user type, five a page, no pager for one', async () => {
  show()
  expect(await screen.findByText('Descrição 1')).toBeDefined()
  const card = within(screen.getAllByRole('listitem')[0] as HTMLElement)
  for (const text of [
    'Helena Duarte',
    'usuário 9 · COREN 123456/SP',
    'Pessoa Fictícia',
    'IMG',
    '10/03/2026',
    'USER',
  ])
    expect(card.getByText(text)).toBeDefined()
  expect(asked.map(({ line }) => line)).toEqual(['GET /api/anexos?pagina=1&tamanho=5'])
  expect(screen.queryByRole('navigation', { name: 'Páginas' })).toBeNull()
})

test('the attachment list shows a pager for more than one page', async () => {
  total = 6
  show()
  await screen.findByText('Descrição 1')
  await press('Próximo')
  await waitFor(() => expect(asked.at(-1)?.line).toBe('GET /api/anexos?pagina=2&tamanho=5'))
})

test('the attachment list searches the type on the server', async () => {
  show()
  await userEvent.type(await screen.findByRole('searchbox'), 'pdf')
  await waitFor(() => expect(asked.at(-1)?.line).toBe('GET /api/anexos?busca=pdf&pagina=1&tamanho=5'))
})

test('the attachment list requests the attachments of a beneficiary by our number', async () => {
  show({ id: 7, nome_beneficiario: 'Pessoa Fictícia', id_beneficiario: '0099' } as Beneficiary)
  await screen.findByText('Descrição 1')
  expect(asked[0]?.line).toBe('GET /api/anexos?beneficiario=7&pagina=1&tamanho=5')
  expect(screen.getByText('De Pessoa Fictícia')).toBeDefined()
})

test('the attachment list shows an empty list as such, and a failure with a retry', async () => {
  ;[rows, total, fails] = [[], 0, true]
  show()
  expect(await screen.findByText('A frase do servidor.')).toBeDefined()
  fails = false
  await press('Tentar novamente')
  expect(await screen.findByText('Ainda não há anexos.')).toBeDefined()
})

test('the attachment list requires a reason to archive, sends it and reloads the list', async () => {
  show()
  await screen.findByText('Descrição 1')
  await press('Excluir Título 1')
  const dialog = await screen.findByRole('dialog', { name: 'Deseja mesmo excluir esse anexo?' })
  await press('Sim, excluir')
  expect(await within(dialog).findByText('Campo obrigatório')).toBeDefined()
  expect(asked.some(({ line }) => line.startsWith('DELETE'))).toBe(false)
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Motivo' }), 'Enviado por engano')
  rows = [attachment(2)]
  await press('Sim, excluir')
  expect(await screen.findByRole('dialog', { name: 'Anexo Excluido!' })).toBeDefined()
  expect(asked.find(({ line }) => line === 'DELETE /api/anexos/1')?.reason).toBe('Enviado%20por%20engano')
  await waitFor(() => expect(screen.queryByText('Descrição 1')).toBeNull())
})

test('the attachment list requests a download as such and saves it under a name without personal data', async () => {
  const save = vi.spyOn(files, 'saveFile').mockReturnValue()
  show()
  await screen.findByText('Descrição 1')
  await press('Baixar Título 1')
  await waitFor(() => expect(save.mock.calls[0]?.[1]).toBe('anexo-1.png'))
  expect(asked.at(-1)?.line).toBe('GET /api/anexos/1/arquivo?baixar=1')
})

test('the attachment list shows every field in the details and zooms with keys from 60%', async () => {
  show()
  await screen.findByText('Descrição 1')
  await press('Detalhes de Título 1')
  const dialog = within(await screen.findByRole('dialog', { name: 'Detalhes do anexo' }))
  for (const text of [
    'Título 1',
    'Pessoa Fictícia',
    '0099',
    'Descrição 1',
    'IMG',
    '10/03/2026',
    'Helena Duarte',
    'usuário 9 · COREN 123456/SP',
    'USER',
    'PNG · 3,4 KB',
  ])
    expect(dialog.getByText(text)).toBeDefined()
  const slider = await dialog.findByRole('slider', { name: 'Zoom' })
  expect(dialog.getByText('60%')).toBeDefined()
  expect(slider.getAttribute('aria-valuenow')).toBe('60')
  const key = (name: string) => fireEvent.keyDown(dialog.getByRole('region'), { key: name })
  key('+')
  expect(dialog.getByText('65%')).toBeDefined()
  key('-')
  key('-')
  expect(dialog.getByText('55%')).toBeDefined()
  key('0')
  expect(dialog.getByText('60%')).toBeDefined()
  expect(asked.at(-1)?.line).toBe('GET /api/anexos/1/arquivo')
})

test('the attachment list offers no download for an attachment without a file', async () => {
  rows = [attachment(3, { imagem_anexo: null, formato: null, tamanho_bytes: null, nome_beneficiario: null })]
  show()
  expect(await screen.findByText('Sem beneficiário')).toBeDefined()
  expect(screen.queryByRole('button', { name: /Baixar/ })).toBeNull()
  await press('Detalhes de Título 3')
  expect(await screen.findByText('Este anexo foi enviado sem arquivo.')).toBeDefined()
  expect(screen.queryByRole('button', { name: /Baixar/ })).toBeNull()
})
