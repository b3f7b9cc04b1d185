import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Beneficiary } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { AttachmentForm } from './attachment-form.tsx'

const beneficiary: Beneficiary = {
  id: 7,
  nome_beneficiario: 'Pessoa Fictícia',
  id_beneficiario: '0099',
  data_nascimento: null,
  sexo: null,
  plano: null,
  operadora: null,
  versao: 1,
}

let server: Server
/** Undefined makes the server never respond. */
let answer: { status: number; body: object } | undefined
let sent: string[]
const onDirty = vi.fn()

beforeEach(async () => {
  vi.clearAllMocks()
  sent = []
  answer = { status: 201, body: { id: 12 } }
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    sent.push(Buffer.concat(chunks).toString())
    if (!answer) return
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  window.location.href = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  startSession(signedInUntil(Date.now() + 600_000))
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const show = (whose: Beneficiary | null = beneficiary) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <AttachmentForm beneficiary={whose} onDirty={onDirty} />
      </QueryClientProvider>
    </MantineProvider>,
  )
const title = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Título' })
const description = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Descrição' })
const type = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Tipo' })
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Enviar anexo' })

const write = () => {
  fireEvent.change(title(), { target: { value: 'Radiografia' } })
  fireEvent.change(description(), { target: { value: 'Joelho direito.' } })
}
const chooseType = async (name: 'IMG' | 'PDF') => {
  await userEvent.click(type())
  await userEvent.click(await screen.findByRole('option', { name }))
}
const starts = { 'image/png': '\x89PNG\r\n\x1a\n', 'application/pdf': '%PDF-1.7\n' } as Record<string, string>
const chooseFile = (name = 'exame.png', mime = 'image/png', content: string = starts[mime] ?? '') =>
  fireEvent.change(screen.getByLabelText('Arquivo', { selector: 'input' }), {
    target: { files: [new File([Buffer.from(content, 'latin1')], name, { type: mime })] },
  })
const refusal = (status: number, codigo: string) => ({
  status,
  body: {
    type: 'about:blank',
    title: 'x',
    status,
    detail: 'A frase do servidor.',
    codigo,
    idRequisicao: '1',
  },
})

test('the attachment form enables sending once title, type and description are filled; the file is optional', async () => {
  show()
  expect(send().disabled).toBe(true)
  write()
  expect(send().disabled).toBe(true)
  await chooseType('IMG')
  expect(send().disabled).toBe(false)
  fireEvent.change(title(), { target: { value: '   ' } })
  expect(send().disabled).toBe(true)
})

test.each([
  ['Título', title],
  ['Tipo', type],
  ['Descrição', description],
])('the attachment form marks %s as required only after it was left empty', async (_, field) => {
  show()
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  field().focus()
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  field().blur()
  expect(await screen.findAllByText('Campo obrigatório')).toHaveLength(1)
})

test('the attachment form sets the type from the file until the user chooses a type', async () => {
  show()
  chooseFile()
  await waitFor(() => expect(type().value).toBe('IMG'))
  chooseFile('laudo.pdf', 'application/pdf')
  await waitFor(() => expect(type().value).toBe('PDF'))
})

test('the attachment form keeps a chosen type and reports a file of the other type', async () => {
  show()
  write()
  await chooseType('PDF')
  chooseFile()
  expect(await screen.findByText(/O arquivo escolhido é uma imagem/)).toBeDefined()
  expect(type().value).toBe('PDF')
  expect(send().disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Tirar o arquivo exame.png' }))
  await waitFor(() => expect(send().disabled).toBe(false))
})

test('the attachment form shows name, format and size of the file; for a refused file, what is still attached', async () => {
  show()
  const field = within(screen.getByRole('group', { name: /Arquivo/ }))
  const said = () => field.getByRole('alert').textContent
  chooseFile('desenho.svg', 'image/svg+xml', '<svg/>')
  await waitFor(() =>
    expect(said()).toBe(
      'desenho.svg não foi anexado. Envie uma imagem PNG, JPEG ou WebP, ou um PDF. Nenhum arquivo está anexado.',
    ),
  )
  chooseFile('exame.png', 'image/png', `${starts['image/png']}${'x'.repeat(3_474)}`)
  expect(await screen.findByText('exame.png')).toBeDefined()
  expect(screen.getByText('PNG · 3,4 KB')).toBeDefined()
  expect(said()).toBe('')
  chooseFile('vazio.pdf', 'application/pdf', '')
  await waitFor(() =>
    expect(said()).toBe('vazio.pdf não foi anexado. O arquivo está vazio. Continua anexado: exame.png.'),
  )
  expect(screen.getByRole('button', { name: 'Tirar o arquivo exame.png' })).toBeDefined()
})

test('a refused file blocks sending until it is taken off, or sending without it is confirmed', async () => {
  show()
  write()
  await chooseType('IMG')
  expect(send().disabled).toBe(false)
  const refuse = async () => {
    chooseFile('desenho.svg', 'image/svg+xml', '<svg/>')
    await waitFor(() => expect(send().disabled).toBe(true))
  }
  await refuse()
  fireEvent.change(title(), { target: { value: 'Radiografia 2' } })
  expect(send().disabled).toBe(true)
  expect(screen.getByText('Para enviar, tire o arquivo desenho.svg ou escolha outro.')).toBeDefined()
  fireEvent.submit(send())
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Tirar o arquivo desenho.svg' }))
  expect(send().disabled).toBe(false)

  await refuse()
  await userEvent.click(screen.getByRole('button', { name: 'Enviar sem arquivo' }))
  expect(await screen.findByText('Anexo enviado!')).toBeDefined()
  expect(sent).toHaveLength(1)
  expect(sent[0]).not.toContain('name="arquivo"')
})

test('a refused file cannot be passed over while another one is attached', async () => {
  show()
  write()
  chooseFile()
  await waitFor(() => expect(send().disabled).toBe(false))
  chooseFile('vazio.pdf', 'application/pdf', '')
  await waitFor(() => expect(send().disabled).toBe(true))
  expect(screen.queryByRole('button', { name: 'Enviar sem arquivo' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Tirar o arquivo exame.png' }))
  expect(send().disabled).toBe(true)
  chooseFile()
  await waitFor(() => expect(send().disabled).toBe(false))
  fireEvent.click(send())
  expect(await screen.findByText('Anexo enviado!')).toBeDefined()
  expect(sent[0]).toContain('filename="exame.png"')
})

test('the form reports at once a file whose first bytes contradict its name', async () => {
  show()
  chooseFile('laudo.pdf', 'application/pdf', starts['image/png'])
  expect(await screen.findByText(/O conteúdo é PNG, mas o arquivo se apresenta como PDF\./)).toBeDefined()
  chooseFile('exame.png', 'image/png', '<html>')
  expect(await screen.findByText(/O conteúdo não é PNG, embora o nome diga que é\./)).toBeDefined()
  expect(type().value).toBe('')
  expect(sent).toEqual([])
})

test('the attachment form confirms the upload, empties the form and clears the dirty state', async () => {
  show()
  write()
  chooseFile()
  await waitFor(() => expect(send().disabled).toBe(false))
  expect(onDirty).toHaveBeenLastCalledWith(true)
  fireEvent.click(send())
  expect(await screen.findByText('Anexo enviado!')).toBeDefined()
  expect([title().value, type().value, description().value]).toEqual(['', '', ''])
  expect(screen.queryByText('exame.png')).toBeNull()
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  expect(sent).toHaveLength(1)
  expect(onDirty).toHaveBeenLastCalledWith(false)
  expect(sent[0]).toMatch(/name="id_beneficiario"\s+0099[\s\S]+name="arquivo"; filename="exame\.png"/)
})

test('the attachment form sends nothing without a beneficiary, and says why', async () => {
  show(null)
  write()
  await chooseType('IMG')
  expect(send().disabled).toBe(true)
  const reason = document.getElementById(send().getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe('Para enviar, falta: Beneficiário.')
  fireEvent.submit(send())
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(sent).toEqual([])
})

test('the attachment form shows the server’s refusal of a file at the file field and keeps the form', async () => {
  answer = refusal(415, 'arquivo_recusado')
  show()
  write()
  chooseFile('laudo.pdf', 'application/pdf')
  await waitFor(() => expect(send().disabled).toBe(false))
  fireEvent.click(send())
  expect(
    await within(screen.getByRole('group', { name: /Arquivo/ })).findByText('A frase do servidor.'),
  ).toBeDefined()
  expect([title().value, type().value, description().value]).toEqual([
    'Radiografia',
    'PDF',
    'Joelho direito.',
  ])
  expect(screen.getByText('laudo.pdf')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Tentar novamente' })).toBeNull()
})

test('the attachment form offers a retry with the same values after a transient error', async () => {
  answer = refusal(503, 'armazenamento_indisponivel')
  show()
  write()
  await chooseType('IMG')
  fireEvent.click(send())
  const again = await screen.findByRole('button', { name: 'Tentar novamente' })
  expect(screen.getByText('A frase do servidor.')).toBeDefined()
  expect(title().value).toBe('Radiografia')
  answer = { status: 201, body: { id: 13 } }
  fireEvent.click(again)
  expect(await screen.findByText('Anexo enviado!')).toBeDefined()
  expect(sent).toHaveLength(2)
})

test('the attachment form shows the progress of an upload and keeps the form when it is cancelled', async () => {
  answer = undefined
  show()
  write()
  await chooseType('IMG')
  fireEvent.click(send())
  expect(await screen.findByRole('progressbar')).toBeDefined()
  await waitFor(() => expect(sent).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }))
  expect(await screen.findByText(/Envio cancelado\./)).toBeDefined()
  expect(title().value).toBe('Radiografia')
})

test('the attachment form restores text and file after the session ended, for the same user', async () => {
  const { unmount } = show()
  write()
  chooseFile()
  expect(await screen.findByText('exame.png')).toBeDefined()
  endSession('terminou')
  unmount()
  startSession(signedInUntil(Date.now() + 600_000))
  show()
  expect(title().value).toBe('Radiografia')
  expect(screen.getByText('exame.png')).toBeDefined()
  expect(screen.getByText(/Recuperamos o que você tinha preenchido/)).toBeDefined()
})
