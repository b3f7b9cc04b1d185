import { ApiProblem, MISSING } from '@bi-manager/contract'
import { MantineProvider, TextInput } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import {
  completePendingStep,
  endSession,
  requirePendingStep,
  startSession,
} from '../../lib/session/session.ts'
import { SecretField } from '../fields/secret-field.tsx'
import { EntityForm } from './entity-form.tsx'
import { useEntityForm } from './use-entity-form.ts'

interface Item {
  id: number
  nome: string
  versao: number
}
interface Values {
  nome: string
  senha: string | null
}

const save = vi.fn<(values: Values, base: Item | undefined) => Promise<Item>>()
const reload = vi.fn<(base: Item) => Promise<Item>>()
const stored: Item = { id: 7, nome: 'Vendas', versao: 1 }

const Form = ({ entity, scope }: { entity: Item | undefined; scope?: string | undefined }) => {
  const form = useEntityForm<Values, Item>({
    entity,
    scope,
    valuesOf: (item) => ({ nome: item?.nome ?? '', senha: item ? null : '' }),
    required: ['nome', 'senha'],
    secrets: ['senha'],
    requiredMs: 3_000,
    save,
    reload,
  })
  return (
    <EntityForm
      form={form}
      title="Item"
      listPath="/itens"
      registerPath="/item"
      texts={{ created: 'Item cadastrado!', updated: 'Item editado!' }}
    >
      <TextInput label="Nome" {...form.text('nome')} />
      <SecretField label="Senha" isKept={form.base !== undefined} {...form.field('senha')} />
    </EntityForm>
  )
}

const open = (entity?: Item, scope?: string) => {
  const router = createMemoryRouter(
    [
      { path: '/item', element: <Form entity={entity} scope={scope} /> },
      { path: '/itens', element: <h1>Lista</h1> },
    ],
    { initialEntries: ['/itens', '/item'] },
  )
  render(
    <StrictMode>
      <MantineProvider env="test">
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
  return router
}
let client: QueryClient
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' })
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Gravar' }))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const REQUIRED = 'É necessário preencher todos os campos!'

beforeEach(() => {
  vi.clearAllMocks()
  client = new QueryClient()
  startSession(signedInUntil(Date.now() + 600_000))
})
afterEach(() => void vi.useRealTimers())

test('the entity form shows the required-field message for its duration, marks the fields and sends nothing', async () => {
  vi.useFakeTimers()
  open()
  submit()
  expect(screen.getByText(REQUIRED).getAttribute('role')).toBe('alert')
  expect([field('Nome'), field('Senha')].map((one) => one.getAttribute('aria-invalid'))).toEqual([
    'true',
    'true',
  ])
  expect(document.activeElement).toBe(field('Nome'))
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  submit()
  await act(() => vi.advanceTimersByTimeAsync(2_999))
  expect(screen.queryByText(REQUIRED)).not.toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1))
  expect(screen.queryByText(REQUIRED)).toBeNull()
  expect(save).not.toHaveBeenCalled()
})

test('the entity form saves a new entity, confirms it and offers a blank form', async () => {
  save.mockResolvedValue(stored)
  const router = open()
  type('Nome', 'Vendas')
  type('Senha', 'segredo')
  fireEvent.mouseDown(screen.getByRole('button', { name: 'Mostrar senha' }))
  expect(field('Senha').type).toBe('text')
  submit()
  expect(await screen.findByRole('dialog', { name: 'Item cadastrado!' })).toBeDefined()
  expect(save.mock.calls).toEqual([[{ nome: 'Vendas', senha: 'segredo' }, undefined]])
  press('Cadastrar +1')
  await waitFor(() => expect(field('Nome').value).toBe(''))
  expect([field('Senha').value, field('Senha').type]).toEqual(['', 'password'])
  await waitFor(() => expect(client.getMutationCache().getAll()).toEqual([]))
  expect(router.state.location.pathname).toBe('/item')
})

test('the entity form keeps an untouched secret and reports an emptied one as missing', async () => {
  save.mockResolvedValue({ ...stored, versao: 2 })
  open(stored)
  expect(field('Senha').value).toBe('••••••••')
  type('Senha', '')
  submit()
  expect(screen.getByText(REQUIRED)).toBeDefined()
  expect(save).not.toHaveBeenCalled()
  press('Manter a senha atual')
  submit()
  expect(await screen.findByRole('dialog', { name: 'Item editado!' })).toBeDefined()
  expect(save.mock.calls).toEqual([[{ nome: 'Vendas', senha: null }, stored]])
  expect(screen.queryByRole('button', { name: 'Cadastrar +1' })).toBeNull()
})

test('the entity form shows server errors at their fields and keeps the typed values', async () => {
  save.mockRejectedValue(
    new ApiProblem(422, {
      codigo: 'campos_invalidos',
      detail: 'Confira os campos.',
      campos: { nome: 'Curto demais.' },
    }),
  )
  open(stored)
  type('Nome', 'V')
  submit()
  expect(await screen.findByText('Curto demais.')).toBeDefined()
  expect(field('Nome').value).toBe('V')
  expect(screen.getByText('Confira os campos.')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(field('Nome')))
})

const conflicted = (nome: string) => {
  save.mockRejectedValueOnce(
    new ApiProblem(412, { codigo: 'versao_antiga', detail: 'Bia alterou Nome em 02/03/2026.', campos: {} }),
  )
  reload.mockResolvedValue({ ...stored, nome, versao: 5 })
}

test("the entity form shows the other user's change after a 412 and saves the chosen values on top of it", async () => {
  conflicted('Vendas SC')
  save.mockResolvedValueOnce({ ...stored, versao: 6 })
  open(stored)
  type('Nome', 'Vendas RS')
  submit()
  expect(await screen.findByText('Bia alterou Nome em 02/03/2026.')).toBeDefined()
  expect(screen.getByRole('radio', { name: /Vendas RS/ }).getAttribute('aria-checked')).toBe('true')
  expect(screen.getByRole('radio', { name: /Vendas SC/ })).toBeDefined()
  press('Gravar esta escolha')
  await screen.findByRole('dialog', { name: 'Item editado!' })
  expect(save.mock.calls[1]).toEqual([
    { nome: 'Vendas RS', senha: null },
    { ...stored, nome: 'Vendas SC', versao: 5 },
  ])
})

test("the entity form adopts the other user's values without saving", async () => {
  conflicted('Vendas SC')
  open(stored)
  type('Nome', 'Vendas RS')
  submit()
  fireEvent.click(await screen.findByRole('radio', { name: /Vendas SC/ }))
  press('Gravar esta escolha')
  await waitFor(() => expect(field('Nome').value).toBe('Vendas SC'))
  expect(save).toHaveBeenCalledOnce()
})

test('the entity form asks before an edited form is left, and stays on request', async () => {
  const router = open(stored)
  type('Nome', 'Vendas RS')
  await act(() => router.navigate('/itens'))
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar editando' }))
  expect(router.state.location.pathname).toBe('/item')
  fireEvent.keyDown(field('Nome'), { key: 'Escape' })
  fireEvent.click(await screen.findByRole('button', { name: 'Sair sem gravar' }))
  expect(await screen.findByRole('heading', { name: 'Lista' })).toBeDefined()
})

test('the entity form leaves an untouched form without asking', async () => {
  const router = open(stored)
  await act(() => router.navigate('/itens'))
  expect(router.state.location.pathname).toBe('/itens')
})

const leave = async (router: ReturnType<typeof open>) => {
  endSession('terminou')
  await act(() => router.navigate('/itens'))
  expect(router.state.location.pathname).toBe('/itens')
  cleanup()
}

test('the entity form restores typed values after the session ended, for the same person only', async () => {
  const first = open()
  type('Nome', 'Vendas RS')
  await leave(first)
  startSession(signedInUntil(Date.now() + 600_000))
  const second = open()
  expect(field('Nome').value).toBe('Vendas RS')
  expect(screen.getByText(/Recuperamos o que você tinha digitado/)).toBeDefined()
  await leave(second)
  startSession(signedInUntil(Date.now() + 600_000, { usuario_id: 2 }))
  open()
  expect(field('Nome').value).toBe('')
})

test('the entity form keeps the draft when a second factor is demanded, without asking', async () => {
  const signedIn = signedInUntil(Date.now() + 600_000)
  startSession(signedIn)
  const router = open()
  type('Nome', 'Vendas RS')
  requirePendingStep('another token', 'segundo_fator')
  await act(() => router.navigate('/itens'))
  fireEvent.click(await screen.findByRole('button', { name: 'Continuar editando' }))
  requirePendingStep(signedIn.access_token, 'segundo_fator')
  await act(() => router.navigate('/itens'))
  expect(router.state.location.pathname).toBe('/itens')
  cleanup()
  completePendingStep()
  open()
  expect(field('Nome').value).toBe('Vendas RS')
  expect(screen.getByRole('status').textContent).toBe(
    'Recuperamos o que você tinha digitado antes de sair desta página. Confira e grave.',
  )
})

test('a draft is not restored into another entity at the same address', async () => {
  const first = open(stored, 'item-7')
  type('Nome', 'Vendas RS')
  await leave(first)
  startSession(signedInUntil(Date.now() + 600_000))
  const other = open({ ...stored, id: 8, nome: 'Compras' }, 'item-8')
  expect(field('Nome').value).toBe('Compras')
  await act(() => other.navigate('/itens'))
  cleanup()
  open(stored, 'item-7')
  expect(field('Nome').value).toBe('Vendas RS')
})

test('the entity form hides the draft notice once a blank form follows', async () => {
  save.mockResolvedValue(stored)
  const first = open()
  type('Nome', 'Vendas RS')
  type('Senha', 'segredo')
  await leave(first)
  startSession(signedInUntil(Date.now() + 600_000))
  open()
  expect(screen.getByText(/Recuperamos o que você tinha digitado/)).toBeDefined()
  submit()
  fireEvent.click(await screen.findByRole('button', { name: 'Cadastrar +1' }))
  await waitFor(() => expect(field('Nome').value).toBe(''))
  expect(screen.queryByText(/Recuperamos/)).toBeNull()
})

test('the message of an edit closes after 6 s and leads to the list; that of a new entity waits', async () => {
  vi.useFakeTimers()
  save.mockResolvedValue(stored)
  const router = open(stored)
  type('Nome', 'Compras')
  submit()
  await act(() => vi.advanceTimersByTimeAsync(5_900))
  expect(screen.getByRole('dialog', { name: 'Item editado!' })).toBeDefined()
  expect(router.state.location.pathname).toBe('/item')
  await act(() => vi.advanceTimersByTimeAsync(200))
  expect(router.state.location.pathname).toBe('/itens')
  cleanup()
  open()
  type('Nome', 'Vendas')
  type('Senha', 'segredo')
  submit()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.getByRole('dialog', { name: 'Item cadastrado!' })).toBeDefined()
})

test('a field that is filled loses its error at once', () => {
  open()
  submit()
  expect(screen.getAllByText(MISSING)).toHaveLength(2)
  type('Nome', 'V')
  expect(field('Nome').getAttribute('aria-invalid')).not.toBe('true')
  expect(field('Senha').getAttribute('aria-invalid')).toBe('true')
})
