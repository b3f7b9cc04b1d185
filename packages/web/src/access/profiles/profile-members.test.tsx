import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { ProfileMembers } from './profile-members.tsx'

beforeEach(() => startSession({ ...signedInUntil(Date.now() + 600_000), usuario_id: 1, tipo: 'ADMIN' }))
afterEach(() => vi.unstubAllGlobals())

const profile = {
  idPerfil: 3,
  nomePerfil: 'Diretoria',
  quantidadeRelatorios: 2,
  quantidadeMembros: 0,
  versao: 1,
}
const ana = { idUsuario: 7, nomeUsuario: 'Ana Souza', emailUsuario: 'ana@exemplo.com.br' }

test('the list of members says that a membership has ended, and moves its last day', async () => {
  let validoAte = '2020-01-31'
  const { of } = answerWith({
    'GET /api/perfis/3/membros': () => listOf([{ ...ana, validoAte }]),
    'PUT /api/perfis/3/membros': () => {
      validoAte = '2999-12-31'
      return Response.json({ ...profile, quantidadeMembros: 1 })
    },
  })
  const element = <ProfileMembers profile={profile} />
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path: '/', element }])} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const [end] = await screen.findAllByRole('button', { name: 'Prazo de Ana Souza: Venceu em 31/01/2020' })
  if (end) fireEvent.click(end)
  fireEvent.change(await screen.findByLabelText('Último dia'), { target: { value: '31/12/2999' } })
  fireEvent.click(screen.getByRole('button', { name: 'Gravar prazo' }))
  await screen.findAllByRole('button', { name: 'Prazo de Ana Souza: Até 31/12/2999' })
  expect(of('PUT')[0]?.body).toEqual({
    adicionar: [],
    remover: [],
    prazos: [{ idUsuario: 7, validoAte: '2999-12-31' }],
  })
})
