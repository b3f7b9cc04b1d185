import { type Connection, type ConnectionTest, connectionsApi } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'

export const connectionsKey = ['powerbis'] as const
export const responsiblesKey = ['responsaveis'] as const

export const getConnection = (id: number, signal?: AbortSignal): Promise<Connection> =>
  call(connectionsApi.get, { params: { id } }, signal && { signal })

/** Tests the saved connection at its provider; takes at most twice the server's limit per call. */
export const testConnection = (id: number, signal: AbortSignal): Promise<ConnectionTest> =>
  call(connectionsApi.test, { params: { id } }, { signal })
