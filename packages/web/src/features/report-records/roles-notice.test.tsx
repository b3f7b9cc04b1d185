// @vitest-environment happy-dom
import type { DatasetRoles } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { datasetRolesQuery } from './report-records-queries.ts'
import { RolesNotice } from './roles-notice.tsx'

const show = (roles: DatasetRoles) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(datasetRolesQuery(7).queryKey, roles)
  render(
    <QueryClientProvider client={client}>
      <RolesNotice idRelatorio={7} />
    </QueryClientProvider>,
  )
}

test.each([
  [
    'opens for no person, where roles are required',
    true,
    /tem papéis de segurança, e nenhum .*não abre para ninguém/,
  ],
  ['shows every row, where they are not', false, /vê as linhas de todas as pessoas/],
])('a report without a role %s', (_name, exigePapeis, sentence) => {
  show({ temPapeis: true, exigePapeis })
  expect(screen.getByRole('status').textContent).toMatch(sentence)
  expect(screen.getByRole('status').textContent).toContain('Escolha ao menos um papel.')
})

test('the notice says nothing of a dataset without roles', () => {
  show({ temPapeis: false, exigePapeis: false })
  expect(screen.queryByRole('status')).toBeNull()
})
