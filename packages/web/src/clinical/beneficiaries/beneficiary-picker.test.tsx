import type { Beneficiary } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose } from '../../lib/session/purpose.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { BeneficiaryPicker } from './beneficiary-picker.tsx'

const joana: Beneficiary = {
  id: 3,
  nome_beneficiario: 'Joana Exemplo Prado',
  id_beneficiario: 'EX-0003',
  data_nascimento: '10/03/1980',
  sexo: 'feminino',
  plano: 'Pleno',
  operadora: null,
  versao: 1,
}

const namesake: Beneficiary = { ...joana, id: 4, id_beneficiario: 'EX-0004' }

const KNOWN = 'Já existe um beneficiário com este ID.'

const submitted = vi.fn()
const Stage = ({ isRequired = true, error }: { isRequired?: boolean; error?: string }) => {
  const [value, setValue] = useState<Beneficiary | null>(null)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submitted()
      }}
    >
      <BeneficiaryPicker value={value} onChange={setValue} isRequired={isRequired} error={error} />
      <output>{value ? `escolhido ${value.id}, versão ${value.versao}` : 'ninguém'}</output>
    </form>
  )
}
const open = (isRequired = true, error?: string) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider
          router={createMemoryRouter([
            { path: '/', element: <Stage isRequired={isRequired} {...(error && { error })} /> },
          ])}
        />
      </QueryClientProvider>
    </MantineProvider>,
  )

beforeEach(() => {
  submitted.mockReset()
  startSession(signedInUntil(Date.now() + 600_000))
  choosePurpose('regulacao')
})
afterEach(() => {
  vi.unstubAllGlobals()
  endSession('saiu')
})

const field = () => screen.getByRole('searchbox', { name: /Beneficiário/ })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const search = (text: string) => userEvent.type(field(), `${text}{Enter}`)

test('the beneficiary picker searches on submit with the purpose and without personal data in the URL, then shows the only result as chosen', async () => {
  const { sent } = answerWith({ 'POST /api/beneficiarios/busca': () => Response.json([joana]) })
  open()
  await search(' joana exemplo prado ')
  expect(await screen.findByText('escolhido 3, versão 1')).toBeDefined()
  expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/api/beneficiarios/busca', { texto: 'joana exemplo prado' }],
  ])
  expect(sent[0]?.headers['x-finalidade']).toBe(encodeURIComponent('Regulação'))
  expect(submitted).not.toHaveBeenCalled()
  const block = screen.getByRole('region', { name: 'Beneficiário' })
  expect([...block.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual([
    'EX-0003',
    expect.stringMatching(/^10\/03\/1980 \(\d+ anos\)$/),
    'Feminino',
    'Pleno',
    '—',
  ])
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Trocar de beneficiário' })),
  )
  await press('Trocar de beneficiário')
  expect(screen.getByText('ninguém')).toBeDefined()
  expect(document.activeElement).toBe(field())
})

test('of several results the person chooses one', async () => {
  answerWith({ 'POST /api/beneficiarios/busca': () => Response.json([joana, namesake]) })
  open()
  await search('joana exemplo prado')
  const results = await screen.findByRole('list', { name: 'Resultados da pesquisa' })
  expect(screen.getByText('ninguém')).toBeDefined()
  await userEvent.click(
    within(results).getByRole('button', { name: /Escolher Joana Exemplo Prado.*EX-0004/ }),
  )
  expect(screen.getByText('escolhido 4, versão 1')).toBeDefined()
})

test('the beneficiary picker hides results that were found under another purpose', async () => {
  answerWith({ 'POST /api/beneficiarios/busca': () => Response.json([joana, namesake]) })
  open()
  await search('EX-0003')
  await screen.findByRole('list', { name: 'Resultados da pesquisa' })
  act(() => choosePurpose('auditoria'))
  expect(screen.queryAllByText('Joana Exemplo Prado')).toEqual([])
  await press('Pesquisar')
  expect(await screen.findAllByText('Joana Exemplo Prado')).toHaveLength(2)
})

test('the beneficiary picker shows "Campo obrigatório" only under an empty field', async () => {
  answerWith({ 'POST /api/beneficiarios/busca': () => Response.json([joana, namesake]) })
  open(true, 'Campo obrigatório')
  expect(screen.getByText('Campo obrigatório')).toBeDefined()
  const field = screen.getByRole('searchbox', { name: 'Beneficiário' })
  await userEvent.type(field, 'E')
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
  await userEvent.clear(field)
  expect(screen.getByText('Campo obrigatório')).toBeDefined()
  await search('EX-0003')
  await screen.findByRole('list', { name: 'Resultados da pesquisa' })
  expect(screen.queryByText('Campo obrigatório')).toBeNull()
})

test('the beneficiary picker sends nothing for an empty search', async () => {
  const { sent } = answerWith({})
  open()
  await search('   ')
  expect(screen.getByText('Digite o ID ou o nome completo.')).toBeDefined()
  expect(sent).toEqual([])
})

test('the beneficiary picker registers an unknown beneficiary with the typed text and chooses it; reports a taken id', async () => {
  let isTaken = true
  const { sent } = answerWith({
    'POST /api/beneficiarios/busca': () => Response.json([]),
    'POST /api/beneficiarios': () =>
      isTaken
        ? problem(409, KNOWN, { id_beneficiario: KNOWN })
        : Response.json({ ...joana, id: 9 }, { status: 201 }),
  })
  open()
  await search('Joana Exemplo Prado')
  expect(await screen.findByText('A pesquisa não retornou resultados!')).toBeDefined()
  await press('Cadastrar beneficiário')
  const dialog = await screen.findByRole('dialog', { name: 'Cadastrar beneficiário' })
  const input = (name: RegExp) => within(dialog).getByRole<HTMLInputElement>('textbox', { name })
  expect(input(/Nome do beneficiário/).value).toBe('Joana Exemplo Prado')
  await press('Gravar')
  expect(within(dialog).getByText('Campo obrigatório')).toBeDefined()
  await userEvent.type(input(/ID do beneficiário/), 'EX-0003')
  await userEvent.type(input(/Data de nascimento/), '10031980')
  await press('Gravar')
  expect(await within(dialog).findByText(KNOWN)).toBeDefined()
  isTaken = false
  await userEvent.type(input(/ID do beneficiário/), '9')
  await press('Gravar')
  expect(await screen.findByText('escolhido 9, versão 1')).toBeDefined()
  expect(sent.at(-1)?.body).toEqual({
    nome_beneficiario: 'Joana Exemplo Prado',
    id_beneficiario: 'EX-00039',
    data_nascimento: '10/03/1980',
    sexo: '',
    plano: '',
    operadora: '',
  })
  // Submitting the dialog's form did not submit the form around it.
  expect(submitted).not.toHaveBeenCalled()
})

test('the beneficiary picker edits the chosen beneficiary with If-Match', async () => {
  const { sent } = answerWith({
    'POST /api/beneficiarios/busca': () => Response.json([joana]),
    'PUT /api/beneficiarios/3': () => Response.json({ ...joana, plano: 'Sênior', versao: 2 }),
  })
  open()
  await search('EX-0003')
  await userEvent.click(await screen.findByRole('button', { name: 'Editar beneficiário' }))
  const plan = await screen.findByRole('textbox', { name: 'Plano' })
  await userEvent.clear(plan)
  await userEvent.type(plan, 'Sênior')
  await press('Gravar')
  expect(await screen.findByText('escolhido 3, versão 2')).toBeDefined()
  expect(sent.at(-1)?.headers['if-match']).toBe('"1"')
  expect(screen.getByText('Sênior')).toBeDefined()
})

test('the beneficiary picker reports a failed search and offers a retry', async () => {
  let isDown = true
  answerWith({
    'POST /api/beneficiarios/busca': () =>
      isDown ? problem(500, 'Algo deu errado.') : Response.json([joana]),
  })
  open()
  await search('EX-0003')
  expect(await screen.findByText('Algo deu errado.')).toBeDefined()
  isDown = false
  await press('Tentar novamente')
  expect(await screen.findByText('escolhido 3, versão 1')).toBeDefined()
})

test.each([true, false])(
  'the beneficiary picker marks the field as required when isRequired is %s',
  (isRequired) => {
    open(isRequired)
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Beneficiário' }).required).toBe(
      isRequired,
    )
  },
)
