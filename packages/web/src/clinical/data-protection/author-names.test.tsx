import type { AccessEntry, Incident } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf } from '../../../test/answers.ts'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose } from '../../lib/session/purpose.ts'
import { startSession } from '../../lib/session/session.ts'
import { AccessLog } from './access-log.tsx'
import { IncidentFormPage } from './incident-form.tsx'

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  choosePurpose('atendimento')
})
afterEach(() => vi.unstubAllGlobals())

const open = (element: ReactNode, path: string, entry: string) =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={createMemoryRouter([{ path, element }], { initialEntries: [entry] })} />
      </QueryClientProvider>
    </MantineProvider>,
  )

const access: AccessEntry = {
  idAcesso: 1,
  quando: '2026-03-10T12:00:00Z',
  idUsuario: 9,
  nomeUsuario: 'Helena Duarte',
  acao: 'lido',
  objeto: 'prontuario',
  idObjeto: 12,
  finalidade: 'Atendimento',
}

test('the access log shows the user id separately from the name', async () => {
  answerWith({ 'GET /api/protecao-de-dados/beneficiarios/3/acessos': () => listOf([access]) })
  open(<AccessLog id={3} />, '/', '/')
  expect((await screen.findByText('Helena Duarte')).tagName).toBe('BDI')
  expect(screen.getByText('usuário 9')).toBeDefined()
})

const incident: Incident = {
  id: 4,
  titulo: 'Mensagem ao endereço errado',
  conhecido_em: '2026-03-10T12:00:00Z',
  ocorrido_em: null,
  descricao: 'Uma mensagem saiu para outra pessoa.',
  dados_afetados: 'Nome e plano',
  titulares_afetados: 1,
  gravidade: 'medio',
  exige_comunicacao: false,
  medidas: null,
  comunicado_anpd_em: null,
  comunicado_titulares_em: null,
  motivo_sem_comunicacao: 'Ninguém a leu.',
  encerrado_em: null,
  prazo: '2026-03-14T02:59:59.999Z',
  fora_do_prazo: false,
  registrado_por: 'Rita Prado',
  idAutor: 5,
  registrado_em: '2026-03-10T12:00:00Z',
  versao: 1,
}

test("an incident shows its author's user id separately from the name", async () => {
  answerWith({
    'GET /api/protecao-de-dados/incidentes/4': () => Response.json(incident, { headers: { etag: '"1"' } }),
  })
  open(<IncidentFormPage />, '/protecao-de-dados/incidente/:incidente?', '/protecao-de-dados/incidente/4')
  expect((await screen.findByText('Rita Prado')).tagName).toBe('BDI')
  expect(screen.getByText('usuário 5')).toBeDefined()
})
