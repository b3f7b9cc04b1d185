import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { DataSection } from './data-section.tsx'

afterEach(() => vi.unstubAllGlobals())

const entry = (day: number, fields: object = {}) => ({
  inicio: `2019-11-${day}T10:55:00.000Z`,
  fim: `2019-11-${day}T11:00:00.000Z`,
  tipo: 'AGENDADA',
  estado: 'CONCLUIDA',
  causa: null,
  codigo: null,
  ...fields,
})
const schedule = { ativa: true, dias: ['segunda'], horarios: ['08:00'], fuso: 'horário de Brasília' }
const freshness = {
  atualizadosEm: null,
  ultima: null,
  podeAtualizar: true,
  nasUltimas24h: 3,
  limiteDiario: 8,
}
const refusal = (detail: string) =>
  Response.json(
    {
      type: 'about:blank',
      title: 'Conexão sem acesso',
      status: 502,
      codigo: 'bi_sem_acesso',
      detail,
      idRequisicao: '1',
    },
    { status: 502, headers: { 'content-type': 'application/problem+json' } },
  )

let sent: string[]

const show = (refreshes: () => Response, agenda = () => Response.json(schedule)) => {
  sent = []
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, { method = 'GET' }: RequestInit) => {
      if (method !== 'GET') {
        sent.push(`${method} ${url}`)
        return refusal('Ana não existe mais.')
      }
      if (url.endsWith('/agenda')) return agenda()
      if (url.endsWith('/autorizados')) return Response.json([{ idUsuario: 3, nomeUsuario: 'Ana Souza' }])
      return url.endsWith('/dados') ? Response.json(freshness) : refreshes()
    }),
  )
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <DataSection idRelatorio={7} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('the data section shows each refresh, the cause of a failure with its code, and the schedule', async () => {
  const failed = { estado: 'FALHOU', causa: 'Faltam as credenciais.', codigo: 'ModelRefreshFailed_X' }
  show(() => Response.json([entry(23, failed), entry(22)]))
  const table = await screen.findByRole('table')
  const rows = within(table).getAllByRole('row')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'InícioDuraçãoTipoSituação',
    '23/11/2019 07:555 minAgendadaFalhou',
    'Faltam as credenciais.Código: ModelRefreshFailed_X',
    '22/11/2019 07:555 minAgendadaConcluída',
  ])
  expect(await screen.findByText('Segunda, às 08:00 (horário de Brasília).')).toBeTruthy()
})

test('the data section shows five refreshes, and all of them on request', async () => {
  show(() => Response.json(Array.from({ length: 9 }, (_, index) => entry(29 - index))))
  expect(within(await screen.findByRole('table')).getAllByRole('row')).toHaveLength(6)
  await userEvent.click(screen.getByRole('button', { name: 'Ver todas (9)' }))
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(10)
})

test('the data section says one failure of both reads once, with its advice', async () => {
  show(
    () => refusal('Dê o papel de Membro.'),
    () => refusal('Dê o papel de Membro.'),
  )
  expect(await screen.findAllByText('Dê o papel de Membro.')).toHaveLength(1)
})

test('the data section shows the history when only the schedule cannot be read', async () => {
  show(
    () => Response.json([entry(23)]),
    () => refusal('Sem agenda.'),
  )
  expect(await screen.findByRole('table')).toBeTruthy()
  expect(await screen.findByText('Sem agenda.')).toBeTruthy()
})

test("the data section offers 'Atualizar agora' with the limit, and names who else may", async () => {
  show(() => Response.json([entry(23)]))
  expect(await screen.findByRole('button', { name: 'Atualizar agora' })).toBeTruthy()
  expect(
    screen.getByText(
      'Nas últimas 24 horas: 3 atualizações. Em capacidade compartilhada, o Power BI aceita 8.',
    ),
  ).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Retirar Ana Souza' })).toBeTruthy()
})

test('the data section says why a person was not removed from those who may refresh', async () => {
  show(() => Response.json([entry(23)]))
  await userEvent.click(await screen.findByRole('button', { name: 'Retirar Ana Souza' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Ana não existe mais.')
  expect(sent).toEqual(['DELETE /api/usuarios/relatorio/7/dados/autorizados/3'])
})
