import type { Beneficiary } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { Activity } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf, problem } from '../../../test/answers.ts'
import { aRecord } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose } from '../../lib/session/purpose.ts'
import { startSession } from '../../lib/session/session.ts'
import { RecordList } from './record-list.tsx'

const joana: Beneficiary = {
  id: 3,
  nome_beneficiario: 'Joana Prado',
  id_beneficiario: 'CNU-0001',
  data_nascimento: null,
  sexo: null,
  plano: null,
  operadora: null,
  versao: 1,
}

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

const screenOf = (beneficiary: Beneficiary | null, env: 'test' | 'default', client: QueryClient) => (
  <MantineProvider env={env}>
    <QueryClientProvider client={client}>
      <RouterProvider
        router={createMemoryRouter([{ path: '/', element: <RecordList beneficiary={beneficiary} /> }])}
      />
    </QueryClientProvider>
  </MantineProvider>
)

const open = (beneficiary: Beneficiary | null = null, env: 'test' | 'default' = 'test') =>
  render(screenOf(beneficiary, env, newClient()))

const five = (from: number) => Array.from({ length: 5 }, (_, at) => aRecord({ id: from + at }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const parametersOf = (url: string | undefined) =>
  Object.fromEntries(new URLSearchParams(url?.split('?')[1] ?? ''))

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the record list shows the date alone when a portal of an earlier version sends no instant', async () => {
  const { registrado_em: _, ...earlier } = aRecord()
  answerWith({
    'GET /api/prontuarios': () => listOf([earlier as typeof earlier & { registrado_em: string }]),
  })
  open()
  const card = await screen.findByRole('listitem')
  expect([...card.querySelectorAll('dd')].map(({ textContent }) => textContent)).toContainEqual(
    expect.stringContaining(earlier.data_prontuario),
  )
})

test('the record list shows the required columns and three actions, five records a page, no pager for one', async () => {
  const { sent } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  open()
  const card = await screen.findByRole('listitem')
  expect([...card.querySelectorAll('dt')].map((name) => name.textContent)).toEqual([
    'Beneficiário',
    'Especialidade',
    'Data do prontuário',
    'Trecho',
  ])
  for (const text of ['Joana Prado', 'Cardiologia', '10/03/2026, 14:05', 'Dor torácica'])
    expect(within(card).getByText(text)).toBeDefined()
  expect(card.textContent).toContain('por Ana Martins · usuário 7 · CRM 12345/PR')
  expect(within(card).getByText('Ana Martins').tagName).toBe('BDI')
  expect(within(card).getByText('usuário 7 · CRM 12345/PR')).toBeDefined()
  // Seen, it would dangle at the end of a narrow line.
  expect(within(card).getByText('·').className).toContain('VisuallyHidden')
  expect(card.textContent).not.toContain('alterado')
  const of = 'prontuário nº 12 de Joana Prado'
  for (const verb of ['Ver', 'Editar', 'Excluir'])
    expect(within(card).getByRole('button', { name: `${verb} ${of}` })).toBeDefined()
  expect(screen.queryByRole('navigation', { name: 'Páginas' })).toBeNull()
  expect(screen.getByText('De todos os beneficiários')).toBeDefined()
  expect(parametersOf(sent[0]?.url)).toEqual({ pagina: '1', tamanho: '5' })
})

test('the list is compact for one beneficiary: no name on each record, and an excerpt instead of the text', async () => {
  const long = `Dor torácica. ${'Sem alteração. '.repeat(30)}`
  const { sent } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord({ descricao_hd: long })]) })
  open(joana)
  const card = await screen.findByRole('listitem')
  expect(card.parentElement?.getAttribute('data-compact')).toBe('true')
  expect([...card.querySelectorAll('dt')].map((name) => name.textContent)).toEqual([
    'Especialidade',
    'Data do prontuário',
    'Trecho',
  ])
  expect(card.textContent).toContain('10/03/2026, 14:05por Ana Martins')
  expect(card.textContent).toContain('Dor torácica. Sem alteração.')
  expect(card.textContent).toContain('…')
  expect(card.textContent).not.toContain(long)
  expect(card.textContent).not.toContain('Joana Prado')
  // The excerpt is part of the list, which the access log lists: nothing else is read.
  expect(sent.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual(['GET /api/prontuarios'])
})

test('the record list shows on each card who changed the record last, and when', async () => {
  answerWith({
    'GET /api/prontuarios': () =>
      listOf([
        aRecord({
          alterado_por: 'Caio Médico',
          idAlteradoPor: 8,
          registroAlteradoPor: 'CRM 777/SP',
          alterado_em: '2026-03-11T12:20:00Z',
        }),
      ]),
  })
  open()
  const card = await screen.findByRole('listitem')
  expect(card.textContent).toContain('alterado por Caio Médico · usuário 8 · CRM 777/SP em 11/03/2026 09:20')
  expect(within(card).getByText('usuário 8 · CRM 777/SP')).toBeDefined()
})

test('the list pages with Anterior and Próximo and keeps the page out of the URL', async () => {
  const server = answerWith({ 'GET /api/prontuarios': () => listOf(five(1), 7) })
  open(joana)
  await screen.findByText('1–5 de 7')
  expect(screen.queryByLabelText('Linhas por página')).toBeNull()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Anterior' }).disabled).toBe(true)
  server.answers['GET /api/prontuarios'] = () => listOf([aRecord({ id: 6 }), aRecord({ id: 7 })], 7)
  press('Próximo')
  await screen.findByText('6–7 de 7')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Próximo' }).disabled).toBe(true)
  expect(server.sent.map(({ url }) => parametersOf(url))).toEqual([
    { pagina: '1', tamanho: '5', beneficiario: '3' },
    { pagina: '2', tamanho: '5', beneficiario: '3' },
  ])
})

test('the record list shows no cached records when it is closed and opened again', async () => {
  // The portal's default staleTime.
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
  const { sent, answers } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  const { unmount } = render(screenOf(joana, 'test', client))
  await screen.findByText('Cardiologia')
  unmount()
  await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]))
  answers['GET /api/prontuarios'] = () => listOf([aRecord({ especialidade: 'Neurologia' })])
  render(screenOf(joana, 'test', client))
  expect(screen.queryByText('Cardiologia')).toBeNull()
  await screen.findByText('Neurologia')
  expect(sent).toHaveLength(2)
})

test('the record list refetches when it was hidden and is shown again', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
  const { sent, answers } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  const list = screenOf(joana, 'test', client)
  const { rerender } = render(<Activity>{list}</Activity>)
  await screen.findByText('Cardiologia')
  rerender(<Activity mode="hidden">{list}</Activity>)
  await waitFor(() => expect(client.getQueryCache().getAll()).toEqual([]))
  expect(sent).toHaveLength(1)
  answers['GET /api/prontuarios'] = () => listOf([aRecord({ especialidade: 'Neurologia' })])
  rerender(<Activity>{list}</Activity>)
  const row = await screen.findByText('Neurologia')
  expect(row.closest('[aria-busy="false"]')).not.toBeNull()
  expect(screen.queryByText('Cardiologia')).toBeNull()
  expect(sent).toHaveLength(2)
})

test('the record list refetches under another purpose and marks the old rows as busy until then', async () => {
  choosePurpose('atendimento')
  const server = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  open()
  await screen.findByText('Cardiologia')
  server.answers['GET /api/prontuarios'] = () => listOf([aRecord({ especialidade: 'Neurologia' })])
  act(() => choosePurpose('auditoria'))
  expect(screen.getByText('Cardiologia').closest('[aria-busy="true"]')).not.toBeNull()
  await screen.findByText('Neurologia')
  expect(server.sent).toHaveLength(2)
})

test('the record list shows a message for two seconds and sends nothing when a field of the period is empty', async () => {
  const { sent } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  open()
  await screen.findByRole('listitem')
  vi.useFakeTimers()
  type('De', '01032026')
  press('Filtrar')
  expect(screen.getByText('Preencha os dois campos!').getAttribute('role')).toBe('alert')
  await act(() => vi.advanceTimersByTimeAsync(1_999))
  expect(screen.queryByText('Preencha os dois campos!')).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText('Preencha os dois campos!')).toBeNull()
  expect(sent).toHaveLength(1)
})

test('the list reports dates that do not exist and focuses the first one', async () => {
  const { sent } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  open()
  await screen.findByRole('listitem')
  type('De', '31022026')
  type('Até', '99992026')
  press('Filtrar')
  expect(screen.getByText('Corrija as duas datas: elas não existem.').getAttribute('role')).toBe('alert')
  expect(screen.queryByText('Preencha os dois campos!')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('De'))
  type('De', '28022026')
  expect(screen.getByText('Corrija a data: ela não existe.')).toBeDefined()
  type('Até', '')
  expect(screen.queryByText(/Corrija/)).toBeNull()
  press('Filtrar')
  expect(screen.getByText('Preencha os dois campos!')).toBeDefined()
  expect(sent).toHaveLength(1)
})

test('the record list refuses a period whose end precedes its start until it is changed', async () => {
  const { sent } = answerWith({ 'GET /api/prontuarios': () => listOf([aRecord()]) })
  open()
  await screen.findByRole('listitem')
  type('De', '02032026')
  type('Até', '01032026')
  press('Filtrar')
  expect(screen.getByText('A data inicial é posterior à final.')).toBeDefined()
  expect(sent).toHaveLength(1)
  type('Até', '0203202')
  type('Até', '02032026')
  expect(screen.queryByText('A data inicial é posterior à final.')).toBeNull()
})

test('filters by period from page 1, states the period and clears it', async () => {
  const server = answerWith({ 'GET /api/prontuarios': () => listOf(five(1), 12) })
  open()
  await screen.findByText('1–5 de 12')
  press('Próximo')
  await screen.findByText('6–10 de 12')
  type('De', '01032026')
  type('Até', '31032026')
  server.answers['GET /api/prontuarios'] = () => listOf([])
  press('Filtrar')
  expect(await screen.findByText('Desculpe! Sem resultados para essa pesquisa.')).toBeDefined()
  expect(screen.getByText('Prontuários de 01/03/2026 a 31/03/2026.')).toBeDefined()
  expect(parametersOf(server.sent.at(-1)?.url)).toEqual({
    pagina: '1',
    tamanho: '5',
    de: '01/03/2026',
    ate: '31/03/2026',
  })
  // The unfiltered list is fetched again: it is not cached.
  server.answers['GET /api/prontuarios'] = () => listOf(five(1), 12)
  press('Limpar período')
  await screen.findByText('1–5 de 12')
  expect(screen.getByLabelText<HTMLInputElement>('De').value).toBe('')
  expect(screen.queryByText('Prontuários de 01/03/2026 a 31/03/2026.')).toBeNull()
})

test('the record list says what to do next when the list is empty', async () => {
  answerWith({ 'GET /api/prontuarios': () => listOf([]) })
  open(joana)
  expect(
    await screen.findByText(
      'Joana Prado ainda não tem prontuários. Preencha “Registrar Prontuário” para criar o primeiro.',
    ),
  ).toBeDefined()
})

test('the record list shows a failure and loads the list on retry', async () => {
  const server = answerWith({ 'GET /api/prontuarios': () => problem(503, 'Tente em instantes.') })
  open()
  expect(await screen.findByText('Tente em instantes.')).toBeDefined()
  server.answers['GET /api/prontuarios'] = () => listOf([aRecord()])
  press('Tentar novamente')
  expect(await screen.findByRole('listitem')).toBeDefined()
})

test('the record list requires a reason to archive, sends it percent-encoded and returns to page 1', async () => {
  const server = answerWith({
    'GET /api/prontuarios': () => listOf(five(1), 7),
    'DELETE /api/prontuarios/3': () => new Response(null, { status: 204 }),
  })
  // With transitions, because the focus moves when the dialog's exit transition ends.
  open(null, 'default')
  await screen.findByText('1–5 de 7')
  press('Próximo')
  await screen.findByText('6–10 de 7')
  press('Excluir prontuário nº 3 de Joana Prado')
  const dialog = await screen.findByRole('dialog', { name: 'Deseja mesmo excluir esse prontuário?' })
  expect(dialog.textContent).toContain('arquivado, com o motivo, por 20 anos')
  press('Sim, excluir')
  expect(within(dialog).getByText('Campo obrigatório')).toBeDefined()
  expect(server.of('DELETE')).toEqual([])
  fireEvent.change(within(dialog).getByLabelText(/^Motivo/), {
    target: { value: ' Registro em duplicidade ' },
  })
  server.answers['GET /api/prontuarios'] = () => listOf([aRecord({ id: 1 })])
  press('Sim, excluir')
  expect(await screen.findByRole('dialog', { name: 'Prontuário Excluido!' })).toBeDefined()
  expect(server.of('DELETE')[0]?.headers['x-motivo']).toBe('Registro%20em%20duplicidade')
  await waitFor(() => expect(parametersOf(server.sent.at(-1)?.url).pagina).toBe('1'))
  press('Fechar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Prontuários'))
})

test('the record list clears the reason when archiving is cancelled', async () => {
  answerWith({ 'GET /api/prontuarios': () => listOf(five(1)) })
  open()
  await screen.findAllByRole('listitem')
  press('Excluir prontuário nº 3 de Joana Prado')
  await screen.findByRole('dialog')
  fireEvent.change(screen.getByLabelText(/^Motivo/), { target: { value: 'Duplicado' } })
  press('Não, cancelar')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  press('Excluir prontuário nº 4 de Joana Prado')
  await screen.findByRole('dialog')
  expect(screen.getByLabelText<HTMLTextAreaElement>(/^Motivo/).value).toBe('')
})
