import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { forgetProfile, refreshProfiles } from './profiles-queries.ts'

test('a changed or deleted profile makes profiles, reasons and capacities stale', () => {
  for (const change of [refreshProfiles, (client: QueryClient) => forgetProfile(client, 3)]) {
    const client = new QueryClient()
    const keys = ['perfis', 'acesso', 'capacidades', 'usuarios']
    for (const key of keys) client.setQueryData([key, 7, 'autorizados'], [])
    change(client)
    expect(keys.filter((key) => client.getQueryState([key, 7, 'autorizados'])?.isInvalidated)).toEqual([
      'perfis',
      'acesso',
      'capacidades',
    ])
  }
})
