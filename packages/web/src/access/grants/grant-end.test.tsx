import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, problem } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { GrantEnd } from './grant-end.tsx'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

const report = { idRelatorio: 5, nomeRelatorio: 'Custos', idGrupoRelatorio: 2 }
const grant = { ...report, idUsuario: 12, validoAte: '2020-01-31' as string | null }

const show = () =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <GrantEnd idUsuario={12} report={report} />
      </QueryClientProvider>
    </MantineProvider>,
  )

test('the grant end says that a grant has ended, and moves its last day', async () => {
  let current = grant
  const { of } = answerWith({
    'GET /api/usuarios/relatorio-usuario/12': () => Response.json([current]),
    'POST /api/usuarios/relatorio-usuario': () => {
      current = { ...grant, validoAte: '2999-12-31' }
      return Response.json({ idUsuario: 12, idRelatorio: 5 })
    },
  })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Prazo de Custos: Venceu em 31/01/2020' }))
  fireEvent.change(await screen.findByLabelText('Último dia'), { target: { value: '31122999' } })
  fireEvent.change(await screen.findByLabelText('Último dia'), { target: { value: '31/12/2999' } })
  fireEvent.click(screen.getByRole('button', { name: 'Gravar prazo' }))
  await screen.findByRole('button', { name: 'Prazo de Custos: Até 31/12/2999' })
  expect(of('POST')[0]?.body).toEqual({ idUsuario: 12, idRelatorio: 5, validoAte: '2999-12-31' })
})

test('the grant end shows the fault of a day that has passed, and keeps the dialog open', async () => {
  const { of } = answerWith({
    'GET /api/usuarios/relatorio-usuario/12': () => Response.json([{ ...grant, validoAte: null }]),
    'POST /api/usuarios/relatorio-usuario': () =>
      problem(422, 'Confira os campos indicados e tente novamente.', {
        validoAte: 'Informe uma data a partir de hoje.',
      }),
  })
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Prazo de Custos: Sem prazo' }))
  fireEvent.change(await screen.findByLabelText('Último dia'), { target: { value: '31/12/2020' } })
  fireEvent.click(screen.getByRole('button', { name: 'Gravar prazo' }))
  await screen.findByText('Informe uma data a partir de hoje.')
  await waitFor(() => expect(of('POST')).toHaveLength(1))
})
