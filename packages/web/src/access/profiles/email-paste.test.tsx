import type { EmailCheck } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { EmailPaste } from './email-paste.tsx'
import { useMemberChoice } from './member-choice.ts'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const person = (idUsuario: number) => ({
  idUsuario,
  nomeUsuario: `Pessoa ${idUsuario}`,
  emailUsuario: `pessoa${idUsuario}@x.com`,
  situacao: 'ATIVO' as const,
  jaMembro: false,
})
const found = (id: number): EmailCheck => ({
  email: person(id).emailUsuario,
  resultado: 'encontrado',
  pessoa: person(id),
})

/** The list with the ids of the chosen users below it; user 1 can also be chosen by search. */
const Choice = () => {
  const choice = useMemberChoice(new Map())
  return (
    <>
      <button type="button" onClick={() => choice.choose([person(1)], true)}>
        Escolher pela busca
      </button>
      <EmailPaste idPerfil={7} choice={choice} />
      <output>{[...choice.chosen.keys()].sort().join()}</output>
    </>
  )
}

test('another list replaces the people of the earlier one, and keeps those chosen by search', async () => {
  const lists = [[found(1), found(2), found(3)], [found(3), found(4)], [found(1), found(5)], [found(5)]]
  const path = '/api/perfis/7/candidatos/conferir'
  const server = answerWith({ [`POST ${path}`]: () => Response.json(lists.shift() ?? []) })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Choice />
      </QueryClientProvider>
    </MantineProvider>,
  )
  const chosen = () => screen.getAllByRole('status', { hidden: true }).at(-1)?.textContent
  const check = async (text: string, expected: string) => {
    await userEvent.clear(screen.getByLabelText('E-mails'))
    await userEvent.type(screen.getByLabelText('E-mails'), text)
    await userEvent.click(screen.getByRole('button', { name: 'Conferir' }))
    await vi.waitFor(() => expect(chosen()).toBe(expected))
  }
  await userEvent.click(screen.getByRole('button', { name: 'Escolher pela busca' }))
  await check("a@x.com, Lima, D'Ávila <d'avila@x.com>", '1,2,3')
  expect(server.sent.at(-1)?.body).toEqual({ emails: ['a@x.com', "d'avila@x.com"] })
  await check('b@x.com', '1,3,4')
  await check('c@x.com', '1,5')
  await check('d@x.com', '1,5')
  expect(server.sent).toHaveLength(4)
})

test('the field names the e-mails that no user has, with their lines', async () => {
  const path = '/api/perfis/7/candidatos/conferir'
  const unknown = (email: string, resultado: 'desconhecido' | 'invalido'): EmailCheck => ({
    email,
    resultado,
    pessoa: null,
  })
  answerWith({
    [`POST ${path}`]: () =>
      Response.json([found(1), unknown('x@x.com', 'desconhecido'), unknown('Ana', 'invalido')]),
  })
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <Choice />
      </QueryClientProvider>
    </MantineProvider>,
  )
  await userEvent.type(screen.getByLabelText('E-mails'), 'pessoa1@x.com{Enter}{Enter}x@x.com{Enter}Ana')
  await userEvent.click(screen.getByRole('button', { name: 'Conferir' }))
  await screen.findByText(
    '1 pessoa encontrada em 3 e-mails. Sem usuário: linhas 3 e 4. Veja o motivo dos outros na lista.',
  )
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines.slice(1)).toEqual([
    'x@x.comLinha 3: nenhum usuário tem este e-mail.',
    'AnaLinha 4: não é um e-mail.',
  ])
})
