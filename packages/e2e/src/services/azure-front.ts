import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type SimulatedAzureCapacity,
  simulateAzure,
} from '@bi-manager/server/test/stand-ins/azure-capacities'
import { startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'

/**
 * Starts a simulated Azure, and an authority that issues tokens for it. Tokens of other APIs come
 * from the report service at `reports`, which plays Power BI.
 */
export const startSimulatedAzure = async (reports: string, capacities: SimulatedAzureCapacity[]) => {
  const azure = await startProvider()
  simulateAzure(azure, capacities)
  const authority = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const isForAzure = new URLSearchParams(body).get('scope')?.startsWith(azure.origin)
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const answer = isForAzure
      ? Response.json({ token_type: 'Bearer', expires_in: 3599, access_token: crypto.randomUUID() })
      : await fetch(reports + request.url, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve))
  return {
    settings: {
      POWERBI_AUTHORITY_URL: `http://127.0.0.1:${(authority.address() as AddressInfo).port}`,
      POWERBI_API_URL: reports,
      POWERBI_EMBED_URL: reports,
      POWERBI_MANAGEMENT_URL: azure.origin,
    },
    stop: async () => {
      authority.closeAllConnections()
      await new Promise<void>((resolve) => authority.close(() => resolve()))
      await azure.close()
    },
  }
}
