import type { DatasetRoles } from '@bi-manager/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { datasetRolesQuery } from './registrations-queries.ts'
import { RolesNotice } from './roles-notice.tsx'

const show = (roles: DatasetRoles, sendsIdentity = false) => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
  client.setQueryData(datasetRolesQuery(7).queryKey, roles)
  render(
    <QueryClientProvider client={client}>
      <RolesNotice idRelatorio={7} sendsIdentity={sendsIdentity} />
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
])('the roles notice warns that without a chosen role %s', (_name, exigePapeis, sentence) => {
  show({ temPapeis: true, exigePapeis, exigeIdentidade: exigePapeis })
  expect(screen.getByRole('status').textContent).toMatch(sentence)
  expect(screen.getByRole('status').textContent).toContain('Escolha ao menos um papel.')
})

const identityOnly = { temPapeis: false, exigePapeis: false, exigeIdentidade: true }

test('the roles notice warns that the required identity is not sent', () => {
  show(identityOnly)
  expect(screen.getByRole('status').textContent).toMatch(/exige uma identidade.*não abre para ninguém/)
})

test.each([
  ['a dataset without roles', { ...identityOnly, exigeIdentidade: false }, false],
  ['a required identity that is sent', identityOnly, true],
])('the roles notice shows nothing for %s', (_name, roles, sendsIdentity) => {
  show(roles, sendsIdentity)
  expect(screen.queryByRole('status')).toBeNull()
})
