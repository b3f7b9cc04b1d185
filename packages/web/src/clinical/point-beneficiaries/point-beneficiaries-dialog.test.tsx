import type { ReportPoint } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { endSession, startSession } from '../../lib/session/session.ts'
import { recordsShown, useAskedRecords } from './asked-records.ts'
import { PointBeneficiariesButton } from './point-beneficiaries-button.tsx'
import { sentenceOf } from './point-beneficiaries-dialog.tsx'

const joana = {
  id: 7,
  nome_beneficiario: 'Joana Exemplo',
  id_beneficiario: 'EX-1',
  data_nascimento: null,
  sexo: null,
  plano: null,
  operadora: null,
  versao: 1,
}
const point: ReportPoint = { page: 'p', visual: 'v', filters: [], point: [], drill: [] }
let sent: { url: string; body: unknown; purpose: string | null }[] = []

beforeEach(() => {
  startSession(signedInUntil(Date.now() + 60_000))
  sent = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const purpose = new Headers(init?.headers).get('x-finalidade')
    sent.push({ url, body: JSON.parse(String(init?.body)), purpose })
    return Response.json({ beneficiarios: [joana], naoCadastrados: 2, naoListados: 0 })
  })
})
afterEach(() => {
  cleanup()
  recordsShown()
  vi.unstubAllGlobals()
  endSession('saiu')
})

const Asked = () => <p data-testid="asked">{useAskedRecords()?.nome_beneficiario}</p>

const show = ({ acessoProntuario = true, hasPoint = true } = {}) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(currentUserQuery.queryKey, { acessoProntuario } as never)
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <PointBeneficiariesButton idRelatorio={3} hasPoint={hasPoint} selectedPoint={async () => point} />
        <Asked />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return client
}
const entry = () => screen.queryByRole('button', { name: 'Ver beneficiários' })

test.each([
  { acessoProntuario: false, hasPoint: true },
  { acessoProntuario: true, hasPoint: false },
])('the dialog is not offered with %j', (given) => {
  show(given)
  expect(entry()).toBeNull()
})

test('the point beneficiaries dialog asks for the purpose first, then lists, and opens the records of the chosen person', async () => {
  const client = show()
  expect(screen.getByRole('status').textContent).toContain('Ver beneficiários')
  // By keyboard.
  entry()?.focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(await screen.findByLabelText('Auditoria'))
  expect(sent).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))
  const person = await screen.findByRole('button', { name: /^Prontuários de Joana Exemplo\s*ID EX-1/ })
  expect(sent).toEqual([
    {
      url: expect.stringMatching(/\/relatorio\/3\/beneficiarios$/),
      body: { ponto: point },
      purpose: 'Auditoria',
    },
  ])
  expect(
    screen.getByText(
      '1 beneficiário. Escolha-o para ver os prontuários. Há 2 IDs que não estão cadastrados.',
    ),
  ).toBeDefined()
  await userEvent.click(person)
  expect(screen.getByTestId('asked').textContent).toBe('Joana Exemplo')
  // Nothing of the list stays in the cache.
  await expect.poll(() => client.getQueryCache().findAll({ queryKey: ['beneficiarios'] })).toEqual([])
})

test('the point beneficiaries dialog says how many there are', () => {
  const none = { beneficiarios: [], naoCadastrados: 1, naoListados: 0 }
  expect(sentenceOf(none)).toBe(
    'Nenhum beneficiário deste ponto está cadastrado no portal. Há 1 ID que não está cadastrado.',
  )
  const many = { beneficiarios: [joana, joana], naoCadastrados: 0, naoListados: 1_234 }
  expect(sentenceOf(many)).toBe(
    '2 beneficiários. Escolha um para ver os prontuários. E mais 1.234 IDs não cabem nesta lista: filtre o relatório.',
  )
})
