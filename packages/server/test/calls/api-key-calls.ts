import { randomUUID } from 'node:crypto'
import { allowKeys, createKey } from '../accounts/api-keys.ts'
import type { GoodCalls } from './good-call.ts'

/** Good calls of API keys. */
export const apiKeyCalls: GoodCalls = {
  'GET /conta/chaves': () => [{ status: 200 }],
  'POST /conta/chaves': async ({ app }) => {
    await allowKeys(app)
    return [{ body: { nome: `Chave ${randomUUID()}`, grupos: ['RELATORIOS'], dias: 30 }, status: 201 }]
  },
  'DELETE /conta/chaves/:id': async ({ app, caller, person }) => [
    { when: 'one’s own', params: { id: (await createKey(app, caller)).idChave }, status: 204 },
    { when: 'another’s', params: { id: (await createKey(app, person)).idChave }, status: 404 },
  ],
  'GET /chaves': () => [{ query: 'ordem=-usadaEm&pagina=1', status: 200 }],
  'DELETE /chaves/:id': async ({ app, person }) => [
    { params: { id: (await createKey(app, person)).idChave }, status: 204 },
  ],
  'GET /configuracao/chaves': () => [{ status: 200 }],
  'PUT /configuracao/chaves': () => [{ body: { pessoas: true, mcp: false }, status: 200 }],
}
