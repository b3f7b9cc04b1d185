import { connectionEntity, reportEntity, userEntity } from '@bi-manager/contract'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { refreshAfter } from './refresh-after.ts'

test('refreshAfter invalidates only the queries that show the changed entity', () => {
  const client = new QueryClient()
  const keys = [
    'powerbis',
    'workspaces',
    'relatorios',
    'usuarios',
    'perfis',
    'capacidades',
    'permissoes',
    'acesso',
    'menus',
  ]
  const staleAfter = (changed: Parameters<typeof refreshAfter>[1]) => {
    for (const key of keys) client.setQueryData([key, 'lista', {}], [])
    refreshAfter(client, changed)
    return keys.filter((key) => client.getQueryState([key, 'lista', {}])?.isInvalidated)
  }
  expect(staleAfter(connectionEntity)).toEqual(['powerbis', 'workspaces', 'capacidades'])
  expect(staleAfter(userEntity)).toEqual([
    'powerbis',
    'usuarios',
    'perfis',
    'capacidades',
    'permissoes',
    'acesso',
  ])
  expect(staleAfter(reportEntity)).toEqual(keys.filter((key) => key !== 'usuarios' && key !== 'capacidades'))
})
