import { PRESCRIPTION_NOTE } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf, problem } from '../../../test/answers.ts'
import { aRecord, versionsOf } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { RecordList } from './record-list.tsx'

const stored = aRecord()
const edited = aRecord({
  descricao_hd: 'Angina estável',
  alterado_por: 'Caio Prado',
  idAlteradoPor: 8,
  alterado_em: '2026-03-11T15:30:00.000Z',
  versao: 2,
})
const of = 'prontuário nº 12 de Joana Prado'
const reading = 'Informações prontuário'
const editing = 'Editar prontuário'

const open = async () => {
  const router = createMemoryRouter(
    [
      { path: '/', element: <RecordList beneficiary={null} /> },
      { path: '/outra', element: <h1>Outra</h1> },
    ],
    { initialEntries: ['/'] },
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByRole('listitem')
  return router
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const dialog = (name: string) => screen.findByRole('dialog', { name })
const write = (label: RegExp, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const pairs = (within: Element) =>
  Object.fromEntries(
    [...within.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling?.textContent]),
  )

const answers = () => ({
  'GET /api/prontuarios': () => listOf([stored]),
  'GET /api/prontuarios/12': () => Response.json(stored),
})

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

test('the record dialog shows all fields of a record, fetched again on opening', async () => {
  const { sent } = answerWith({ ...answers(), 'GET /api/prontuarios/12': () => Response.json(edited) })
  await open()
  press(`Ver ${of}`)
  const shown = await dialog(reading)
  await within(shown).findByText('Angina estável')
  expect(pairs(shown)).toEqual({
    'Nome do beneficiário': 'Joana Prado',
    'ID do beneficiário': 'CNU-0001',
    Especialidade: 'Cardiologia',
    'Data do prontuário': '10/03/2026',
    'Risco de custo': 'Alto custo de exames',
    'Risco da doença': 'Risco de erro médico',
    'Descrição HD': 'Angina estável',
    Prescrição: 'AAS 100 mg',
    'Registrado por': 'Ana Martins · usuário 7 · CRM 12345/PR',
    'Última alteração': 'Caio Prado · usuário 8, 11/03/2026 12:30 (versão\u00a02)',
  })
  within(shown).getByText(PRESCRIPTION_NOTE)
  expect(sent.filter(({ url }) => url === '/api/prontuarios/12')).toHaveLength(1)
})

test('the record dialog shows nothing of a record that no longer exists, and refetches the list', async () => {
  const server = answerWith({ ...answers(), 'GET /api/prontuarios/12': () => problem(404, 'Não existe.') })
  await open()
  press(`Ver ${of}`)
  const shown = await dialog(reading)
  await within(shown).findByText('Não existe.')
  expect(shown.textContent).not.toContain('Joana Prado')
  await waitFor(() =>
    expect(server.sent.filter(({ url }) => url.startsWith('/api/prontuarios?'))).toHaveLength(2),
  )
})

test('the record dialog records a print before it mounts the sheet and opens the print dialog', async () => {
  let isRecorded = false
  answerWith({
    ...answers(),
    'POST /api/prontuarios/12/impressao': () => {
      isRecorded = true
      return new Response(null, { status: 204 })
    },
  })
  const sheets: (string | null | undefined)[] = []
  vi.stubGlobal('print', () => {
    expect(isRecorded).toBe(true)
    sheets.push(document.querySelector('body > article')?.textContent)
  })
  await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Imprimir')
  await waitFor(() => expect(sheets).toHaveLength(1))
  for (const text of [
    'Joana Prado',
    'Dor torácica',
    'AAS 100 mg',
    PRESCRIPTION_NOTE,
    'Contém dados pessoais sensíveis (LGPD)',
  ])
    expect(sheets[0]).toContain(text)
  act(() => void window.dispatchEvent(new Event('afterprint')))
  expect(document.querySelector('body > article')).toBeNull()
})

test('the dialog does not print when the print cannot be recorded', async () => {
  answerWith({ ...answers(), 'POST /api/prontuarios/12/impressao': () => problem(503, 'Tente já já.') })
  const print = vi.fn()
  vi.stubGlobal('print', print)
  await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Imprimir')
  expect((await screen.findByText('Tente já já.')).closest('[role="alert"]')).not.toBeNull()
  expect(print).not.toHaveBeenCalled()
})

test('the record dialog saves the PDF under a name without personal data', async () => {
  answerWith({ ...answers(), 'GET /api/prontuarios/12/pdf': () => new Response('%PDF-1.7') })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Baixar PDF')
  await waitFor(() => expect(names).toEqual(['prontuario-12.pdf']))
})

test('the record dialog lists the versions with author, time and the text before and after', async () => {
  answerWith({
    ...answers(),
    'GET /api/prontuarios/12': () => Response.json(edited),
    'GET /api/prontuarios/12/versoes': () => Response.json(versionsOf(edited, stored)),
  })
  await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Versões')
  const shown = await dialog('Versões do prontuário')
  const [second, first] = await within(shown).findAllByRole('listitem')
  expect(second?.textContent).toContain('Versão 2 atual')
  expect(second?.textContent).toContain('Alterado por Caio Prado · usuário 8 em 11/03/2026 12:30')
  expect(second && pairs(second)).toEqual({ Antes: 'Dor torácica', Depois: 'Angina estável' })
  expect(second?.textContent).toContain('Descrição HD alterado')
  expect(second?.textContent).toContain(
    'Sem mudança: Especialidade, Risco de custo, Risco da doença, Prescrição.',
  )
  expect(first?.textContent).toContain('Registrado por Ana Martins · usuário 7 · CRM 12345/PR')
  press('Voltar ao prontuário')
  await dialog(reading)
})

test('the record dialog loads versions beyond the first hundred on demand, each compared with its predecessor', async () => {
  const many = Array.from({ length: 130 }, (_, n) =>
    aRecord({ ...edited, versao: 130 - n, descricao_hd: `Texto ${130 - n}` }),
  )
  const versions = versionsOf(...many)
  // A version was saved between the two requests: the second page repeats the last one of the
  // first.
  const pages = [versions.slice(0, 100), versions.slice(99)]
  const server = answerWith({
    ...answers(),
    'GET /api/prontuarios/12': () => Response.json(many[0]),
    'GET /api/prontuarios/12/versoes': () => Response.json(pages.shift()),
  })
  await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Versões')
  const shown = await dialog('Versões do prontuário')
  // Version 31 is shown only once version 30 is loaded.
  const items = () => shown.querySelectorAll('li')
  await waitFor(() => expect(items()).toHaveLength(99))
  expect(shown.textContent).not.toContain('original')
  press('Mostrar versões anteriores')
  await waitFor(() => expect(items()).toHaveLength(130))
  const compared = items()[99]
  expect(compared && pairs(compared)).toEqual({ Antes: 'Texto 30', Depois: 'Texto 31' })
  expect(items()[129]?.textContent).toContain('Versão 1 original')
  expect(screen.queryByText('Mostrar versões anteriores')).toBeNull()
  expect(server.of('GET').flatMap(({ url }) => (url.includes('/versoes') ? [url] : []))).toEqual(
    [1, 2].map((page) => `/api/prontuarios/12/versoes?pagina=${page}&tamanho=100`),
  )
})

test('the record dialog sends an edit with If-Match, confirms it and refetches the list', async () => {
  const server = answerWith({ ...answers(), 'PUT /api/prontuarios/12': () => Response.json(edited) })
  await open()
  press(`Editar ${of}`)
  await dialog(editing)
  await screen.findByLabelText(/^Descrição HD/)
  expect(screen.queryByLabelText(/beneficiário/)).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Gravar' }).disabled).toBe(true)
  write(/^Descrição HD/, 'Angina estável')
  press('Gravar')
  expect(await dialog(reading)).toBeDefined()
  expect(screen.getByText('Prontuário editado! A versão anterior ficou guardada.')).toBeDefined()
  const [put] = server.of('PUT')
  expect(put?.headers['if-match']).toBe('"1"')
  expect(put?.body).toEqual({
    especialidade: 'Cardiologia',
    risco_custo: 'Alto custo de exames',
    risco_doenca: 'Risco de erro médico',
    descricao_hd: 'Angina estável',
    prescricao_beneficiario: 'AAS 100 mg',
  })
  expect(server.sent.filter(({ url }) => url.startsWith('/api/prontuarios?'))).toHaveLength(2)
})

test('the record dialog marks an emptied field as required on blur and disables saving', async () => {
  answerWith(answers())
  await open()
  press(`Editar ${of}`)
  const field = await screen.findByLabelText(/^Prescrição/)
  write(/^Prescrição/, ' ')
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  fireEvent.blur(field)
  expect(screen.getByText('Campo obrigatório')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Gravar' }).disabled).toBe(true)
})

test('the record dialog shows a concurrent change field by field and keeps the typed text', async () => {
  let current = stored
  const server = answerWith({
    ...answers(),
    'GET /api/prontuarios/12': () => Response.json(current),
    'PUT /api/prontuarios/12': () => problem(412, 'Caio Prado alterou Descrição HD em 11/03/2026 12:30.'),
  })
  await open()
  press(`Editar ${of}`)
  await screen.findByLabelText(/^Descrição HD/)
  write(/^Descrição HD/, 'Pericardite')
  current = edited
  press('Gravar')
  const conflict = await dialog('Outra pessoa alterou este prontuário')
  expect(conflict.textContent).toContain('Caio Prado alterou Descrição HD')
  const choice = within(conflict).getByRole('radiogroup', { name: 'Descrição HD' })
  expect(choice.textContent).toContain('Pericardite')
  expect(choice.textContent).toContain('Angina estável')
  server.answers['PUT /api/prontuarios/12'] = () =>
    Response.json({ ...edited, descricao_hd: 'Pericardite', versao: 3 })
  press('Gravar esta escolha')
  await dialog(reading)
  const last = server.of('PUT').at(-1)
  expect(last?.headers['if-match']).toBe('"2"')
  expect(last?.body).toMatchObject({ descricao_hd: 'Pericardite' })
})

test('the record dialog asks before closing, cancelling or leaving the page with unsaved text', async () => {
  answerWith(answers())
  const router = await open()
  press(`Ver ${of}`)
  await dialog(reading)
  press('Editar')
  await screen.findByLabelText(/^Descrição HD/)
  write(/^Descrição HD/, 'Pericardite')
  press('Fechar')
  await dialog('Sair sem gravar?')
  press('Continuar editando')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sair sem gravar?' })).toBeNull())
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Descrição HD/).value).toBe('Pericardite')
  await act(() => router.navigate('/outra'))
  await dialog('Sair sem gravar?')
  press('Continuar editando')
  expect(router.state.location.pathname).toBe('/')
  press('Cancelar')
  await dialog('Sair sem gravar?')
  press('Sair sem gravar')
  // Back to the view from which the edit was started.
  const shown = await dialog(reading)
  expect(shown.textContent).toContain('Dor torácica')
  press('Fechar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
