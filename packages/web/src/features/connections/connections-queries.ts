import { type Connection, type ConnectionTest, connectionsApi, usersApi } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import { searchOptions } from '../../ui/search-select/select-options.ts'

export const connectionsKey = ['powerbis'] as const
export const responsiblesKey = ['responsaveis'] as const

export const getConnection = (id: number, signal?: AbortSignal): Promise<Connection> =>
  call(connectionsApi.get, { params: { id } }, signal && { signal })

/** Tests the saved connection at its provider; takes at most twice the server's limit per call. */
export const testConnection = (id: number, signal: AbortSignal): Promise<ConnectionTest> =>
  call(connectionsApi.test, { params: { id } }, { signal })

export const searchClients = searchOptions(usersApi.list, ({ idUsuario, nomeUsuario, emailUsuario }) => ({
  value: idUsuario,
  label: nomeUsuario,
  description: emailUsuario,
}))
