import { type Beneficiary, RECORD_TEXT, risks, specialties } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { SUCCESS_MS } from '../../ui/dialog/use-success-close.ts'
import { RecordForm } from './record-form.tsx'

const clara: Beneficiary = {
  id: 7,
  nome_beneficiario: 'Clara Nunes',
  id_beneficiario: 'CN-1',
  data_nascimento: null,
  sexo: null,
  plano: null,
  operadora: null,
  versao: 1,
}
const signIn = (person = 1) => startSession(signedInUntil(Date.now() + 60_000, { usuario_id: person }))

let sent: unknown[]
let answer: () => Promise<Response>
beforeEach(() => {
  sent = []
  answer = async () => Response.json({ id: 1 }, { status: 201 })
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)))
    return answer()
  })
  signIn()
})
afterEach(() => vi.unstubAllGlobals())

const show = (beneficiary: Beneficiary | null = clara) => {
  const client = new QueryClient()
  const heard = { dirty: vi.fn(), invalidated: vi.spyOn(client, 'invalidateQueries') }
  const form = (whose: Beneficiary | null) => (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RecordForm beneficiary={whose} onDirty={heard.dirty} />
      </QueryClientProvider>
    </MantineProvider>
  )
  const { rerender, unmount } = render(form(beneficiary))
  return { ...heard, unmount, choose: (whose: Beneficiary) => rerender(form(whose)) }
}

const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('combobox', { name })
const text = (name: RegExp) => screen.getByRole<HTMLTextAreaElement>('textbox', { name })
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Registrar' })
const missing = () => document.getElementById(button().getAttribute('aria-describedby') ?? '')?.textContent
const fillAll = async () => {
  await userEvent.type(field(/Especialidade/), 'cardio{Enter}')
  await userEvent.type(field(/Risco de custo/), 'exames{Enter}')
  await userEvent.type(field(/Risco da doença/), 'sequelas{Enter}')
  fireEvent.change(text(/Descrição/), { target: { value: ' Hipertensão.\nEm acompanhamento. ' } })
  fireEvent.change(text(/Prescrição/), { target: { value: 'Losartana 50 mg' } })
}

test('the record form marks a field as required only after it was left empty', async () => {
  show()
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  for (let count = 0; count < 6; count++) await userEvent.tab()
  expect(screen.getAllByText('Campo obrigatório')).toHaveLength(5)
  await userEvent.type(text(/Prescrição/), 'Repouso')
  expect(screen.getAllByText('Campo obrigatório')).toHaveLength(4)
  await userEvent.clear(text(/Prescrição/))
  await userEvent.type(text(/Prescrição/), '   ')
  expect(screen.getAllByText('Campo obrigatório')).toHaveLength(5)
})

test('the record form enables sending only when all fields are filled, and names the missing ones', async () => {
  const { choose } = show(null)
  expect(missing()).toBe(
    'Para registrar, falta: Beneficiário, Especialidade, Risco de custo, Risco da doença, Descrição HD, Prescrição.',
  )
  await fillAll()
  expect([button().disabled, missing()]).toEqual([true, 'Para registrar, falta: Beneficiário.'])
  choose(clara)
  expect([button().disabled, missing()]).toEqual([false, ''])
})

test('the record form creates the record once, confirms it and empties the form', async () => {
  const { dirty, invalidated } = show()
  let finish: (response: Response) => void = () => undefined
  answer = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  await fillAll()
  expect(dirty.mock.calls).toEqual([[false], [true]])
  fireEvent.click(button())
  fireEvent.submit(button().form as HTMLFormElement)
  await waitFor(() => expect(sent).not.toEqual([]))
  expect(sent).toEqual([
    {
      nome_beneficiario: 'Clara Nunes',
      id_beneficiario: 'CN-1',
      especialidade: specialties[0],
      risco_custo: risks[3],
      risco_doenca: risks[9],
      descricao_hd: 'Hipertensão.\nEm acompanhamento.',
      prescricao_beneficiario: 'Losartana 50 mg',
    },
  ])
  await act(async () => finish(Response.json({ id: 1 }, { status: 201 })))
  await screen.findByRole('dialog', { name: 'Prontuário cadastrado!' })
  expect(dirty.mock.lastCall).toEqual([false])
  expect(invalidated.mock.calls.map(([filter]) => filter?.queryKey?.[0])).toEqual(['prontuarios'])
  await userEvent.click(screen.getByRole('button', { name: 'Fechar' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect([field(/Especialidade/).value, text(/Descrição/).value]).toEqual(['', ''])
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  const heading = screen.getByRole('heading', { name: 'Registrar Prontuário' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(sent).toHaveLength(1)
})

test('the record form closes its confirmation after six seconds', async () => {
  show()
  answer = async () => Response.json({ id: 1 }, { status: 201 })
  await fillAll()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  fireEvent.click(button())
  await screen.findByRole('dialog', { name: 'Prontuário cadastrado!' })
  await act(() => vi.advanceTimersByTimeAsync(SUCCESS_MS))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the record form shows the errors of a refusal at their fields and keeps the typed text', async () => {
  show()
  const problem = {
    type: 'about:blank',
    title: 'Erro',
    idRequisicao: '1',
    status: 422,
    codigo: 'campos_invalidos',
  }
  answer = async () =>
    Response.json(
      {
        ...problem,
        detail: 'Confira os campos.',
        campos: {
          nome_beneficiario: 'Este ID já é de outro beneficiário. Confira o nome.',
          prescricao_beneficiario: 'Retire os caracteres de controle.',
        },
      },
      { status: 422 },
    )
  await fillAll()
  await userEvent.click(button())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Este ID já é de outro beneficiário. Confira o nome.',
  )
  expect(screen.getByText('Retire os caracteres de controle.')).toBeDefined()
  expect(document.activeElement).toBe(text(/Prescrição/))
  expect(text(/Prescrição/).value).toBe('Losartana 50 mg')
  answer = async () => Promise.reject(new TypeError('Failed to fetch'))
  await userEvent.type(text(/Prescrição/), '!')
  await userEvent.click(button())
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/^Não foi possível falar/))
  answer = async () => Response.json({ id: 1 }, { status: 201 })
  await userEvent.click(button())
  await screen.findByRole('dialog', { name: 'Prontuário cadastrado!' })
})

test('the record form reports a pasted text that is too long at once instead of truncating it', async () => {
  show()
  await fillAll()
  fireEvent.change(text(/Descrição/), { target: { value: 'a'.repeat(RECORD_TEXT + 1) } })
  expect(text(/Descrição/).value).toHaveLength(RECORD_TEXT + 1)
  expect(screen.getByText('Use no máximo 10.000 caracteres.')).toBeDefined()
  expect([button().disabled, missing()]).toEqual([true, 'Corrija: Descrição HD.'])
  fireEvent.change(text(/Descrição/), { target: { value: 'a'.repeat(RECORD_TEXT - 12) } })
  expect(screen.getByText('Restam 12 caracteres.')).toBeDefined()
  fireEvent.change(text(/Descrição/), { target: { value: 'a'.repeat(RECORD_TEXT - 1) } })
  expect(screen.getByText('Resta 1 caractere.')).toBeDefined()
})

test('the record form restores the draft after the session ended for the same user only', async () => {
  const typed = async () => {
    const { unmount } = show()
    await userEvent.type(text(/Descrição/), 'Febre')
    endSession('terminou')
    unmount()
  }
  await typed()
  signIn()
  const { unmount } = show()
  expect(text(/Descrição/).value).toBe('Febre')
  expect(screen.getByText(/Recuperamos o que você tinha digitado/)).toBeDefined()
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('Febre')
  unmount()
  await typed()
  signIn(2)
  show()
  expect(text(/Descrição/).value).toBe('')
})
