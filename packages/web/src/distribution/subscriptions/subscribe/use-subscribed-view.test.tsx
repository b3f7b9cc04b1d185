import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith } from '../../../../test/answers.ts'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { useSubscribedView } from './use-subscribed-view.ts'

const path = 'GET /api/usuarios/relatorio/7/assinaturas/5/escolha'
const choice = { pagina: 'p2', filtros: { sexo: 'feminino' }, marcador: 'eyJ9' }
const problem = (status: number, codigo: string, detail: string) =>
  Response.json(
    { type: 'about:blank', title: 'x', idRequisicao: '1', status, codigo, detail },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

const report = {
  show: vi.fn(async () => undefined),
  leaveSubscription: vi.fn(),
  addNotice: vi.fn<(sentence: string) => void>(),
}
type Status = Parameters<typeof useSubscribedView>[1]['status']
const Page = ({ search, status }: { search: string; status: Status }) => {
  useSubscribedView(new URLSearchParams(search), { ...report, status })
  return null
}

const loading: Status = { phase: 'carregando', idRelatorio: 7 }
const loaded: Status = { phase: 'carregado', idRelatorio: 7 }
const link = 'relatorio=7&pagina=p1&assinatura=5'

beforeEach(() => {
  vi.clearAllMocks()
  startSession(signedInUntil(Date.now() + 600_000))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('useSubscribedView asks for the choice of the subscription in the link once the report is open, and applies it once', async () => {
  const server = answerWith({ [path]: () => Response.json(choice) })
  const { rerender } = render(<Page search={link} status={loading} />)
  expect(server.of('GET')).toEqual([])
  rerender(<Page search={link} status={loaded} />)
  rerender(<Page search={link} status={{ ...loaded, phase: 'renderizado' }} />)
  await waitFor(() => expect(report.leaveSubscription).toHaveBeenCalledOnce())
  expect(report.show.mock.calls).toEqual([[choice]])
  expect(server.of('GET')).toHaveLength(1)
  expect(report.addNotice).not.toHaveBeenCalled()
})

test('useSubscribedView asks again when the report opens again, as after a rotation, while the choice is applied', async () => {
  const server = answerWith({ [path]: () => Response.json(choice) })
  const { promise, resolve } = Promise.withResolvers<undefined>()
  report.show.mockReturnValueOnce(promise)
  const { rerender } = render(<Page search={link} status={loaded} />)
  await waitFor(() => expect(report.show).toHaveBeenCalledOnce())
  rerender(<Page search={link} status={loading} />)
  resolve(undefined)
  await promise
  expect(report.leaveSubscription).not.toHaveBeenCalled()
  rerender(<Page search={link} status={loaded} />)
  await waitFor(() => expect(report.leaveSubscription).toHaveBeenCalledOnce())
  expect([server.of('GET').length, report.show.mock.calls.length]).toEqual([2, 2])
})

test('useSubscribedView says so when the link was forwarded to a person who does not receive the subscription', async () => {
  answerWith({ [path]: () => problem(404, 'nao_encontrado', 'Não encontrado.') })
  render(<Page search={link} status={loaded} />)
  await waitFor(() => expect(report.leaveSubscription).toHaveBeenCalledOnce())
  expect(report.addNotice.mock.calls).toEqual([
    [expect.stringMatching(/^Os filtros da assinatura não foram aplicados: ela não é enviada a você/)],
  ])
  expect(report.show).not.toHaveBeenCalled()
})

test('useSubscribedView keeps the link when the portal fails: a reload asks again', async () => {
  answerWith({ [path]: () => problem(500, 'erro_interno', 'O portal falhou.') })
  render(<Page search={link} status={loaded} />)
  await waitFor(() => expect(report.addNotice).toHaveBeenCalledWith('O portal falhou.'))
  expect(report.leaveSubscription).not.toHaveBeenCalled()
})

test.each([
  ['without a subscription', 'relatorio=7&pagina=p1', loaded],
  ['with a malformed one', 'assinatura=5x', loaded],
  ['of a paginated report', link, { ...loaded, paginated: { parametros: [], painelParametros: false } }],
])('useSubscribedView asks for nothing in an address %s', async (_, search, status) => {
  const server = answerWith({ [path]: () => Response.json(choice) })
  const { rerender } = render(<Page search={search} status={status as Status} />)
  rerender(<Page search={search} status={status as Status} />)
  expect(server.of('GET')).toEqual([])
})
