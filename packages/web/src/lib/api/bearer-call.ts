import { createClient } from '@bi-manager/contract'
import { versionedFetch } from './new-version.ts'

/** Calls the API as a screen or a guest, with no session of a person. */
export const callerOf = (credential?: string) =>
  createClient({
    baseUrl: '/api',
    fetch: versionedFetch,
    ...(credential ? { headers: () => ({ Authorization: `Bearer ${credential}` }) } : {}),
  })
