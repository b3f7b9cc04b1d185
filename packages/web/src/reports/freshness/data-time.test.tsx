import { problems } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DataTime } from './data-time.tsx'
import { useDataFreshness } from './use-data-freshness.ts'

afterEach(() => vi.unstubAllGlobals())

const Bar = ({ isDrawn, mayRefresh = true, hasNewData = false }: BarProps) => (
  <DataTime {...useDataFreshness(7, isDrawn)} mayRefresh={mayRefresh} hasNewData={hasNewData} />
)
interface BarProps {
  isDrawn: boolean
  mayRefresh?: boolean
  hasNewData?: boolean
}

const base = { ultima: null, podeAtualizar: false, nasUltimas24h: 0, limiteDiario: 8 }

const show = (atualizadosEm: string | null, isDrawn = true) => {
  const fetched = vi.fn(async (_url: string) => Response.json({ ...base, atualizadosEm }))
  vi.stubGlobal('fetch', fetched)
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <Bar isDrawn={isDrawn} />
      </MantineProvider>
    </QueryClientProvider>,
  )
  return { container, fetched }
}

test('the time of the data shows the time in short, and reads the full date out', async () => {
  show('2019-11-23T11:00:00Z')
  const short = await screen.findByText('Dados de 23/11/2019 08:00')
  expect(short.getAttribute('aria-hidden')).toBe('true')
  expect(
    screen.getByText('Dados de sábado, 23 de novembro de 2019 às 08:00 (horário de Brasília)'),
  ).toBeTruthy()
})

test('the time of the data shows nothing when the time is not known', async () => {
  const { container, fetched } = show(null)
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
  expect(container.querySelector('p')).toBeNull()
})

test('the time of the data is not asked for before the report is drawn', async () => {
  const { fetched } = show('2025-11-23T11:00:00Z', false)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(fetched).not.toHaveBeenCalled()
})

describe('for a person who may refresh the data', () => {
  const before = { inicio: '2019-11-23T10:55:00.000Z', estado: 'CONCLUIDA' }
  let answer: object
  let posted: Response
  let bar: (props: Partial<BarProps>) => ReactElement
  let rerender: (bar: ReactElement) => void
  beforeEach(async () => {
    answer = { ...base, atualizadosEm: null, podeAtualizar: true, nasUltimas24h: 1, ultima: before }
    posted = new Response('null', { status: 202 })
    vi.stubGlobal(
      'fetch',
      vi.fn(async (_url: string, { method }: RequestInit) =>
        method === 'POST' ? posted : Response.json(answer),
      ),
    )
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const client = new QueryClient()
    bar = (props) => (
      <QueryClientProvider client={client}>
        <MantineProvider env="test">
          <Bar isDrawn {...props} />
        </MantineProvider>
      </QueryClientProvider>
    )
    ;({ rerender } = render(bar({})))
    fireEvent.click(await screen.findByRole('button', { name: 'Atualizar dados' }))
  })
  afterEach(() => void vi.useRealTimers())
  const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Atualizar agora' }))

  test('the dialog closes when new data are offered, so that it does not cover the offer', async () => {
    expect(screen.getByRole('dialog', { name: 'Atualizar dados' })).toBeTruthy()
    rerender(bar({ hasNewData: true }))
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('for a person who may refresh the data is not offered in a report that is seen as another person', () => {
    rerender(bar({ mayRefresh: false }))
    expect(screen.queryByRole('button', { name: 'Atualizar dados' })).toBeNull()
  })

  test.each([
    ['CONCLUIDA', 'Os dados foram atualizados.'],
    ['FALHOU', 'A atualização não terminou bem. Os dados anteriores continuam valendo.'],
  ])('the dialog shows the progress up to %s', async (estado, sentence) => {
    await press()
    await screen.findByText(/A atualização começa em instantes/)
    const inicio = '2019-11-24T10:55:00.000Z'
    answer = { ...answer, ultima: { inicio, estado: 'EM_ANDAMENTO' } }
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    await screen.findByText(/^Atualizando os dados/)
    answer = { ...answer, ultima: { inicio, estado } }
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    await screen.findByText(sentence)
  })

  const refuse = (codigo: 'atualizacao_em_andamento' | 'atualizacoes_esgotadas') => {
    const { status, title, detail } = problems[codigo]
    posted = Response.json({ type: 'x', title, status, detail, codigo, idRequisicao: '1' }, { status })
    return detail
  }

  test('the dialog says why the request was refused, also after a refresh that ended', async () => {
    await press()
    answer = { ...answer, ultima: { inicio: '2019-11-24T10:55:00.000Z', estado: 'CONCLUIDA' } }
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    const detail = refuse('atualizacoes_esgotadas')
    await press()
    expect((await screen.findByRole('alert')).textContent).toBe(detail)
  })

  test('the dialog follows the refresh that was in the way to its end', async () => {
    const detail = refuse('atualizacao_em_andamento')
    const inicio = '2019-11-24T10:55:00.000Z'
    answer = { ...answer, ultima: { inicio, estado: 'EM_ANDAMENTO' } }
    await press()
    expect((await screen.findByRole('alert')).textContent).toBe(detail)
    answer = { ...answer, ultima: { inicio, estado: 'CONCLUIDA' } }
    await act(() => vi.advanceTimersByTimeAsync(6_000))
    await screen.findByText('Os dados foram atualizados.')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
