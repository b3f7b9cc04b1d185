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
    'the report opens for no user when the dataset requires roles',
    true,
    /tem papéis de segurança, e nenhum .*não abre para ninguém/,
  ],
  ['users see every row when it does not', false, /vê as linhas de todas as pessoas/],
])('warns that without a chosen role %s', (_name, exigePapeis, sentence) => {
  show({ temPapeis: true, exigePapeis })
  expect(screen.getByRole('status').textContent).toMatch(sentence)
  expect(screen.getByRole('status').textContent).toContain('Escolha ao menos um papel.')
})

test('shows nothing for a dataset without roles', () => {
  show({ temPapeis: false, exigePapeis: false })
  expect(screen.queryByRole('status')).toBeNull()
})
