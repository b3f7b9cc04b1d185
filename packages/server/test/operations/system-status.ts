import { SystemStatus } from '@bi-manager/contract'
import { expect } from 'vitest'
import { loadConfig } from '../../src/platform/config/config.ts'
import type { TestApp } from '../test-app.ts'

/**
 * Starts another server with other settings, called by an ADMIN. The status is validated against
 * the contract.
 * @param closing receives the function that closes it
 */
export const statusServer = async (
  app: TestApp,
  admin: { token: string },
  environment: Record<string, string>,
  closing: (() => Promise<unknown> | unknown)[],
) => {
  const defaults = { LOG_LEVEL: 'silent', MIN_FREE_MB: '0', DATA_DIR: app.dataDir }
  const config = loadConfig({ ...defaults, ...environment })
  const server = await app.anotherServer({ config })
  closing.push(() => server.close())
  const headers = { authorization: `Bearer ${admin.token}` }
  return {
    config,
    status: async (): Promise<SystemStatus> => {
      const answer = await server.inject({ method: 'GET', url: '/api/sistema/situacao', headers })
      expect(answer.statusCode, answer.body).toBe(200)
      return SystemStatus.parse(answer.json())
    },
    testMail: async () => {
      const answer = await server.inject({ method: 'POST', url: '/api/sistema/teste-email', headers })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json()
    },
  }
}
