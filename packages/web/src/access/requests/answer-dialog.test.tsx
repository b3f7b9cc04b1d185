import type { AccessRequest } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { AnswerDialog } from './answer-dialog.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const request: AccessRequest = {
  idPedido: 3,
  motivo: 'Fecho o mês com ele.',
  situacao: 'ABERTO',
  criadoEm: '2026-11-20T12:00:00.000Z',
  respondidoEm: null,
  mensagem: null,
  idUsuario: 12,
  nomeUsuario: 'Ana Prado',
  emailUsuario: 'ana@exemplo.com.br',
  idRelatorio: 5,
  nomeRelatorio: 'Custos',
  nomeGrupo: 'Diretoria',
  jaTemAcesso: false,
  respondidoPor: null,
  nomePerfil: null,
}
const profiles = [
  { idPerfil: 4, nomePerfil: 'Financeiro', quantidadeRelatorios: 1 },
  { idPerfil: 9, nomePerfil: 'Gestores', quantidadeRelatorios: 12 },
]

const show = (fields: Partial<AccessRequest> = {}) => {
  const [onClose, onAnswered] = [vi.fn(), vi.fn()]
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <AnswerDialog request={{ ...request, ...fields }} onClose={onClose} onAnswered={onAnswered} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { onClose, onAnswered }
}
const url = 'POST /api/pedidos-acesso/3/resposta'
const listed = { 'GET /api/pedidos-acesso/3/perfis': () => Response.json(profiles) }

test('the answer dialog adds the person to a profile that has the report', async () => {
  const { of } = answerWith({ ...listed, [url]: () => Response.json({ ...request, situacao: 'PERFIL' }) })
  const { onClose, onAnswered } = show()
  const choice = await screen.findByRole<HTMLInputElement>('radio', { name: 'Incluir num perfil' })
  await waitFor(() => expect(choice.disabled).toBe(false))
  fireEvent.click(choice)
  fireEvent.change(await screen.findByLabelText('Perfil'), { target: { value: '9' } })
  fireEvent.click(screen.getByRole('button', { name: 'Liberar' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(onAnswered).toHaveBeenCalled()
  expect(of('POST')[0]?.body).toEqual({ decisao: 'PERFIL', idPerfil: '9', mensagem: '' })
})

test('the answer dialog grants without an end unless a day is given', async () => {
  const { of } = answerWith({ ...listed, [url]: () => Response.json({ ...request, situacao: 'LIBERADO' }) })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Liberar' }))
  await waitFor(() => expect(of('POST')).toHaveLength(1))
  expect(of('POST')[0]?.body).toEqual({ decisao: 'LIBERADO', validoAte: null, mensagem: '' })
})

test('an address without a report can only be refused, with a message', async () => {
  answerWith({
    [url]: () =>
      problem(422, 'Confira os campos indicados e tente novamente.', {
        mensagem: 'Diga à pessoa por que o pedido foi recusado.',
      }),
  })
  show({ idRelatorio: null, nomeRelatorio: null, nomeGrupo: null })
  await screen.findByText(/não leva a nenhum relatório/)
  expect(screen.queryByRole('radio')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Recusar' }))
  await screen.findByText('Diga à pessoa por que o pedido foi recusado.')
})

test('the answer dialog says that another ADMIN has answered, and offers to close', async () => {
  answerWith({
    ...listed,
    [url]: () =>
      Response.json(
        {
          type: 'about:blank',
          title: 'x',
          status: 409,
          codigo: 'pedido_ja_respondido',
          detail: 'Outra pessoa já respondeu a este pedido.',
          idRequisicao: '1',
        },
        { status: 409 },
      ),
  })
  const { onAnswered } = show()
  fireEvent.click(await screen.findByRole('button', { name: 'Liberar' }))
  await screen.findByText('Outra pessoa já respondeu a este pedido.')
  expect(onAnswered).toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Fechar' })).toBeDefined()
})
