import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCompanyNetwork } from '@bi-manager/server/test/outbound/company-network'
import {
  hasAudience,
  type SimulatedCloud,
  simulatedClouds,
} from '@bi-manager/server/test/stand-ins/microsoft-clouds'
import { type SimulatedTenant, simulateTenant } from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { type Provider, startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import { embedPage, opensReport, rowsPath } from './microsoft-embed-page.ts'
import { makeCertificate } from './proxied.ts'

/*
 * Simulated tenants under the host names of Microsoft's clouds, with TLS. The portal reaches them
 * through a CONNECT proxy, as in a company's network; the browser through its resolver rules.
 */

const hostsOf = ({ authority, api, embed }: SimulatedCloud) => [authority, api, embed]

/** @param folder for the certificate @param tenantOf the tenant of a cloud */
export const startMicrosoftClouds = async (
  folder: string,
  tenantOf: (cloud: SimulatedCloud) => SimulatedTenant,
) => {
  const clouds = Object.values<SimulatedCloud>(simulatedClouds)
  const started = await Promise.all(
    clouds.map(async (cloud) => {
      const provider = await startProvider()
      return { cloud, provider, answer: answerAs(cloud, provider, tenantOf(cloud)) }
    }),
  )
  const front = createServer((incoming, outgoing) => {
    const { host = '' } = incoming.headers
    const found = started.find(({ cloud }) => hostsOf(cloud).includes(host))
    if (found) found.answer(incoming, outgoing)
    else refuse(outgoing, 421)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  const hosts = clouds.flatMap(hostsOf)
  const { certificate, key } = makeCertificate(folder, hosts)
  const network = await startCompanyNetwork()
  const tls = { key: readFileSync(key), cert: readFileSync(certificate) }
  const tlsPort = await network.withTls(`http://127.0.0.1:${port}`, tls)
  network.localPorts.set(443, tlsPort)
  return {
    /** With these, a portal reaches the clouds. */
    settings: { HTTPS_PROXY: network.proxyUrl, NODE_EXTRA_CA_CERTS: certificate },
    /** The argument with which Chromium resolves the names. */
    resolverRules: `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1:${tlsPort}`).join()}`,
    /** Returns the hosts that the portal has called since the last question. */
    calledHosts: () => new Set(network.tunnels.splice(0).map((place) => place.replace(/:443$/, ''))),
    stop: async () => {
      await network.close()
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      await Promise.all(started.map(({ provider }) => provider.close()))
    },
  }
}

const refuse = (outgoing: ServerResponse, status: number) => outgoing.writeHead(status).end()

/** Answers each call at the host of its service only, and the API to tokens of this cloud only. */
const answerAs = (cloud: SimulatedCloud, provider: Provider, tenant: SimulatedTenant) => {
  const simulated = simulateTenant(provider, { ...tenant, scope: cloud.scope })
  const [report] = tenant.workspaces.flatMap(({ reports = [] }) => reports)

  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = '', headers } = incoming
    const { host, authorization = '' } = headers
    if (host === cloud.embed && url.startsWith('/reportEmbed'))
      return outgoing.writeHead(200, { 'content-type': 'text/html' }).end(embedPage)
    if (host === cloud.embed) {
      if (url !== rowsPath || !opensReport(simulated, authorization)) return refuse(outgoing, 403)
      return outgoing.writeHead(200).end(JSON.stringify({ name: report?.name }))
    }
    const isSignIn = url.endsWith('/oauth2/v2.0/token')
    if (isSignIn !== (host === cloud.authority)) return refuse(outgoing, 404)
    if (!isSignIn && !hasAudience(authorization, cloud.scope)) return refuse(outgoing, 401)
    return passOn(provider, incoming, outgoing)
  }
}

const passOn = ({ origin }: Provider, incoming: IncomingMessage, outgoing: ServerResponse) => {
  const { method, url, headers } = incoming
  const forwarded = request(`${origin}${url}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  forwarded.on('error', () => outgoing.destroy())
  return incoming.pipe(forwarded)
}
