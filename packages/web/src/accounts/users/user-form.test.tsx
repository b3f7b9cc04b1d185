import { type Field, userEntity } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { aUser } from '../../../test/users.ts'
import { startSession } from '../../lib/session/session.ts'
import { UserFormPage } from './user-form.tsx'

const ana = aUser({
  idUsuario: 12,
  nomeUsuario: 'Ana Lima',
  emailUsuario: 'ana@exemplo.com.br',
  acessoProntuario: true,
  conselhoProfissional: 'CRM',
  numeroRegistro: '12345',
  ufRegistro: 'PR',
})

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const open = async () => {
  const router = createMemoryRouter([{ path: '/cadastrar-usuario/:user', element: <UserFormPage /> }], {
    initialEntries: ['/cadastrar-usuario/12'],
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await screen.findByDisplayValue('Ana Lima')
}

const change = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('the user form shows and sends the professional registration', async () => {
  const { of } = answerWith({
    'GET /api/usuarios/12': () => Response.json(ana),
    'PUT /api/usuarios/12': () => Response.json({ ...ana, ufRegistro: 'SC', versao: 2 }),
  })
  await open()
  expect(screen.getByLabelText<HTMLSelectElement>('Conselho').value).toBe('CRM')
  expect(screen.getByLabelText<HTMLInputElement>('Número').value).toBe('12345')
  change('UF', 'SC')
  fireEvent.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(of('PUT')).toHaveLength(1))
  expect(of('PUT')[0]?.body).toMatchObject({
    conselhoProfissional: 'CRM',
    numeroRegistro: '12345',
    ufRegistro: 'SC',
  })
})

test('the user form shows at the name field which user already has a similar name', async () => {
  const inUse = 'Este nome se confunde com o de Ana Lima Rocha (usuário 3, bloqueado).'
  answerWith({
    'GET /api/usuarios/12': () => Response.json(ana),
    'PUT /api/usuarios/12': () =>
      problem(422, 'Confira os campos indicados e tente novamente.', { nomeUsuario: inUse }),
  })
  await open()
  change('Nome do usuário', 'Ana Lima Rocha')
  fireEvent.click(screen.getByRole('button', { name: 'Gravar' }))
  expect(await screen.findByText(inUse)).toBeDefined()
})

test('the user form sends the last day of the account, and none when the field is emptied', async () => {
  const { of } = answerWith({
    'GET /api/usuarios/12': () => Response.json({ ...ana, validoAte: '2999-01-31' }),
    'PUT /api/usuarios/12': () => Response.json({ ...ana, validoAte: null, versao: 2 }),
  })
  await open()
  expect(screen.getByDisplayValue('31/01/2999')).toBeDefined()
  change('Conta válida até', '3112')
  change('Conta válida até', '31122999')
  change('Conta válida até', '')
  fireEvent.click(screen.getByRole('button', { name: 'Gravar' }))
  await waitFor(() => expect(of('PUT')).toHaveLength(1))
  expect(of('PUT')[0]?.body).toMatchObject({ validoAte: '' })
})

test('the form has a control for every field that the contract lets a form edit', async () => {
  answerWith({ 'GET /api/usuarios/12': () => Response.json(ana) })
  await open()
  const fields: [string, Field][] = Object.entries(userEntity.fields)
  for (const [name, { control }] of fields) {
    const shown = document.querySelector(`form [name="${name}"]`)
    expect(shown !== null, `a control with the name ${name} in user-form.tsx`).toBe(control !== undefined)
  }
})
